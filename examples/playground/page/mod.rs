//! Text: labels beside the things they describe, the panel with the numbers, and the keys.

mod arrangement;
mod help;
mod labels;
pub mod palette;
mod panel;

pub use labels::Labels;
pub use panel::{Readout, Section};

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(palette::PAPER))
        .add_plugins((labels::plugin, panel::plugin, help::plugin));
}
