//! Which motions a one-way wall blocks.

use bevy::math::Vec2;

use super::{
    motion::{Motion, MoverStart},
    move_plan::MovePlan,
};
use crate::{
    aabb::merge,
    geometry::{Shape, cast_with_margin, has_edge, separation, touching_slop},
    index::{ColliderEntry, ColliderIndex, OneWayWall, Side, faces, side_of},
};

/// A one-way wall of which an obstacle is a convex piece.
#[derive(Clone)]
pub(super) struct OneWayObstacle {
    pub wall: OneWayWall,
    /// The shape of all of the wall.
    pub whole: Shape,
}

impl OneWayObstacle {
    /// That of a collider, or `None` if it blocks in all directions.
    pub fn of(entry: &ColliderEntry, index: &ColliderIndex) -> Option<Self> {
        index.one_way_wall(entry).map(|wall| Self {
            wall: *wall,
            whole: entry.shape.clone(),
        })
    }
}

/// Whether a surface with this outward normal blocks this displacement relative to its wall.
///
/// At a vertex, or where the wall is round, the normal depends on the mover. There only motion
/// against the free direction is blocked, so that the ends of a wall let through what moves along
/// it.
pub(super) fn blocks_displacement(
    wall: &OneWayWall,
    (piece, normal): (&Shape, Vec2),
    relative: Vec2,
) -> bool {
    let outward = if has_edge(piece, normal) {
        normal
    } else {
        wall.direction
    };
    faces(wall, normal) && relative.dot(outward) < 0.0
}

/// Whether a surface of a piece of a wall blocks a mover with this displacement of a whole update
/// that was not in the wall when the motion began, not even in another piece of it.
pub(super) fn blocks(
    one_way: &OneWayObstacle,
    surface: (&Shape, Vec2),
    motion: &Motion,
    full_displacement: Vec2,
) -> bool {
    let wall = &one_way.wall;
    blocks_displacement(wall, surface, full_displacement - motion.delta_of(wall))
        && starts_outside(one_way, motion)
}

/// Whether a mover was outside of all of a wall when its motion began.
pub(super) fn starts_outside(
    OneWayObstacle { wall, whole }: &OneWayObstacle,
    motion: &Motion,
) -> bool {
    (motion.start()).is_outside(&whole.translated(-motion.delta_of(wall)))
}

/// Whether a mover is outside of all of a wall. Where it is in one piece, the edge of the next one
/// is no surface.
pub(super) fn is_outside(one_way: &OneWayObstacle, mover: &Shape) -> bool {
    separation(mover, &one_way.whole).distance >= -touching_slop(mover, &one_way.whole)
}

/// Whether one of two movers is a one-way wall that does not block the other one from where that
/// is.
pub(super) fn pass_through(
    [a, b]: [(&ColliderEntry, &MovePlan); 2],
    index: &ColliderIndex,
) -> bool {
    let lets_through = |wall: &ColliderEntry, (other, plan): (&ColliderEntry, &MovePlan)| {
        OneWayObstacle::of(wall, index)
            .is_some_and(|one_way| !blocks_from(&one_way, wall.shape, &plan.mover_start(other)))
    };
    lets_through(a.0, b) || lets_through(b.0, a)
}

/// Whether a piece of a wall blocks a mover that started outside of all of the wall, on the
/// blocking side of the piece.
pub(super) fn blocks_from(
    OneWayObstacle { wall, whole }: &OneWayObstacle,
    piece: &Shape,
    start: &MoverStart,
) -> bool {
    side_of(wall, piece, start.shape) == Side::Blocking
        && start.is_outside(&whole.translated(-wall.delta))
}

/// The distance along the free direction by which the mover, now at `pose`, has to move to keep its
/// skin from a wall that was moved into it, or `None` if the wall does not push it.
pub(super) fn exit_distance(
    one_way: &OneWayObstacle,
    shape: &Shape,
    motion: &Motion,
    pose: &Shape,
) -> Option<f32> {
    let wall = &one_way.wall;
    let before = separation(motion.shape, &shape.translated(-motion.delta_of(wall)));
    let surface = (shape, -before.normal);
    if !blocks(one_way, surface, motion, motion.desired.per_update) {
        return None;
    }
    let around = merge(&pose.aabb(), &shape.aabb());
    let beyond = wall.direction * (around.max - around.min + motion.skin).element_sum();
    let from_behind = cast_with_margin(&pose.translated(beyond), -beyond, shape, motion.skin)?;
    Some(beyond.length() * (1.0 - from_behind.fraction as f32))
}
