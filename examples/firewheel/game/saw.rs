//! Saws: from one wall to the other in a few frames, through everybody between them.
//!
//! No mover, for nothing stops it: the game writes its `Transform`, and [`Swept`] sees to it that it misses nobody on its way.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    hazard::Hazard,
    health::{Damage, Health},
    layers,
};

pub const RADIUS: f32 = 13.0;
/// Per frame, that is some three times its size.
const SPEED: f32 = 4800.0;
const DAMAGE: f32 = 45.0;
const WAIT_SECONDS: f32 = 2.2;
/// For so long its rail glows before it goes.
const WARNING_SECONDS: f32 = 1.0;
/// Each from one slanted wall to another.
const RAILS: [[Vec2; 2]; 2] = [
    [Vec2::new(-330.0, 125.0), Vec2::new(-330.0, -135.0)],
    [Vec2::new(330.0, 125.0), Vec2::new(330.0, -135.0)],
];

#[derive(Component)]
#[require(Swept)]
pub struct Saw {
    /// Where it is when it waits, and where it goes next.
    ends: [Vec2; 2],
    seconds_left: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build);
}

/// One after the other.
fn build(mut commands: Commands) {
    for (number, ends) in (1..).zip(RAILS) {
        let seconds_left = WAIT_SECONDS * number as f32 / RAILS.len() as f32;
        let width = Vec2::new(RADIUS, 0.0);
        commands.spawn((
            Saw { ends, seconds_left },
            Hazard::new(Rect::from_corners(ends[0] - width, ends[1] + width)),
            CircleCollider::new(RADIUS),
            layers::SAW,
            Transform::from_translation(ends[0].extend(5.0)),
        ));
    }
}

pub fn dash(mut saws: Query<(&mut Saw, &mut Transform, &mut Hazard)>, time: Res<Time>) {
    for (mut saw, mut at, mut hazard) in &mut saws {
        saw.seconds_left -= time.delta_secs();
        hazard.is_live = saw.seconds_left < WARNING_SECONDS;
        if saw.seconds_left > 0.0 {
            continue;
        }
        let goal = saw.ends[1].extend(at.translation.z);
        at.translation = at.translation.move_towards(goal, SPEED * time.delta_secs());
        if at.translation == goal {
            saw.ends.reverse();
            saw.seconds_left = WAIT_SECONDS;
        }
    }
}

/// Also those whom it passed between two frames.
pub fn cut(mut hits: Hits<With<Saw>, With<Health>>, mut commands: Commands) {
    for hit in hits.read() {
        commands.trigger(Damage {
            entity: hit.b,
            amount: DAMAGE,
        });
    }
}
