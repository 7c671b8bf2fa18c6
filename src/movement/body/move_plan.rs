//! The plan of one mover for one update.

use std::ops::Range;

use bevy::prelude::*;

use super::{crusher::CrushSite, motion::Velocity};
use crate::{
    components::{EntityOrder, Mover, MoverResponse},
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, Waypoint},
};

/// What one mover does in this update.
pub(crate) struct MovePlan {
    pub entity: Entity,
    /// What the mover is sorted by.
    pub order: EntityOrder,
    /// The slot of its collider, or `None` if it has none.
    pub slot: Option<u32>,
    /// Its shape at the start, if that is not its collider's: if it has turned or has rigid
    /// children.
    pub own_shape: Option<Shape>,
    pub weight: f32,
    pub response: MoverResponse,
    pub restitution: f32,
    /// By how much it turns, in radians, counter-clockwise in the world.
    pub turn: f32,
    pub has_turned: bool,
    /// Its motion if nothing blocks it.
    pub desired: Velocity,
    /// The number of its `WalkPlan`, if it is a walker.
    pub walk_number: Option<usize>,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
    /// The fraction of the update at which it has to stop.
    pub max_fraction: f32,
    /// The fraction of the update in which walls push it and its floor carries it, before its own
    /// motion.
    pub push_fraction: f32,
    /// Whether others push it.
    pub is_pushable: bool,
    /// By how much others pushed it because it is pushable, in world units.
    pub pushed: Vec2,
    /// Its velocity at the end, in world units per second.
    pub velocity: Vec2,
    /// From its start to its end, in world units.
    pub displacement: Vec2,
    /// Its displacement if nothing blocked it, in world units, including that by its floor.
    pub wanted: Vec2,
    /// Whether it has no desired motion of its own, relative to its floor if it has one.
    pub wants_to_stay: bool,
    /// Where it starts, in the frame of its parent.
    pub start: Vec2,
    /// Transforms vectors from the world to the frame of its parent.
    pub to_parent: Mat2,
    /// Whether all coordinates at its end are finite.
    pub is_finite: bool,
    /// The range of its crushers of the last update, in the list of all crushers.
    pub crusher_range: Range<usize>,
    /// What crushes it where it ends, if anything does.
    pub crushed_by: Option<Entity>,
    /// Where it was crushed: in the last update, and once it is planned, in this one.
    pub crush_site: Option<CrushSite>,
    /// The range of its waypoints in the paths of all movers.
    pub path_range: Range<usize>,
}

impl MovePlan {
    /// The plan of a mover that nothing blocks.
    pub fn new(
        order: EntityOrder,
        mover: &Mover,
        slot: Option<u32>,
        start: Vec2,
        to_parent: Mat2,
        seconds: f32,
    ) -> Self {
        let displacement = mover.velocity * seconds + mover.displacement;
        Self {
            entity: order.entity,
            order,
            slot,
            own_shape: None,
            turn: 0.0,
            has_turned: false,
            weight: mover.valid_weight(),
            response: mover.response,
            restitution: mover.valid_restitution(),
            desired: Velocity {
                per_update: displacement,
                per_second: mover.velocity,
            },
            walk_number: None,
            drops_through: false,
            max_fraction: 1.0,
            push_fraction: 0.0,
            velocity: mover.velocity,
            displacement,
            wanted: displacement,
            wants_to_stay: displacement == Vec2::ZERO,
            start,
            to_parent,
            is_finite: true,
            is_pushable: false,
            pushed: Vec2::ZERO,
            crusher_range: 0..0,
            crushed_by: None,
            crush_site: None,
            path_range: 0..0,
        }
    }

    /// The mover's collider.
    pub fn entry<'a>(&self, index: &'a ColliderIndex) -> Option<ColliderEntry<'a>> {
        index.get(self.slot?, self.entity)
    }

    /// The shape that moves, at its start, given its collider.
    pub fn shape<'a>(&'a self, entry: &ColliderEntry<'a>) -> &'a Shape {
        self.own_shape.as_ref().unwrap_or(entry.shape)
    }

    /// Its path, relative to its start, among the paths of all movers.
    pub fn path<'a>(&self, paths: &'a [Waypoint]) -> &'a [Waypoint] {
        &paths[self.path_range.clone()]
    }

    /// Makes the mover stay where it is, whatever was planned.
    pub fn stay(&mut self) {
        self.displacement = Vec2::ZERO;
        self.path_range = 0..0;
    }

    /// Where it ends, in the frame of its parent.
    pub fn end(&self) -> Vec2 {
        self.start + self.to_parent * self.displacement
    }

    /// Whether all coordinates of the mover and its collider are finite at its end.
    pub fn ends_finite(&self, shape: Option<&Shape>) -> bool {
        self.end().is_finite()
            && shape.is_none_or(|shape| shape.translated(self.displacement).is_finite())
    }

    /// The fraction of its own motion, after the push, at which it has to stop.
    pub fn own_max_fraction(&self) -> f32 {
        let own = 1.0 - self.push_fraction;
        if own > 0.0 {
            ((self.max_fraction - self.push_fraction) / own).max(0.0)
        } else {
            1.0
        }
    }

    /// Converts a fraction of its own motion to a fraction of the update.
    pub fn update_fraction(&self, fraction: f32) -> f32 {
        self.push_fraction + (1.0 - self.push_fraction) * fraction
    }

    /// The part of the desired displacement that is left at its end, in world units.
    pub fn remaining_displacement(&self) -> Vec2 {
        match self.response {
            MoverResponse::Slide => self.wanted - self.displacement,
            _ => Vec2::ZERO,
        }
    }
}
