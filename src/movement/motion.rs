//! What a mover wants, where it is, and where it went.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::{
    lookahead::Lookahead,
    tolerances::{
        MAX_BOUNCES, MAX_STALLED_SLIDES, SEAM_PROBE_SKINS, SLOP_SKINS, SURFACE_RECESSION,
        SURFACE_RECESSION_SKINS,
    },
    walk_rules::{Footing, WalkRules},
};
use crate::{
    aabb::{Aabb2d, half_size},
    components::{Mover, MoverResponse},
    events::BlockingHit,
    geometry::{Shape, TOUCHING_SLOP, separation, touching_slop},
    index::{OneWayWall, Waypoint, effective_skin},
};

/// A velocity in both units.
#[derive(Clone, Copy)]
pub(crate) struct Velocity {
    /// The displacement of a whole update, in world units. [`Mover::displacement`] adds to it.
    pub per_update: Vec2,
    /// In world units per second.
    pub per_second: Vec2,
}

impl Velocity {
    pub const ZERO: Self = Self {
        per_update: Vec2::ZERO,
        per_second: Vec2::ZERO,
    };

    /// Applies a change to both. What overflows becomes zero: no sweep along it would end.
    pub fn map(self, change: impl Fn(Vec2) -> Vec2) -> Self {
        let [per_update, per_second] = [self.per_update, self.per_second].map(|vector| {
            let changed = change(vector);
            if changed.is_finite() {
                changed
            } else {
                Vec2::ZERO
            }
        });
        Self {
            per_update,
            per_second,
        }
    }
}

/// A shape and how it wants to move.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub shape: &'a Shape,
    /// What it moves by where nothing blocks it.
    pub desired: Velocity,
    /// The fraction of the update at which it stops, wherever it is.
    pub max_fraction: f32,
    pub response: MoverResponse,
    pub restitution: f32,
    /// The skin width: the distance to keep, in world units.
    pub skin: f32,
    /// The duration of the update.
    pub seconds: f32,
    /// Whether walls that moved in this update had arrived before the motion begins.
    pub is_after_walls: bool,
    /// By how much its floor carried it in this update, before the motion began.
    pub carry: Vec2,
    /// How it walks, if it does.
    pub walk: Option<WalkRules>,
    /// Where it was crushed in the last update, if it was.
    pub crush_site: Option<CrushSite>,
    /// What crushed it in the last update.
    pub crushers: &'a [Crusher],
}

/// What crushes a mover.
#[derive(Clone, Copy)]
pub(crate) struct Crusher {
    pub entity: Entity,
    /// From its surface to the mover when it began to crush the mover, unit length: the mover leaves
    /// it on no other side.
    pub normal: Vec2,
}

impl Crusher {
    pub fn of(hit: &BlockingHit) -> Self {
        Self {
            entity: hit.blocker,
            normal: hit.normal,
        }
    }

    /// The side on which a mover leaves an entity, if that is one of these.
    pub fn side_of(crushers: &[Self], entity: Entity) -> Option<Vec2> {
        let crusher = crushers.iter().find(|crusher| crusher.entity == entity)?;
        Some(crusher.normal)
    }
}

impl<'a> Motion<'a> {
    /// The motion of a mover in this many seconds in which nothing else moves.
    pub fn of(mover: &Mover, shape: &'a Shape, seconds: f32) -> Self {
        Self {
            shape,
            desired: Velocity {
                per_update: mover.velocity * seconds + mover.displacement,
                per_second: mover.velocity,
            },
            max_fraction: 1.0,
            response: mover.response,
            restitution: mover.valid_restitution(),
            skin: effective_skin(mover.valid_skin(), shape),
            seconds,
            is_after_walls: true,
            carry: Vec2::ZERO,
            walk: None,
            crush_site: None,
            crushers: &[],
        }
    }

