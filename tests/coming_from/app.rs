//! An app for a port: an update is one fixed step.

#[path = "../shared/play.rs"]
mod play;

pub use play::{app_with as app, at, position, run};

use bevy::prelude::*;
use bevy_thud::prelude::*;

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
