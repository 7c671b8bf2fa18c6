//! Countdowns in steps: what reloads, is stunned, and lasts.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Seconds that are left, or less than 0. They pass in the time of the mover.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Until it may act again.
    pub reload: f32,
    /// Until it may steer again.
    pub stun: f32,
}

/// Is despawned when these seconds are over.
#[derive(Component)]
#[require(Transform, Visibility)]
pub struct Lasts(pub f32);

pub fn plugin(app: &mut App) {
    app.add_systems(FixedPreUpdate, (count_down, expire).chain());
}

fn count_down(time: Res<Time>, mut clocks: Query<(&mut Clock, Option<&Mover>)>) {
    for (mut clock, mover) in &mut clocks {
        let seconds = time.delta_secs() * mover.map_or(1.0, |mover| mover.time_scale);
        clock.reload -= seconds;
        clock.stun -= seconds;
    }
}

fn expire(time: Res<Time>, mut lasting: Query<(Entity, &mut Lasts)>, mut commands: Commands) {
    for (entity, mut lasts) in &mut lasting {
        lasts.0 -= time.delta_secs();
        if lasts.0 <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}
