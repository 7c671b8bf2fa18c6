//! The command line.

#[path = "../../common/seconds.rs"]
mod seconds;

use std::path::PathBuf;

use argh::FromArgs;

use super::super::platform::File;
use seconds::seconds;

/// Firewheel: keep burning wheels rolling through a walled arena, and stay alive.
///
/// P1 walks with WASD, aims with the mouse and fires with its button. P2 walks with the arrow keys
/// and fires ahead with right Ctrl, Enter or slash. P pauses, R restarts, C shows the colliders.
/// The first gamepad is for P1, the second for P2: the left stick walks, the right one aims, the
/// right trigger fires, Start pauses and restarts.
#[derive(FromArgs, Clone, Debug)]
pub struct Options {
    /// one player or two (1)
    #[argh(option, default = "1", from_str_fn(one_or_two))]
    pub players: usize,

    /// seed of the random numbers: the same seed makes the same monsters (1)
    #[argh(option, default = "1")]
    pub seed: u64,

    /// the wave to begin with: the first three are lessons (1)
    #[argh(option, default = "1", from_str_fn(positive))]
    pub wave: usize,

    /// let bots play
    #[argh(switch)]
    pub bots: bool,

    /// let bots play without a window, as fast as they can, and print a summary
    #[argh(switch)]
    pub headless: bool,

    /// how many seconds to play (headless 20, in a window without end)
    #[argh(option, from_str_fn(seconds))]
    pub seconds: Option<f32>,

    /// write a status line to this file (in a browser, to its console) every half second: seconds,
    /// x and y of the first player, wave, health, breaches
    #[argh(option, from_str_fn(writable))]
    pub status: Option<PathBuf>,

    /// let nothing block movers, to see the audit fail
    #[argh(switch)]
    pub no_blocking: bool,
}

impl Options {
    /// Whether bots play.
    pub fn has_bots(&self) -> bool {
        self.bots || self.headless
    }
}

fn one_or_two(text: &str) -> Result<usize, String> {
    match text {
        "1" => Ok(1),
        "2" => Ok(2),
        _ => Err("there are one or two players".into()),
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("waves have numbers from 1".into()),
    }
}

fn writable(path: &str) -> Result<PathBuf, String> {
    match File::create(path) {
        Ok(_) => Ok(path.into()),
        Err(error) => Err(format!("the file cannot be written: {error}")),
    }
}
