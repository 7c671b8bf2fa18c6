//! The row of tiles, the long wall, and the walls around the sliders.

use bevy::prelude::*;

use super::super::super::stage::{pose, wall};
use super::{ANGLE, HERE, LONG, TILED, along};

const TILE: f32 = 40.0;
const TILES: i16 = 23;
const LENGTH: f32 = TILE * TILES as f32;
/// The tile that is the end of a wall from below, which forms a T with the row.
const STEM: i16 = 5;
const STEM_LENGTH: f32 = 60.0;
/// The height of the room above a row, and the thickness of its walls.
const HEIGHT: f32 = 84.0;
const RIM: f32 = 12.0;

pub fn spawn(mut commands: Commands) {
    let up = along().perp();
    for number in 0..TILES {
        let length = if number == STEM { STEM_LENGTH } else { TILE };
        let offset = along() * (f32::from(number) + 0.5 - f32::from(TILES) / 2.0) * TILE;
        let position = TILED + offset + up * (TILE - length) / 2.0;
        commands.spawn((HERE, wall(Vec2::new(TILE, length), pose(position, ANGLE))));
    }
    commands.spawn((HERE, wall(Vec2::new(LENGTH, TILE), pose(LONG, ANGLE))));
    for center in [TILED, LONG] {
        spawn_rim(&mut commands, center);
    }
}

/// A roof and two ends, so that nothing leaves.
fn spawn_rim(commands: &mut Commands, center: Vec2) {
    let up = along().perp();
    let roof = center + up * (TILE / 2.0 + HEIGHT + RIM / 2.0);
    commands.spawn((HERE, wall(Vec2::new(LENGTH, RIM), pose(roof, ANGLE))));
    for side in [-1.0, 1.0] {
        let end = along() * side * (LENGTH - RIM) / 2.0;
        let position = center + end + up * (TILE + HEIGHT) / 2.0;
        commands.spawn((HERE, wall(Vec2::new(RIM, HEIGHT), pose(position, ANGLE))));
    }
}
