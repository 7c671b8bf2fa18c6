//! What the game looks like, made of Bevy's own meshes and text. The rules do not know of it.
//!
//! What is drawn of an entity are its children, so that its own transform, which its collider
//! follows, is left to the rules.

mod backdrop;
mod bodies;
mod brush;
mod camera;
mod ground;
mod hud;
mod machines;
mod smooth;

use bevy::prelude::*;
use bevy_thud_ldtk::LdtkLevel;

pub fn plugin(app: &mut App) {
    // All that is drawn is below the level.
    app.register_required_components::<LdtkLevel, Visibility>();
    app.add_plugins((
        backdrop::plugin,
        bodies::plugin,
        camera::plugin,
        ground::plugin,
        hud::plugin,
        machines::plugin,
        smooth::plugin,
    ));
}
