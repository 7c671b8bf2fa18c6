//! The game in a window.

#[path = "../../common/window.rs"]
mod frame;

use bevy::{app::AppExit, prelude::*};

use super::{GamePlugin, Options, controls, look, status};

/// Opens a window and plays until it is closed, or the time is over.
pub fn play(options: &Options) -> AppExit {
    let mut app = App::new();
    app.add_plugins(frame::plugins("FireWheel"))
        .add_plugins(GamePlugin {
            options: options.clone(),
        })
        .add_plugins((controls::plugin, look::plugin, status::plugin));
    frame::close_after(&mut app, options.seconds);
    app.run()
}
