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

pub fn plugin(app: &mut App) {
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
