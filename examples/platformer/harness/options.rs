//! The command line.

#[path = "../../common/seconds.rs"]
mod seconds;

use argh::FromArgs;

use seconds::seconds;

/// A platformer. Arrow keys or A and D walk, Space jumps, Down drops through planks; R restarts,
/// C shows the colliders.
#[derive(FromArgs, Clone, Debug)]
pub struct Options {
    /// let a bot play, and print a summary at the goal
    #[argh(switch)]
    pub bot: bool,

    /// let a bot play without a window, as fast as it can, and print a summary
    #[argh(switch)]
    pub headless: bool,

    /// how many seconds to play at most (headless 90, in a window without end)
    #[argh(option, from_str_fn(seconds))]
    pub seconds: Option<f32>,
}
