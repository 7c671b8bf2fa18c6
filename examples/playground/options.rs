//! What can be asked for on the command line.

#[path = "../common/seconds.rs"]
mod seconds;

use argh::FromArgs;

use seconds::seconds;

/// Playground: shapes to drag around, and all that collision detection has to say of them.
#[derive(FromArgs)]
pub struct Options {
    /// close after so many seconds
    #[argh(option, from_str_fn(seconds))]
    pub seconds: Option<f32>,
}
