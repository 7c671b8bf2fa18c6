//! avian2d's `MoveAndSlide`, called as its documentation shows.

use avian2d::prelude::*;
use bevy::prelude::*;

use super::walk::{self, Aim, start, stop};
use crate::{avian, scenes::Body, stage::Engine};

/// The layer of what blocks movers.
const WALLS: LayerMask = LayerMask(1);
/// The layer of movers, which do not block each other.
const MOVERS: LayerMask = LayerMask(2);

/// Movers are kinematic bodies, and walls are static ones.
pub fn engine() -> Engine {
    Engine {
        name: "avian2d",
        install,
        diagnose: |_| {},
        equip,
    }
}

fn install(app: &mut App) {
    walk::install(app);
    avian::install(app);
    app.add_systems(Update, (start, move_and_slide, stop).chain());
}

fn equip(entity: &mut EntityCommands, body: &Body) {
    avian::equip(entity, body, false);
    entity.insert(if body.moves() {
        CollisionLayers::new(MOVERS, WALLS)
    } else {
        CollisionLayers::new(WALLS, MOVERS)
    });
}

/// On as many threads as Bevy thinks fit.
fn move_and_slide(
    mut movers: Query<(&mut Transform, &Collider, &Aim)>,
    move_and_slide: MoveAndSlide,
    time: Res<Time>,
) {
    let config = MoveAndSlideConfig::default();
    let filter = SpatialQueryFilter::from_mask(WALLS);
    movers
        .par_iter_mut()
        .for_each(|(mut transform, collider, aim)| {
            let moved = move_and_slide.move_and_slide(
                collider,
                transform.translation.xy(),
                0.0,
                aim.velocity,
                time.delta(),
                &config,
                &filter,
                |_| MoveAndSlideHitResponse::Accept,
            );
            transform.translation = moved.position.extend(0.0);
        });
}
