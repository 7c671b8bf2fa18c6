//! The command line.

#[path = "../common/seconds.rs"]
mod seconds;

use argh::FromArgs;

use super::games::Game;
use seconds::seconds;

/// Arcade: six small games. 1 to 6 or N choose one, R or Escape restarts it, C shows the
/// colliders.
#[derive(FromArgs, Clone, Debug)]
pub struct Options {
    /// breakout, asteroids, tower_defense, racer, dungeon or brawler (breakout)
    #[argh(option, default = "Game::Breakout", from_str_fn(game))]
    pub game: Game,

    /// seed of the random numbers (1)
    #[argh(option, default = "1")]
    pub seed: u64,

    /// let a bot play
    #[argh(switch)]
    pub bot: bool,

    /// let a bot play without a window, as fast as it can, and print a summary
    #[argh(switch)]
    pub headless: bool,

    /// how many seconds to play (headless 60, in a window without end)
    #[argh(option, from_str_fn(seconds))]
    pub seconds: Option<f32>,
}

fn game(name: &str) -> Result<Game, String> {
    let found = Game::ALL.into_iter().find(|game| game.name() == name);
    found.ok_or_else(|| {
        let names = Game::ALL.map(Game::name).join(", ");
        format!("the games are {names}")
    })
}
