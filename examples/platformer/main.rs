//! A platformer on two screens, to play and to read: slopes, stairs, planks and machines to ride.
//!
//! `cargo run --example platformer` opens a window, and `cargo run --example platformer -- --help`
//! lists what else it can do.
//!
//! Start reading at `game/mod.rs`, which says which file shows which feature. Beside the rules
//! there are
//!
//! - `window`, `controls` and `look`: the window, its keys, and what is drawn in it,
//! - `harness`: the command line, a bot, a run without a window, and an audit of the plugin.

mod controls;
pub(crate) mod game;
pub(crate) mod harness;
mod look;
#[path = "../common/platform.rs"]
mod platform;
mod window;

use bevy::app::AppExit;

use harness::{Options, headless};

pub(crate) fn main() -> AppExit {
    let options: Options = platform::options();
    if options.headless {
        headless::play(&options)
    } else {
        window::play(&options)
    }
}
