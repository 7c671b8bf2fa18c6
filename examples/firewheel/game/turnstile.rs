//! Turnstiles: who goes with their arrows passes, be it a monster, a player or fire; who comes against them is stopped.
//!
//! From behind one, a player fires at those who have to go around.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::arena::wall;

const THICKNESS: f32 = 14.0;
/// Center, length and turn (degrees). Not turned, it lets pass upwards.
const TURNSTILES: [(Vec2, f32, f32); 3] = [
    // Down from the ramparts beside the vault.
    (Vec2::new(-182.0, 183.5), 176.0, 190.5),
    (Vec2::new(182.0, 183.5), 176.0, 169.5),
    // Up from the plate, between the kerbs.
    (Vec2::new(0.0, -201.0), 154.0, 0.0),
];

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build);
}

/// A turnstile is a wall with a direction.
fn build(mut commands: Commands) {
    for (center, length, degrees) in TURNSTILES {
        let size = Vec2::new(length, THICKNESS);
        commands.spawn((wall(center, size, degrees), OneWay(Dir2::Y)));
    }
}
