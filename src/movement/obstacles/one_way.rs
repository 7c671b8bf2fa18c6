//! Which one-way walls, and which pieces of them, can block a mover in an update.

use bevy::ecs::entity::Entity;

use crate::{
    geometry::{Separation, Shape, separation, touching_slop},
    index::{ColliderEntry, OneWayWall, Side, faces, side_of},
    movement::{
        body::{Motion, MoveInput, MovePlan, overlap_deeply},
        world::UpdateWorld,
    },
};

/// A mover where it was when the update began. One-way walls are compared with it where they were
/// then.
#[derive(Clone, Copy)]
pub(crate) struct MoverStart<'a> {
    pub shape: &'a Shape,
    /// The skin width, in world units.
    pub skin: f32,
    /// What it stood on.
    pub floor: Option<Entity>,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
}

impl<'a> MoverStart<'a> {
    /// The mover of a motion with which its update begins.
    pub fn of(motion: &Motion<'a>) -> Self {
        Self {
            shape: motion.shape,
            skin: motion.skin,
            floor: motion.walk.and_then(|walk| walk.floor),
            drops_through: motion.walk.is_some_and(|walk| walk.drops_through),
        }
    }

    /// The mover with this collider and this shape.
    pub fn of_mover(input: &MoveInput, entry: &ColliderEntry, shape: &'a Shape) -> Self {
        Self {
            shape,
            skin: entry.effective_skin(),
            floor: input.floor,
            drops_through: input.drops_through,
        }
    }

    /// The mover of a plan, whose collider this is.
    pub fn of_plan(plan: &'a MovePlan, entry: &ColliderEntry<'a>) -> Self {
        Self::of_mover(&plan.input, entry, plan.shape(entry))
    }

    /// Whether the mover was outside of the whole of a one-way wall, and does not drop through it.
    /// Otherwise the wall does not block it in this update.
    pub fn is_outside(&self, wall: &OneWayWall, whole: &Shape) -> bool {
        let before = wall.motion.before(whole);
        let least = if self.drops_through {
            2.0 * self.skin
        } else {
            -touching_slop(self.shape, &before)
        };
        let separation = separation(self.shape, &before);
        separation.distance >= least || self.stands_in(wall, &before, &separation)
    }

    /// Whether the mover was in front of the blocking side of a piece of a one-way wall.
    pub fn is_in_front(&self, wall: &OneWayWall, piece: &Shape) -> bool {
        self.side_of(wall, piece) == Side::Blocking
    }

    /// On which side of a piece of a one-way wall the mover was.
    pub fn side_of(&self, wall: &OneWayWall, piece: &Shape) -> Side {
        let before = wall.motion.before(piece);
        match side_of(wall, piece, self.shape) {
            Side::Inside if self.stands_in(wall, &before, &separation(self.shape, &before)) => {
                Side::Blocking
            }
            side => side,
        }
    }

    /// Whether the mover stood on a wall, and does not drop through it.
    pub fn stands_on(&self, wall: &OneWayWall) -> bool {
        self.floor == Some(wall.entity) && !self.drops_through
    }

    /// Whether the mover stood on a wall, not deep in it. Movers that meet may press it into one.
    fn stands_in(&self, wall: &OneWayWall, before: &Shape, separation: &Separation) -> bool {
        self.stands_on(wall)
            && faces(wall, -separation.normal)
            && !overlap_deeply(self.shape, before)
    }
}

/// The one-way wall that an obstacle is a convex piece of.
pub(crate) struct OneWayObstacle {
    pub wall: OneWayWall,
    /// The shape of the whole wall.
    pub whole: Shape,
    /// Whether the mover stood on it, and does not drop through it.
    pub is_floor: bool,
}

impl OneWayObstacle {
    /// Whether a mover is outside of the whole wall, or stands on it, not deep in it.
    pub fn is_outside(&self, mover: &Shape) -> bool {
        separation(mover, &self.whole).distance >= -touching_slop(mover, &self.whole)
            || self.is_floor && !overlap_deeply(mover, &self.whole)
    }
}

/// Whether one of two movers is a one-way wall that does not block the other one from its position.
pub(crate) fn pass_through([a, b]: [(&ColliderEntry, &MovePlan); 2], world: &UpdateWorld) -> bool {
    let lets_through = |wall: &ColliderEntry, (other, plan): (&ColliderEntry, &MovePlan)| {
        let one_way = (world.index).one_way_wall(wall, Some(world.observer(other)));
        let start = MoverStart::of_plan(plan, other);
        one_way.is_some_and(|one_way| {
            !(start.is_in_front(&one_way, wall.shape) && start.is_outside(&one_way, wall.shape))
        })
    };
    lets_through(a.0, b) || lets_through(b.0, a)
}
