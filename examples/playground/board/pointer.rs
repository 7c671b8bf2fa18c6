//! The position of the mouse.

use bevy::{input::InputSystems, prelude::*};

#[derive(Resource, Default)]
pub struct Pointer {
    /// In the world. While it is outside of the window, its last position.
    pub world: Vec2,
    pub is_in_window: bool,
    /// How far it moved since the last frame, in pixels, to the right and downward.
    pub moved: Vec2,
    position: Option<Vec2>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Pointer>()
        .add_systems(PreUpdate, point.after(InputSystems));
}

fn point(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform), With<Camera2d>>,
    mut pointer: ResMut<Pointer>,
) {
    let position = window.cursor_position();
    pointer.moved = position
        .zip(pointer.position)
        .map_or(Vec2::ZERO, |(new, old)| new - old);
    pointer.position = position;
    pointer.is_in_window = position.is_some();
    let (camera, transform) = *camera;
    if let Some(position) = position
        && let Ok(world) = camera.viewport_to_world_2d(transform, position)
    {
        pointer.world = world;
    }
}
