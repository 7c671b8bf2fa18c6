//! What plays and watches the game, apart from its rules: the command line, a bot, a run without a
//! window, and an audit of the plugin.

pub mod audit;
pub mod bot;
pub mod headless;
mod options;

pub use options::Options;
