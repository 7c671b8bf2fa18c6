//! Playground: collision detection explained by drawings, with shapes to drag, resize and rotate.
//!
//! `cargo run --example playground` opens a window, with the keys at its lower edge. Start reading
//! at `figure/form.rs`, where the kinds of shapes are listed. `figure` has how they are gripped and
//! dragged, `board` the user interaction, `explain` draws what the collision plugin computes, and
//! `page` has the text.

mod board;
mod explain;
mod figure;
mod options;
mod page;
#[path = "../common/platform.rs"]
mod platform;
#[path = "../common/window.rs"]
mod window;

use bevy::{app::AppExit, prelude::*};
use bevy_thud::{CollisionDebugPlugin, prelude::*};

use options::Options;

pub(crate) fn main() -> AppExit {
    let options: Options = platform::options();
    let mut app = App::new();
    app.add_plugins(window::plugins("Playground"))
        .add_plugins((CollisionPlugin::default(), CollisionDebugPlugin))
        .add_plugins((board::plugin, explain::plugin, page::plugin));
    window::close_after(&mut app, options.seconds);
    app.run()
}
