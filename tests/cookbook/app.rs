//! An app for a recipe: an update is a sixty-fourth of a second.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;

/// The duration of an update, in seconds.
pub const STEP_SECS: f32 = 1.0 / 64.0;

/// An app with the plugin and these systems of a recipe, after its first update.
pub fn app(recipe: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(
            STEP_SECS,
        )))
        .init_resource::<ButtonInput<KeyCode>>();
    recipe(&mut app);
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Updates for this long.
pub fn run(app: &mut App, seconds: f32) {
    (0..(seconds / STEP_SECS).round() as usize).for_each(|_| app.update());
}

pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

pub fn position(app: &App, entity: Entity) -> Vec2 {
    let transform = app.world().get::<Transform>(entity).unwrap();
    transform.translation.truncate()
}

pub fn exists(app: &App, entity: Entity) -> bool {
    app.world().get_entity(entity).is_ok()
}

pub fn press(app: &mut App, key: KeyCode) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.press(key);
}

pub fn release(app: &mut App) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.reset_all();
}
