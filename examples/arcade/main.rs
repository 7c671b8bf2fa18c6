//! Arcade: six small games, to play and to read. Each is one file that shows how little code a
//! genre needs.
//!
//! `cargo run --example arcade -- --game asteroids` opens a window, and `-- --help` lists what else
//! there is. The keys 1 to 6 and N choose another game. Start reading at `games.rs`, which has
//! what the games share; then read any of them. Beside the games there are
//!
//! - `maps` and `clock`: a road, a track and a dungeon, and what counts down,
//! - `window` and `look`: the window, its keys, and what is drawn beside the colliders,
//! - `options`, `headless`, `bots` and `audit`: the command line, a run without a window, who plays
//!   it, and what has to hold after each step.

mod asteroids;
mod audit;
mod bots;
mod brawler;
mod breakout;
mod clock;
mod dungeon;
mod games;
mod headless;
#[path = "../common/kit.rs"]
mod kit;
mod look;
mod maps;
mod options;
#[path = "../common/platform.rs"]
mod platform;
mod racer;
#[cfg(test)]
mod tests;
mod tower_defense;
mod window;

use bevy::app::AppExit;

use options::Options;

pub(crate) fn main() -> AppExit {
    let options: Options = platform::options();
    if options.headless {
        headless::play(&options)
    } else {
        window::play(&options)
    }
}
