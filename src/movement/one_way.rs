//! When a one-way wall is in the way.

use bevy::math::Vec2;

use super::trace::Motion;
use crate::{
    aabb::merge,
    geometry::{Shape, cast_with_margin, separation, touching_slop},
    index::{OneWayWall, Side, faces, side_of},
};

/// Whether a wall blocks a mover that heads somewhere (its displacement in a whole run): it comes against the free direction, and was
/// not in the wall when the motion began.
pub(super) fn opposes(wall: &OneWayWall, shape: &Shape, motion: &Motion, heading: Vec2) -> bool {
    let step = motion.step_of(wall);
    if (heading - step).dot(wall.direction) >= 0.0 {
        return false;
    }
    let before = shape.translated(-step);
    separation(motion.shape, &before).distance >= -touching_slop(motion.shape, &before)
}

/// Whether a mover that started as `start` has a wall before it that blocks: it was not in the wall, and on the side that blocks.
pub(super) fn bars(wall: &OneWayWall, shape: &Shape, start: &Shape) -> bool {
    side_of(wall, shape, start) == Side::Blocking
}

/// How far along the free direction a mover at `place` has to go to keep its skin from a wall that was moved into it; none, if the wall
/// does not push it.
pub(super) fn exit(
    wall: &OneWayWall,
    shape: &Shape,
    motion: &Motion,
    place: &Shape,
) -> Option<f32> {
    let before = separation(motion.shape, &shape.translated(-motion.step_of(wall)));
    if !(opposes(wall, shape, motion, motion.displacement) && faces(wall, -before.normal)) {
        return None;
    }
    let around = merge(&place.aabb(), &shape.aabb());
    let way = wall.direction * (around.max - around.min + motion.skin).element_sum();
    let from_behind = cast_with_margin(&place.translated(way), -way, shape, motion.skin)?;
    Some(way.length() * (1.0 - from_behind.fraction as f32))
}
