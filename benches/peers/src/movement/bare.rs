//! No engine: movers go through the walls.

use bevy::prelude::*;

use super::walk::{self, Aim, start, stop};
use crate::{bare, stage::Engine};

/// Only moves them.
pub fn engine() -> Engine {
    Engine {
        install,
        ..bare::engine()
    }
}

fn install(app: &mut App) {
    walk::install(app);
    app.add_systems(Update, (start, go, stop).chain());
}

fn go(mut movers: Query<(&mut Transform, &Aim)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, aim) in &mut movers {
        transform.translation += (aim.velocity * seconds).extend(0.0);
    }
}
