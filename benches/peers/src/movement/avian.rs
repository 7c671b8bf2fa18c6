//! avian2d's `MoveAndSlide`, called as its documentation shows.

use avian2d::prelude::*;
use bevy::prelude::*;

use super::recording::{self, Steering};
use crate::{
    avian,
    runner::Engine,
    scenes::Body,
    timer::{start_timer, stop_timer},
};

/// The layer of the walls, which block movers.
const WALLS: LayerMask = LayerMask(1);
/// The layer of movers, which do not block each other.
const MOVERS: LayerMask = LayerMask(2);

/// Movers are kinematic bodies, and walls are static ones.
pub fn engine() -> Engine {
    Engine {
        name: "avian2d",
        install,
        install_diagnostics: |_| {},
        insert_components,
    }
}

fn install(app: &mut App) {
    recording::install(app);
    avian::install(app);
    app.add_systems(Update, (start_timer, move_and_slide, stop_timer).chain());
}

fn insert_components(entity: &mut EntityCommands, body: &Body) {
    avian::insert_collider(entity, body, false);
    entity.insert(if body.moves() {
        CollisionLayers::new(MOVERS, WALLS)
    } else {
        CollisionLayers::new(WALLS, MOVERS)
    });
}

/// Moves all movers in parallel.
fn move_and_slide(
    mut movers: Query<(&mut Transform, &Collider, &Steering)>,
    move_and_slide: MoveAndSlide,
    time: Res<Time>,
) {
    let config = MoveAndSlideConfig::default();
    let filter = SpatialQueryFilter::from_mask(WALLS);
    movers
        .par_iter_mut()
        .for_each(|(mut transform, collider, steering)| {
            let moved = move_and_slide.move_and_slide(
                collider,
                transform.translation.xy(),
                0.0,
                steering.velocity,
                time.delta(),
                &config,
                &filter,
                |_| MoveAndSlideHitResponse::Accept,
            );
            transform.translation = moved.position.extend(0.0);
        });
}
