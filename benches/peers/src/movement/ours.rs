//! The `Mover`s of this crate.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::recording::{self, Steering};
use crate::{ours, runner::Engine, scenes::Body};

/// Movers slide, which is the default.
pub fn engine() -> Engine {
    Engine {
        install,
        insert_components,
        ..ours::engine()
    }
}

fn install(app: &mut App) {
    recording::install(app);
    ours::install_movement(app);
    app.add_systems(Update, apply_steering);
}

fn insert_components(entity: &mut EntityCommands, body: &Body) {
    ours::insert_collider(entity, body);
    if body.moves() {
        entity.insert(Mover::default());
    }
}

fn apply_steering(mut movers: Query<(&mut Mover, &Steering)>) {
    for (mut mover, steering) in &mut movers {
        mover.velocity = steering.velocity;
    }
}
