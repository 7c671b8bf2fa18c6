//! An app that is played without a window: an update is a sixty-fourth of a second.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;

/// The duration of an update, in seconds.
pub const STEP_SECS: f32 = 1.0 / 64.0;

/// An app with the plugin and what `build` adds, after its first update.
pub fn app_with(plugin: CollisionPlugin, build: impl FnOnce(&mut App)) -> App {
    let step = Duration::from_secs_f32(STEP_SECS);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(step))
        .init_resource::<ButtonInput<KeyCode>>();
    build(&mut app);
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
