//! An app for a recipe.

#[path = "../shared/play.rs"]
mod play;

pub use play::{STEP_SECS, at, position, run};

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// An app with the plugin and these systems of a recipe, after its first update.
pub fn app(recipe: impl FnOnce(&mut App)) -> App {
    play::app_with(CollisionPlugin::default(), recipe)
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