    /// The box around everywhere that the mover may get, given the box around its straight path;
    /// far aside of that path only some of it.
    pub(super) fn area(&self, straight: &Aabb2d) -> Aabb2d {
        let displacement = self.desired.per_update;
        let length = displacement.length();
        let aside = match self.response {
            // The projection of a vector onto a surface ends on the circle that has the vector as
            // a diameter (Thales).
            MoverResponse::Slide => (length - displacement.abs()) / 2.0,
            MoverResponse::Bounce => Vec2::splat(length),
            MoverResponse::Stop | MoverResponse::Pass => Vec2::ZERO,
        };
        let size = half_size(&self.shape.aabb()).min_element();
        // Where several planes block a slide, seams are probed. Tiny numbers have squares of zero.
        let least = Vec2::splat(SEAM_PROBE_SKINS * self.skin);
        let aside = aside.min(Vec2::splat(size)).max(least);
        Aabb2d {
            min: straight.min - aside,
            max: straight.max + aside,
        }
    }

    /// The number of iterations that may stall before the mover waits for the next update.
    pub(super) fn max_stalled_iterations(&self) -> usize {
        match self.response {
            MoverResponse::Bounce => MAX_BOUNCES,
            _ => MAX_STALLED_SLIDES,
        }
    }

    /// Whether an iteration over this distance resets the count of stalled ones.
    pub(super) fn gets_on(&self, distance: f32) -> bool {
        self.response == MoverResponse::Slide && distance > self.skin
    }

    /// The mover where the motion began.
    pub(super) fn start(&self) -> MoverStart<'a> {
        MoverStart {
            shape: self.shape,
            skin: self.skin,
            drops_through: self.walk.is_some_and(|walk| walk.drops_through),
        }
    }

    /// The displacement of a one-way wall during the motion, in world units: relative to the floor
    /// that carried the mover, if one did.
    pub(super) fn delta_of(&self, wall: &OneWayWall) -> Vec2 {
        let delta = wall.delta - self.carry;
        // What rises no further than the floor, such as the floor itself, came into nothing that
        // the floor carried.
        let is_behind = self.carry != Vec2::ZERO && delta.dot(wall.direction) <= 0.0;
        if self.is_after_walls || is_behind {
            Vec2::ZERO
        } else {
            delta
        }
    }

    /// The motion of the same mover after walls pushed it, relative to its floor if it has one: the
    /// part of its desired displacement in that direction is done.
    pub(super) fn after_push(&self, pushed: Vec2) -> Self {
        let desired = self.desired.per_update;
        Self {
            desired: Velocity {
                per_update: desired - done_by(pushed, desired),
                ..self.desired
            },
            ..*self
        }
    }
}

/// A mover where it was when its motion began.
#[derive(Clone, Copy)]
pub(super) struct MoverStart<'a> {
    pub shape: &'a Shape,
    /// The skin width, in world units.
    pub skin: f32,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
}

impl MoverStart<'_> {
    /// The distance from a one-way wall below which the mover counts as in it.
    pub fn least_distance(&self, wall: &Shape) -> f32 {
        if self.drops_through {
            2.0 * self.skin
        } else {
            -touching_slop(self.shape, wall)
        }
    }

    /// Whether the mover was outside of all of a wall.
    pub fn is_outside(&self, wall: &Shape) -> bool {
        separation(self.shape, wall).distance >= self.least_distance(wall)
    }
}

/// The part of a displacement that a push has done.
pub(super) fn done_by(pushed: Vec2, displacement: Vec2) -> Vec2 {
    if pushed == displacement {
        // Without rounding.
        return displacement;
    }
    let length = pushed.length();
    let forward = pushed / length.max(f32::MIN_POSITIVE);
    // Not `clamp`, which panics where a number is NaN.
    forward * displacement.dot(forward).max(0.0).min(length)
}

/// A mover at one position of its path.
pub(super) struct MoverPose {
    /// The shape there.
    pub shape: Shape,
    /// Relative to its start, in world units.
    pub position: Vec2,
    /// Motion into a surface by less is rounding, in world units.
    pub slop: f32,
    /// A slide stays in contact with surfaces that are nearer, in world units. It leaves a surface
    /// that curves away or ends.
    pub contact_distance: f32,
}

