//! Which motions a one-way wall blocks.

use bevy::math::Vec2;

use super::motion::Motion;
use crate::{
    aabb::merge,
    geometry::{Shape, cast_with_margin, separation, touching_slop},
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

/// Whether a mover with this displacement of a whole update moves against the free direction of a
/// wall that it was not in when the motion began, not even in another piece of it. A walker that
/// drops through it counts as in it where they touch.
pub(super) fn moves_against(
    OneWayObstacle { wall, whole }: &OneWayObstacle,
    motion: &Motion,
    full_displacement: Vec2,
) -> bool {
    let delta = motion.delta_of(wall);
    if (full_displacement - delta).dot(wall.direction) >= 0.0 {
        return false;
    }
    let before = whole.translated(-delta);
    separation(motion.shape, &before).distance >= least_distance(motion, &before)
}

/// The distance from a one-way wall below which a mover counts as in it.
pub(super) fn least_distance(motion: &Motion, wall: &Shape) -> f32 {
    if motion.walk.is_some_and(|walk| walk.drops_through) {
        2.0 * motion.skin
    } else {
        -touching_slop(motion.shape, wall)
    }
}

/// Whether a mover is outside of all of a wall. Where it is in one piece, the edge of the next one
/// is no surface.
pub(super) fn is_outside(one_way: &OneWayObstacle, mover: &Shape) -> bool {
    separation(mover, &one_way.whole).distance >= -touching_slop(mover, &one_way.whole)
}

/// Whether one of two colliders is a one-way wall that does not block the other one from where that
/// is.
pub(super) fn pass_through(a: &ColliderEntry, b: &ColliderEntry, index: &ColliderIndex) -> bool {
    let lets_through = |wall: &ColliderEntry, other: &ColliderEntry| {
        OneWayObstacle::of(wall, index)
            .is_some_and(|one_way| !blocks_from(&one_way, wall.shape, other.shape))
    };
    lets_through(a, b) || lets_through(b, a)
}

/// Whether a piece of a wall blocks a mover that started as `start`: outside of all of the wall, on
/// the blocking side of the piece.
pub(super) fn blocks_from(
    OneWayObstacle { wall, whole }: &OneWayObstacle,
    piece: &Shape,
    start: &Shape,
) -> bool {
    side_of(wall, piece, start) == Side::Blocking && side_of(wall, whole, start) != Side::Inside
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
    if !(moves_against(one_way, motion, motion.desired.per_update) && faces(wall, -before.normal)) {
        return None;
    }
    let around = merge(&pose.aabb(), &shape.aabb());
    let beyond = wall.direction * (around.max - around.min + motion.skin).element_sum();
    let from_behind = cast_with_margin(&pose.translated(beyond), -beyond, shape, motion.skin)?;
    Some(beyond.length() * (1.0 - from_behind.fraction as f32))
}
