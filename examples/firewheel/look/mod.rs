//! What the game looks like, made of Bevy's own meshes and text. The rules do not know of it.
//!
//! Observers add what is drawn of an entity as its children, so that its own transform, which its
//! collider follows, is left to the rules.

mod aim;
mod arena;
mod bodies;
mod brush;
mod camera;
mod colliders;
mod devices;
mod fire;
mod gauges;
mod hints;
mod hud;
mod keys;
mod machines;
mod sparks;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        brush::plugin,
        devices::plugin,
        camera::plugin,
        arena::plugin,
        machines::plugin,
        bodies::plugin,
        fire::plugin,
        gauges::plugin,
        sparks::plugin,
        hud::plugin,
        keys::plugin,
        colliders::plugin,
    ));
}

/// What a human needs to know, and a bot does not.
pub fn teaching(app: &mut App) {
    app.add_plugins((aim::plugin, hints::plugin));
}
