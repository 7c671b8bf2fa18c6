//! Blades moved by writing their `Transform`, and a dash with a preview.

mod blades;
mod dash;

use bevy::prelude::*;

use super::super::stage::{Readout, Scene};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::Sweeping);

pub fn plugin(app: &mut App) {
    app.add_plugins((blades::plugin, dash::plugin))
        .add_systems(Update, tell.run_if(in_state(Scene::Sweeping)));
}

fn tell(
    blades: Query<&blades::Blade>,
    player: Single<&dash::Dasher>,
    mut readout: ResMut<Readout>,
) {
    let passes: i32 = blades.iter().map(|blade| blade.passes()).sum();
    let missed: i32 = blades.iter().map(|blade| blade.missed().abs()).sum();
    readout.0 = format!(
        "passes of blades: {passes}, targets missed: {missed}  |  the last dash ended {:.4} units off its preview",
        player.error
    );
}
