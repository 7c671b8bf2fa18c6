//! The game in a window.

#[path = "../common/window.rs"]
mod frame;

use bevy::{app::AppExit, prelude::*};

use super::{
    controls, game,
    harness::{Options, bot},
    look,
};

/// Opens a window and plays until it is closed or the time is up.
pub fn play(options: &Options) -> AppExit {
    let mut app = App::new();
    app.add_plugins(frame::plugins("Platformer")).add_plugins((
        game::plugin,
        controls::plugin,
        look::plugin,
    ));
    if options.bot {
        app.add_plugins(bot::plugin);
    } else {
        app.add_plugins(controls::steering);
    }
    frame::close_after(&mut app, options.seconds);
    app.run()
}
