//! Draws what the collision plugin computes. It runs after the plugin, so nothing is a frame late.

mod casts;
mod clamping;
mod construction;
mod contacts;
mod distances;
mod grid;
mod handles;
mod neighbors;
mod outlines;
mod paint;
mod pen;
mod readout;

use bevy::{prelude::*, ui::UiSystems};
use bevy_thud::prelude::*;

/// In `PostUpdate`: systems in this set see the pairs of this frame.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Explaining;

/// Labels that are added first get the better places, so the order matters.
pub fn plugin(app: &mut App) {
    let drawing = (
        grid::draw,
        outlines::draw,
        handles::draw,
        contacts::draw,
        casts::draw,
        construction::draw,
        distances::draw,
    );
    app.init_resource::<neighbors::Neighbors>()
        .add_plugins(pen::plugin)
        .configure_sets(
            PostUpdate,
            Explaining
                .after(CollisionSystems::Report)
                .before(UiSystems::Prepare),
        )
        .add_systems(
            PostUpdate,
            (
                neighbors::find,
                paint::paint,
                drawing.chain(),
                readout::write,
            )
                .chain()
                .in_set(Explaining),
        );
}
