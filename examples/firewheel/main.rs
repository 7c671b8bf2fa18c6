//! Firewheel: a top-down arena shooter, to play and to read.
//!
//! `cargo run --example firewheel` opens a window, `cargo run --example firewheel -- --help` lists what else it can do. Begin
//! reading at `game/mod.rs`, where one step of the game is written down from top to bottom.

mod game;

use bevy::app::AppExit;

fn main() -> AppExit {
    let mut options: game::Options = argh::from_env();
    if !options.headless
        && let Some(lack) = game::display::find_lack()
    {
        println!("{lack}, so two bots play without a window.");
        options.headless = true;
        options.players = 2;
    }
    if options.headless {
        game::headless::play(&options)
    } else {
        game::window::play(&options)
    }
}
