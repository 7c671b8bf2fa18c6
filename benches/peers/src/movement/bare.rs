//! The bare app: movers move through walls.

use bevy::prelude::*;

use super::recording::{self, Steering};
use crate::{
    bare,
    runner::Engine,
    timer::{start_timer, stop_timer},
};

/// Applies the velocity of movers.
pub fn engine() -> Engine {
    Engine {
        install,
        ..bare::engine()
    }
}

fn install(app: &mut App) {
    recording::install(app);
    app.add_systems(Update, (start_timer, apply_velocity, stop_timer).chain());
}

fn apply_velocity(mut movers: Query<(&mut Transform, &Steering)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, steering) in &mut movers {
        transform.translation += (steering.velocity * seconds).extend(0.0);
    }
}
