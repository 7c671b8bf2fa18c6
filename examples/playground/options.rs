//! The command line.

#[path = "../common/seconds.rs"]
mod seconds;

use argh::FromArgs;

use seconds::seconds;

/// Playground: shapes to drag around, and everything that collision detection computes for them.
#[derive(FromArgs)]
pub struct Options {
    /// close after this many seconds
    #[argh(option, from_str_fn(seconds))]
    pub seconds: Option<f32>,
}
