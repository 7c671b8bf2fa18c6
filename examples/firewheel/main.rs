//! FireWheel: a top-down arena shooter, to play and to read.
//!
//! `cargo run --example firewheel` opens a window, and `cargo run --example firewheel -- --help`
//! lists what else it can do.
//!
//! Start reading at `game/mod.rs`: it says which file shows which feature, and one step of the game
//! is written down there from top to bottom. Beside the rules there are
//!
//! - `display`, `window`, `controls`, `pads` and `look`: whether there can be a window, the window,
//!   its keys, gamepads, and what is drawn in it,
//! - `harness`: what plays and watches the game: the command line, bots, a run without a window,
//!   and an audit of the plugin.

mod controls;
mod display;
mod game;
mod harness;
mod look;
mod pads;
#[path = "../common/platform.rs"]
mod platform;
mod window;

use bevy::app::AppExit;

use harness::{Options, headless};

pub(crate) fn main() -> AppExit {
    let mut options: Options = platform::options();
    if !options.headless
        && !platform::IS_BROWSER
        && let Some(lack) = display::find_lack()
    {
        println!("{lack}, so two bots play without a window.");
        options.headless = true;
        options.players = 2;
    }
    if options.headless {
        headless::play(&options)
    } else {
        window::play(&options)
    }
}
