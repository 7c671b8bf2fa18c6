//! The `Mover`s of this crate.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::recording::{self, Steering, start_timer, stop_timer};
use crate::{ours, runner::Engine, scenes::Body};

/// Movers slide, which is the default.
pub fn engine() -> Engine {
    Engine {
        install,
        insert_components,
        ..ours::engine()
    }
}

/// The timer measures the same as `CollisionDiagnosticsPlugin::MOVE`.
fn install(app: &mut App) {
    recording::install(app);
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Update, apply_steering)
        .add_systems(
            PostUpdate,
            (
                start_timer
                    .after(CollisionSystems::Sync)
                    .before(CollisionSystems::Move),
                stop_timer
                    .after(CollisionSystems::Move)
                    .before(CollisionSystems::Detect),
            ),
        );
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
