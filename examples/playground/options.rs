//! What can be asked for on the command line.

use argh::FromArgs;

/// Playground: shapes to drag around, and all that collision detection has to say of them.
#[derive(FromArgs)]
pub struct Options {
    /// close after so many seconds
    #[argh(option)]
    pub seconds: Option<f32>,
}
