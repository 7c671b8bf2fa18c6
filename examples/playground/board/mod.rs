//! User interaction: the view, the mouse, the keys, and the figures on the board.

mod bodies;
mod casting;
mod cursor;
mod editing;
mod hand;
mod keys;
mod pointer;
mod start;
mod switches;
mod view;

pub use bodies::Figures;
pub use casting::{Caster, Casting};
pub use editing::Editing;
pub use hand::Hand;
pub use pointer::Pointer;
pub use switches::{Switch, Switches};
pub use view::View;

use bevy::prelude::*;

/// The order of work in `Update`.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
enum Working {
    Keys,
    /// Before the hand, so that it grips figures as they are after the edit.
    Editing,
    Hand,
    /// Forms become colliders and meshes.
    Bodies,
}

pub fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (
            Working::Keys,
            Working::Editing,
            Working::Hand,
            Working::Bodies,
        )
            .chain(),
    )
    .add_plugins((
        view::plugin,
        pointer::plugin,
        switches::plugin,
        casting::plugin,
        keys::plugin,
        hand::plugin,
        editing::plugin,
        cursor::plugin,
        bodies::plugin,
        start::plugin,
    ));
}
