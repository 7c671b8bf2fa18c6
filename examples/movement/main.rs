//! Movement in seven scenes: nothing tunnels, and nothing snags.
//!
//! `cargo run --example movement` opens a window; the number keys choose a scene. Each scene is a
//! file in `scenes` that can be read by itself; `stage` is what they share.

mod options;
#[path = "../common/platform.rs"]
mod platform;
mod scenes;
mod stage;
#[path = "../common/window.rs"]
mod window;

use bevy::{app::AppExit, prelude::*};
use bevy_thud::{CollisionDebugPlugin, prelude::*};

use options::Options;

pub(crate) fn main() -> AppExit {
    let options: Options = platform::options();
    let mut app = App::new();
    app.add_plugins(window::plugins("Movement"))
        .add_plugins((CollisionPlugin::default(), CollisionDebugPlugin))
        .insert_state(options.scene)
        .add_plugins((stage::plugin, scenes::plugin));
    window::close_after(&mut app, options.seconds);
    app.run()
}
