//! An app for a port: an update is a sixty-fourth of a second, and one fixed step.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;

/// The duration of an update, in seconds.
const STEP_SECS: f32 = 1.0 / 64.0;

/// An app with the collisions and these systems of a port, after its first update.
pub fn app(collisions: CollisionPlugin, port: impl FnOnce(&mut App)) -> App {
    let step = Duration::from_secs_f32(STEP_SECS);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, collisions))
        .insert_resource(TimeUpdateStrategy::ManualDuration(step))
        .init_resource::<ButtonInput<KeyCode>>();
    port(&mut app);
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

pub fn velocity(app: &App, mover: Entity) -> Vec2 {
    app.world().get::<Mover>(mover).unwrap().velocity
}

/// The only entity with this component.
pub fn single<C: Component>(app: &mut App) -> Entity {
    let mut entities = app.world_mut().query_filtered::<Entity, With<C>>();
    entities.single(app.world()).unwrap()
}

/// Holds these keys, and no others. They are just pressed in one update.
pub fn hold(app: &mut App, held: &[KeyCode]) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.release_all();
    held.iter().for_each(|&key| keys.press(key));
    app.update();
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.clear();
}

/// Presses these keys for one update, and releases them in the next one.
pub fn tap(app: &mut App, tapped: &[KeyCode]) {
    hold(app, tapped);
    hold(app, &[]);
}
