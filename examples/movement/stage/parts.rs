//! Parts that scenes are built of.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    Scene,
    paint::{Paint, palette},
};

/// A transform from a position and an angle in radians.
pub fn pose(position: Vec2, angle: f32) -> Transform {
    Transform::from_translation(position.extend(0.0)).with_rotation(Quat::from_rotation_z(angle))
}

/// A solid rectangle.
pub fn wall(size: Vec2, transform: Transform) -> impl Bundle {
    let collider = RectCollider::new(size.x, size.y);
    (collider, Solid, Paint(palette::WALL), transform)
}

/// The fill of a mover.
pub fn body(collider: impl Collider, color: Color, transform: Transform) -> impl Bundle {
    let above_walls = transform * Transform::from_xyz(0.0, 0.0, 1.0);
    (collider, Mover::default(), Paint(color), above_walls)
}

/// Four walls around an area.
pub fn room(commands: &mut Commands, scene: Scene, area: Rect, thickness: f32) {
    let (center, size) = (area.center(), area.size() + thickness);
    let sides = [(Vec2::X, size.y), (Vec2::Y, size.x)];
    for (across, length) in sides {
        let size = across * thickness + across.yx() * (length + thickness);
        let offset = across * (area.size() + thickness) / 2.0;
        for position in [center - offset, center + offset] {
            commands.spawn((DespawnOnExit(scene), wall(size, pose(position, 0.0))));
        }
    }
}
