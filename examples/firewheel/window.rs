//! The game in a window.

#[path = "../common/window.rs"]
mod frame;

use bevy::{app::AppExit, prelude::*};

use super::{
    controls,
    harness::{HarnessPlugin, Options},
    look, pads,
};

/// Opens a window and plays until it is closed or the time is up.
pub fn play(options: &Options) -> AppExit {
    let mut app = App::new();
    app.add_plugins(frame::plugins("FireWheel"))
        .add_plugins(HarnessPlugin {
            options: options.clone(),
        })
        .add_plugins((controls::plugin, look::plugin));
    if !options.has_bots() {
        app.add_plugins((controls::steering, pads::plugin, look::teaching));
    }
    frame::close_after(&mut app, options.seconds);
    app.run()
}
