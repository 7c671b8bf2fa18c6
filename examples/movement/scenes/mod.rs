//! One file for each scene.

mod bouncing;
mod crowd;
mod crusher;
mod one_way;
mod seams;
mod sweeping;
mod wedges;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        seams::plugin,
        wedges::plugin,
        one_way::plugin,
        bouncing::plugin,
        crowd::plugin,
        crusher::plugin,
        sweeping::plugin,
    ));
}
