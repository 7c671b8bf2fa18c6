//! Turnstiles: monsters, players and wheels pass in the direction of the arrows and are blocked
//! against it.
//!
//! A player behind one can fire at monsters that have to go around it.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::arena::wall;

const THICKNESS: f32 = 14.0;
/// Center, length and rotation (degrees). Without rotation, up is the free direction.
const TURNSTILES: [(Vec2, f32, f32); 3] = [
    // Down from the ramparts beside the vault.
    (Vec2::new(-182.0, 183.5), 176.0, 190.5),
    (Vec2::new(182.0, 183.5), 176.0, 169.5),
    // Up from the plate, between the curbs.
    (Vec2::new(0.0, -201.0), 154.0, 0.0),
];

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build);
}

/// A turnstile is a wall with [`OneWay`].
fn build(mut commands: Commands) {
    for (center, length, degrees) in TURNSTILES {
        let size = Vec2::new(length, THICKNESS);
        commands.spawn((wall(center, size, degrees), OneWay(Dir2::Y)));
    }
}
