//! Which motions a one-way wall blocks.

use bevy::math::Vec2;

use crate::{
    aabb::merge,
    geometry::{Shape, cast_with_margin, has_edge, separation, touching_slop},
    index::{ColliderEntry, ColliderIndex, Observer, OneWayWall, Side, faces, side_of},
    movement::{
        body::{Motion, MovePlan},
        world::UpdateWorld,
    },
};

/// The one-way wall that an obstacle is a convex piece of.
#[derive(Clone)]
pub(crate) struct OneWayObstacle {
    pub wall: OneWayWall,
    /// The shape of the whole wall.
    pub whole: Shape,
}

impl OneWayObstacle {
    /// The one-way wall of a collider, or `None` if the collider blocks in all directions.
    pub fn of(
        entry: &ColliderEntry,
        index: &ColliderIndex,
        observer: Option<Observer>,
    ) -> Option<Self> {
        Some(Self {
            wall: index.one_way_wall(entry, observer)?,
            whole: entry.shape.clone(),
        })
    }
}

/// A mover where it was when its motion began.
#[derive(Clone, Copy)]
pub(crate) struct MoverStart<'a> {
    pub shape: &'a Shape,
    /// The skin width, in world units.
    pub skin: f32,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
}

impl<'a> MoverStart<'a> {
    /// The mover of a motion.
    pub fn of(motion: &Motion<'a>) -> Self {
        Self {
            shape: motion.shape,
            skin: motion.skin,
            drops_through: motion.walk.is_some_and(|walk| walk.stance.drops_through),
        }
    }

    /// The mover of a plan, whose collider this is.
    pub fn of_plan(plan: &'a MovePlan, entry: &ColliderEntry<'a>) -> Self {
        Self {
            shape: plan.shape(entry),
            skin: entry.effective_skin(),
            drops_through: plan.drops_through,
        }
    }

    /// The distance from a one-way wall below which the mover counts as in it, in world units.
    pub fn least_distance(&self, wall: &Shape) -> f32 {
        if self.drops_through {
            2.0 * self.skin
        } else {
            -touching_slop(self.shape, wall)
        }
    }

    /// Whether the mover was outside of the whole wall.
    pub fn is_outside(&self, wall: &Shape) -> bool {
        separation(self.shape, wall).distance >= self.least_distance(wall)
    }
}

/// The displacement of a one-way wall during a motion, in world units, relative to the floor that
/// carried the mover, if one did.
fn delta_during(motion: &Motion, wall: &OneWayWall) -> Vec2 {
    let Some(carried) = motion.carried else {
        return Vec2::ZERO;
    };
    let delta = wall.delta - carried;
    // A wall that rises no farther than the floor, such as the floor itself, did not come into what
    // the floor carried.
    let is_behind = carried != Vec2::ZERO && delta.dot(wall.direction) <= 0.0;
    if is_behind { Vec2::ZERO } else { delta }
}

/// Whether a one-way wall may have swept over a mover before its motion.
pub(crate) fn may_be_past(OneWayObstacle { wall, .. }: &OneWayObstacle, motion: &Motion) -> bool {
    delta_during(motion, wall) != Vec2::ZERO
}

/// Whether a surface with this outward normal blocks this displacement relative to its wall.
///
/// At a vertex, or where the wall is round, the normal depends on the mover. There only motion
/// against the free direction is blocked, so that the ends of a wall let through what moves along
/// it.
pub(crate) fn blocks_displacement(
    wall: &OneWayWall,
    piece: &Shape,
    normal: Vec2,
    relative: Vec2,
) -> bool {
    let outward = if has_edge(piece, normal) {
        normal
    } else {
        wall.direction
    };
    faces(wall, normal) && relative.dot(outward) < 0.0
}

/// Whether a surface of a piece of a wall blocks a mover with this displacement of a whole update.
/// It does not if the mover was in any piece of the wall when the motion began.
pub(crate) fn blocks(
    one_way: &OneWayObstacle,
    piece: &Shape,
    normal: Vec2,
    motion: &Motion,
    full_displacement: Vec2,
) -> bool {
    let wall = &one_way.wall;
    blocks_displacement(
        wall,
        piece,
        normal,
        full_displacement - delta_during(motion, wall),
    ) && starts_outside(one_way, motion)
}

/// Whether a mover was outside of the whole wall when its motion began.
pub(crate) fn starts_outside(
    OneWayObstacle { wall, whole }: &OneWayObstacle,
    motion: &Motion,
) -> bool {
    MoverStart::of(motion).is_outside(&whole.translated(-delta_during(motion, wall)))
}

/// Whether a mover is outside of the whole wall. For a mover in one piece, the edges of others do
/// not count as surfaces.
pub(crate) fn is_outside(one_way: &OneWayObstacle, mover: &Shape) -> bool {
    separation(mover, &one_way.whole).distance >= -touching_slop(mover, &one_way.whole)
}

/// Whether one of two movers is a one-way wall that does not block the other one from its position.
pub(crate) fn pass_through([a, b]: [(&ColliderEntry, &MovePlan); 2], world: &UpdateWorld) -> bool {
    let lets_through = |wall: &ColliderEntry, (other, plan): (&ColliderEntry, &MovePlan)| {
        let observer = Some(world.observer(other));
        OneWayObstacle::of(wall, world.index, observer).is_some_and(|one_way| {
            !blocks_from(&one_way, wall.shape, &MoverStart::of_plan(plan, other))
        })
    };
    lets_through(a.0, b) || lets_through(b.0, a)
}

/// Whether a piece of a wall blocks a mover from where it started: outside of the whole wall, on
/// the blocking side of the piece.
pub(crate) fn blocks_from(
    OneWayObstacle { wall, whole }: &OneWayObstacle,
    piece: &Shape,
    start: &MoverStart,
) -> bool {
    side_of(wall, piece, start.shape) == Side::Blocking
        && start.is_outside(&whole.translated(-wall.delta))
}

/// The distance (world units) along the free direction by which the mover, now at `pose`, has to
/// move to keep its skin from a wall that moved into it, or `None` if the wall does not push it.
pub(crate) fn exit_distance(
    one_way: &OneWayObstacle,
    shape: &Shape,
    motion: &Motion,
    pose: &Shape,
) -> Option<f32> {
    let wall = &one_way.wall;
    let before = separation(motion.shape, &shape.translated(-delta_during(motion, wall)));
    if !blocks(
        one_way,
        shape,
        -before.normal,
        motion,
        motion.desired.per_update,
    ) {
        return None;
    }
    let around = merge(&pose.aabb(), &shape.aabb());
    let beyond = wall.direction * (around.max - around.min + motion.skin).element_sum();
    let from_behind = cast_with_margin(&pose.translated(beyond), -beyond, shape, motion.skin)?;
    Some(beyond.length() * (1.0 - from_behind.fraction as f32))
}

/// Whether a depenetration must not lead through a one-way wall: the wall rests, and blocks the
/// mover from its start.
pub(crate) fn is_barrier(one_way: &OneWayObstacle, piece: &Shape, motion: &Motion) -> bool {
    !may_be_past(one_way, motion) && blocks_from(one_way, piece, &MoverStart::of(motion))
}

/// Whether a walker may stand on, or be stopped by, a surface of a wall with this normal: whether
/// it is on the blocking side, and the walker is not in the wall.
pub(crate) fn may_hold(one_way: &OneWayObstacle, normal: Vec2, mover: &Shape) -> bool {
    faces(&one_way.wall, normal) && is_outside(one_way, mover)
}
