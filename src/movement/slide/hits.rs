//! Records what blocked a mover, for users.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::sweep::SweepHit;
use crate::{
    components::MoverResponse,
    events::{BlockingHit, SurfaceContact},
    geometry::{closest_points, separation},
    index::ColliderIndex,
    movement::{
        body::Motion,
        obstacles::{Obstacles, SlideState},
        tolerances::SAME_FACE_COSINE,
    },
};

impl BlockingHit {
    /// A hit at a point of a blocker's surface, at the start of the update and without speed.
    pub(crate) fn at(
        index: &ColliderIndex,
        blocker: Entity,
        slot: u32,
        point: Vec2,
        normal: Vec2,
    ) -> Self {
        Self {
            blocker,
            normal,
            point,
            fraction: 0.0,
            speed: 0.0,
            blocker_velocity: Vec2::ZERO,
            cell: (index.at(slot)).and_then(|entry| entry.shape.cell_near(point)),
        }
    }
}

/// Records the floor that a walker stands on where its move ends, unless the walker hit it already.
/// Its speed into the floor is that of `velocity`.
pub(crate) fn record_floor(
    hits: &mut Vec<BlockingHit>,
    floor: &SurfaceContact,
    fraction: f32,
    velocity: Vec2,
) {
    let &SurfaceContact {
        entity,
        normal,
        point,
        cell,
    } = floor;
    let speed = -velocity.dot(normal);
    let mut known = hits.iter();
    if known.any(|hit| hit.blocker == entity && hit.cell == cell) {
        return;
    }
    hits.push(BlockingHit {
        blocker: entity,
        normal,
        point,
        fraction,
        speed: if speed > 0.0 {
            speed.min(f32::MAX)
        } else {
            0.0
        },
        blocker_velocity: Vec2::ZERO,
        cell,
    });
}

/// Records a hit. A slide along or around a blocker is one hit, or one for each face of a blocker
/// that is not convex.
pub(crate) fn record_hit(
    hits: &mut Vec<BlockingHit>,
    hit: &SweepHit,
    index: &ColliderIndex,
    obstacles: &Obstacles,
    motion: &Motion,
    state: &SlideState,
) {
    let blocker = &obstacles.all[hit.reported];
    let normal = hit.cast.normal;
    let is_known = |last: &BlockingHit| {
        let is_other_face = blocker.is_piece && last.normal.dot(normal) < SAME_FACE_COSINE;
        last.blocker == blocker.order.entity && !is_other_face
    };
    if motion.response == MoverResponse::Slide && hits.last().is_some_and(is_known) {
        return;
    }
    let shape = motion.shape.translated(state.position);
    let point = if shape.is_convex() {
        closest_points(&shape, &blocker.shape, -normal).1
    } else {
        separation(&shape, &blocker.shape).point_b
    };
    hits.push(BlockingHit {
        fraction: state.fraction(),
        // A displacement near the largest number is infinite per second.
        speed: (-state.velocity.per_update.dot(normal) / motion.seconds).min(f32::MAX),
        ..BlockingHit::at(index, blocker.order.entity, blocker.slot, point, normal)
    });
}
