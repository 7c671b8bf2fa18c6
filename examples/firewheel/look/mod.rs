//! What the game looks like, made of Bevy's own meshes and text. The rules know nothing of it.
//!
//! Whatever appears in the game gets its looks as children, from an observer, so that its own transform, which its collider
//! follows, stays as the rules want it.

mod arena;
mod bodies;
mod brush;
mod camera;
mod colliders;
mod fire;
mod gauges;
mod hud;
mod machines;
mod sparks;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        brush::plugin,
        camera::plugin,
        arena::plugin,
        machines::plugin,
        bodies::plugin,
        fire::plugin,
        gauges::plugin,
        sparks::plugin,
        hud::plugin,
        colliders::plugin,
    ));
}
