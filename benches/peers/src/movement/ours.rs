//! The `Mover`s of this crate.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::walk::{self, Aim, start, stop};
use crate::{ours, scenes::Body, stage::Engine};

/// They slide, as they do by default.
pub fn engine() -> Engine {
    Engine {
        install,
        equip,
        ..ours::engine()
    }
}

/// The watch measures what `CollisionDiagnosticsPlugin::MOVE` does.
fn install(app: &mut App) {
    walk::install(app);
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Update, steer)
        .add_systems(
            PostUpdate,
            (
                start
                    .after(CollisionSystems::Sync)
                    .before(CollisionSystems::Move),
                stop.after(CollisionSystems::Move)
                    .before(CollisionSystems::Detect),
            ),
        );
}

fn equip(entity: &mut EntityCommands, body: &Body) {
    ours::equip(entity, body);
    if body.moves() {
        entity.insert(Mover::default());
    }
}

fn steer(mut movers: Query<(&mut Mover, &Aim)>) {
    for (mut mover, aim) in &mut movers {
        mover.velocity = aim.velocity;
    }
}
