//! Burning: damage over time after a hit by a wheel.

use bevy::prelude::*;

use super::health::Damage;

const SECONDS: f32 = 2.5;
const DAMAGE_PER_BITE: f32 = 4.0;
const BITE_SECONDS: f32 = 0.3;

/// The entity is on fire.
#[derive(Component)]
pub struct Burning {
    seconds_left: f32,
    bite: Timer,
}

impl Default for Burning {
    fn default() -> Self {
        Self {
            seconds_left: SECONDS,
            bite: Timer::from_seconds(BITE_SECONDS, TimerMode::Repeating),
        }
    }
}

pub fn burn(mut burning: Query<(Entity, &mut Burning)>, time: Res<Time>, mut commands: Commands) {
    for (entity, mut fire) in &mut burning {
        fire.seconds_left -= time.delta_secs();
        if fire.bite.tick(time.delta()).just_finished() {
            let amount = DAMAGE_PER_BITE;
            commands.trigger(Damage { entity, amount });
        }
        if fire.seconds_left <= 0.0 {
            commands.entity(entity).try_remove::<Burning>();
        }
    }
}
