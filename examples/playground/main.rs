//! Playground: what one would draw to explain collision detection, with shapes to drag, resize and turn.
//!
//! `cargo run --example playground` opens a window; what to press is written at its lower edge. Begin reading at `figure/form.rs`, where
//! the kinds of shapes are listed. `figure` knows how they are gripped and dragged, `board` is what the user works with, `explain` draws
//! what the collision plugin finds out, and `page` writes it down.

mod board;
mod explain;
mod figure;
mod options;
mod page;
#[path = "../common/window.rs"]
mod window;

use bevy::{app::AppExit, prelude::*};
use bevy_thud::{CollisionDebugPlugin, prelude::*};

use options::Options;

fn main() -> AppExit {
    let options: Options = argh::from_env();
    let mut app = App::new();
    app.add_plugins(window::plugins("Playground"))
        .add_plugins((CollisionPlugin::default(), CollisionDebugPlugin))
        .add_plugins((board::plugin, explain::plugin, page::plugin));
    window::close_after(&mut app, options.seconds);
    app.run()
}