impl MoverPose {
    pub fn new(motion: &Motion, position: Vec2) -> Self {
        let shape = motion.shape.translated(position);
        let slop = SLOP_SKINS * motion.skin + TOUCHING_SLOP * shape.largest_coordinate();
        let [least, most] = SURFACE_RECESSION_SKINS.map(|skins| skins * motion.skin);
        let recession = SURFACE_RECESSION * half_size(&shape.aabb()).max_element();
        Self {
            shape,
            position,
            slop,
            contact_distance: motion.skin + recession.max(least).min(most) + slop,
        }
    }
}

/// How far a move has come.
pub(super) struct SlideState {
    /// Relative to the start, in world units.
    pub position: Vec2,
    /// The fraction of the update that is over.
    fraction: f64,
    pub velocity: Velocity,
    /// How far ahead obstacles are searched.
    pub lookahead: Lookahead,
}

impl SlideState {
    pub fn at_start(motion: &Motion) -> Self {
        Self {
            position: Vec2::ZERO,
            fraction: 0.0,
            velocity: motion.desired,
            lookahead: Lookahead::of(motion.shape, motion.skin),
        }
    }

    /// The fraction of the update that is over.
    pub fn fraction(&self) -> f32 {
        self.fraction as f32
    }

    /// The displacement that is left if nothing is in the path.
    pub fn remaining_displacement(&self, motion: &Motion) -> Vec2 {
        let fraction = f64::from(motion.max_fraction) - self.fraction;
        (self.velocity.per_update.as_dvec2() * fraction).as_vec2()
    }

    /// Moves to a position in the time that `distance` takes at the current speed.
    pub fn step_to(&mut self, position: Vec2, distance: f32, motion: &Motion) {
        let speed = self.velocity.per_update.length().max(f32::MIN_POSITIVE);
        let fraction = self.fraction + f64::from(distance / speed);
        self.position = position;
        self.fraction = fraction.min(motion.max_fraction.into());
    }

    /// Advances by a fraction of the remaining displacement.
    pub fn advance(&mut self, fraction: f64, motion: &Motion) {
        let remaining = self.remaining_displacement(motion).as_dvec2();
        self.position += (remaining * fraction).as_vec2();
        self.lookahead.advance(remaining.length() * fraction);
        self.fraction += (f64::from(motion.max_fraction) - self.fraction) * fraction;
    }
}

/// Where a mover went and what blocked it.
#[derive(Default)]
pub(crate) struct Trajectory {
    /// Relative to the start. It begins where depenetration put the mover.
    pub path: Vec<Waypoint>,
    /// In order.
    pub hits: Vec<BlockingHit>,
}

impl Trajectory {
    pub fn clear(&mut self) {
        self.path.clear();
        self.hits.clear();
    }

    /// The path of a mover that stays where it is; keeps the hits.
    pub(super) fn stay(&mut self) {
        self.path.clear();
        self.push(0.0, Vec2::ZERO);
        self.push(1.0, Vec2::ZERO);
    }

    /// Appends a waypoint at this fraction of the update.
    pub(super) fn push(&mut self, fraction: f32, offset: Vec2) {
        self.path.push(Waypoint { fraction, offset });
    }
}

/// Where a mover was crushed: the mover and all walls within some distance, as a hash.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct CrushSite {
    /// In world units.
    pub(super) distance: f32,
    pub(super) skin: f32,
    pub(super) hash: u64,
}

/// How a move ended.
#[derive(Clone, Copy)]
pub(crate) struct MoveEnd {
    /// From the start to the end, in world units.
    pub displacement: Vec2,
    /// What is left of the velocity, in world units per second.
    pub velocity: Vec2,
    /// Whether the mover is in walls that it cannot leave.
    pub is_crushed: bool,
    /// Where, if that is known.
    pub crush_site: Option<CrushSite>,
    /// Of a walker, what it touches.
    pub footing: Footing,
}

impl MoveEnd {
    /// That of a mover in walls that it cannot leave.
    pub(super) fn crushed(crush_site: Option<CrushSite>) -> Self {
        Self {
            displacement: Vec2::ZERO,
            velocity: Vec2::ZERO,
            is_crushed: true,
            crush_site,
            footing: Footing::NONE,
        }
    }
}
