//! Which motions a one-way wall blocks.

use bevy::math::Vec2;

use super::motion::Motion;
use crate::{
    aabb::merge,
    geometry::{Shape, cast_with_margin, separation, touching_slop},
    index::{OneWayWall, Side, faces, side_of},
};

/// Whether a mover with this displacement of a whole update moves against the free direction of a
/// wall that it was not in when the motion began.
pub(super) fn moves_against(
    wall: &OneWayWall,
    shape: &Shape,
    motion: &Motion,
    full_displacement: Vec2,
) -> bool {
    let delta = motion.delta_of(wall);
    if (full_displacement - delta).dot(wall.direction) >= 0.0 {
        return false;
    }
    let before = shape.translated(-delta);
    separation(motion.shape, &before).distance >= -touching_slop(motion.shape, &before)
}

/// Whether a wall blocks a mover that started as `start`: outside of it, on its blocking side.
pub(super) fn blocks_from(wall: &OneWayWall, shape: &Shape, start: &Shape) -> bool {
    side_of(wall, shape, start) == Side::Blocking
}

/// The distance along the free direction by which the mover, now at `pose`, has to move to keep its
/// skin from a wall that was moved into it, or `None` if the wall does not push it.
pub(super) fn exit_distance(
    wall: &OneWayWall,
    shape: &Shape,
    motion: &Motion,
    pose: &Shape,
) -> Option<f32> {
    let before = separation(motion.shape, &shape.translated(-motion.delta_of(wall)));
    if !(moves_against(wall, shape, motion, motion.desired.per_update)
        && faces(wall, -before.normal))
    {
        return None;
    }
    let around = merge(&pose.aabb(), &shape.aabb());
    let beyond = wall.direction * (around.max - around.min + motion.skin).element_sum();
    let from_behind = cast_with_margin(&pose.translated(beyond), -beyond, shape, motion.skin)?;
    Some(beyond.length() * (1.0 - from_behind.fraction as f32))
}
