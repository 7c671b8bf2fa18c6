//! The arena: a floor, the walls around it and the walls in it.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{exact, layers::Layer};

/// Half the size of the floor, between the outer walls.
pub const HALF_SIZE: Vec2 = Vec2::new(588.0, 280.0);
/// The thickness of the outer walls.
pub const BORDER: f32 = 32.0;

/// A wall blocks everybody.
#[derive(Component)]
#[require(Solid)]
pub struct Wall;

/// Center, size and rotation (degrees) of the inner walls.
const INNER_WALLS: [(Vec2, Vec2, f32); 11] = [
    // Four slanted walls around the middle. Saws go between them.
    (Vec2::new(-330.0, 125.0), Vec2::new(150.0, 26.0), 35.0),
    (Vec2::new(330.0, 125.0), Vec2::new(150.0, 26.0), -35.0),
    (Vec2::new(-330.0, -135.0), Vec2::new(150.0, 26.0), -35.0),
    (Vec2::new(330.0, -135.0), Vec2::new(150.0, 26.0), 35.0),
    // Pillars.
    (Vec2::new(-460.0, -5.0), Vec2::new(26.0, 96.0), 14.0),
    (Vec2::new(460.0, -5.0), Vec2::new(26.0, 96.0), -14.0),
    // Two curbs beside the plate.
    (Vec2::new(-120.0, -195.0), Vec2::new(96.0, 20.0), -12.0),
    (Vec2::new(120.0, -195.0), Vec2::new(96.0, 20.0), 12.0),
    // The sides of the vault; its front is the door.
    (Vec2::new(-96.0, 236.0), Vec2::new(20.0, 88.0), 0.0),
    (Vec2::new(96.0, 236.0), Vec2::new(20.0, 88.0), 0.0),
    // A boulder in the corner.
    (Vec2::new(520.0, 215.0), Vec2::new(48.0, 48.0), 22.0),
];

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build_walls);
}

pub fn build_walls(mut commands: Commands) {
    let outer = HALF_SIZE + BORDER / 2.0;
    for side in [-1.0, 1.0] {
        let wide = Vec2::new(2.0 * (HALF_SIZE.x + BORDER), BORDER);
        let high = Vec2::new(BORDER, 2.0 * HALF_SIZE.y);
        commands.spawn(wall(Vec2::new(0.0, side * outer.y), wide, 0.0));
        commands.spawn(wall(Vec2::new(side * outer.x, 0.0), high, 0.0));
    }
    for (center, size, degrees) in INNER_WALLS {
        commands.spawn(wall(center, size, degrees));
    }
}

/// A wall is a solid rectangle, rotated by its transform.
pub fn wall(center: Vec2, size: Vec2, degrees: f32) -> impl Bundle {
    (
        Wall,
        RectCollider::new(size.x, size.y),
        Layer::Wall,
        Transform::from_translation(center.extend(0.0))
            .with_rotation(exact::rotation(degrees.to_radians())),
    )
}
