//! What the scenes share.

mod caption;
mod controls;
mod marks;
mod paint;
mod parts;
mod scene;

pub use caption::Readout;
pub use controls::{Player, heading};
pub use marks::Ring;
pub use paint::{Paint, Painting, palette};
pub use parts::{body, pose, room, wall};
pub use scene::{Scene, SceneTime};

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        scene::plugin,
        controls::plugin,
        paint::plugin,
        marks::plugin,
        caption::plugin,
    ));
}
