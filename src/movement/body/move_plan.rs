//! The plan of one mover for one update: what it wants, what walls make of it, what other bodies
//! make of that, and what is committed.

use std::ops::Range;

use bevy::prelude::*;

use super::{crusher::CrushSite, motion::Velocity};
use crate::{
    components::{EntityOrder, MoverResponse},
    geometry::Shape,
    index::{ColliderEntry, ColliderIndex, Waypoint},
};

/// What a mover wants in this update, and what it is. From its components.
pub(crate) struct MoveInput {
    /// The entity, and what it is sorted by.
    pub order: EntityOrder,
    /// The slot of its collider, or `None` if it has none.
    pub slot: Option<u32>,
    /// Its shape together with those of its parts, if it has any.
    pub compound: Option<Shape>,
    /// Where it starts, in the frame of its parent.
    pub start: Vec2,
    /// Transforms vectors from the world to the frame of its parent.
    pub to_parent: Mat2,
    /// Its motion if nothing blocks it.
    pub desired: Velocity,
    /// By how much it turns if nothing blocks it, in radians, counter-clockwise in the world.
    pub turn: f32,
    pub response: MoverResponse,
    pub restitution: f32,
    pub weight: f32,
    /// Whether others push it.
    pub is_pushable: bool,
    /// The number of its `WalkPlan`, if it is a walker.
    pub walk_number: Option<usize>,
    /// What it stands on when the update begins, if it is a walker.
    pub floor: Option<Entity>,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
    /// The range of its crushers of the last update, in the list of all crushers.
    pub crusher_range: Range<usize>,
    /// Where it was crushed in the last update, if it was.
    pub crush_site: Option<CrushSite>,
}

/// What walls make of it, while all other movers stay where they are.
#[derive(Clone)]
pub(crate) struct AmongWalls {
    /// By how much it turns, in radians, counter-clockwise in the world.
    pub turn: f32,
    /// Its shape at the start, turned, if it wants to turn.
    pub turned: Option<Shape>,
    /// The fraction of the update in which walls push it and its floor carries it, before its own
    /// motion.
    pub push_fraction: f32,
    /// By how much walls push it, in world units.
    pub pushed: Vec2,
    /// Whether it has no desired motion of its own, relative to its floor if it has one.
    pub wants_to_stay: bool,
    /// Where it is crushed, if that is known.
    pub crush_site: Option<CrushSite>,
    pub course: Course,
}

/// What other bodies make of that.
pub(crate) struct AmongBodies {
    /// The fraction of the update at which it has to stop, because it collides with another mover.
    pub max_fraction: f32,
    /// By how much others pushed it because it is pushable, in world units.
    pub pushed: Vec2,
    pub course: Course,
}

/// Where a mover goes, as far as it is planned.
#[derive(Clone)]
pub(crate) struct Course {
    /// From its start to its end, in world units.
    pub displacement: Vec2,
    /// Its displacement if nothing blocked it, in world units, including that by its floor.
    pub wanted: Vec2,
    /// Its velocity at the end, in world units per second.
    pub velocity: Vec2,
    /// The range of its waypoints in the paths of all movers.
    pub path_range: Range<usize>,
    /// What crushes it where it ends, if anything does.
    pub crushed_by: Option<Entity>,
}

/// What is committed.
pub(crate) struct MoveResult {
    pub entity: Entity,
    /// The slot of its collider, or `None` if it has none.
    pub slot: Option<u32>,
    /// The number of its `WalkPlan`, if it is a walker.
    pub walk_number: Option<usize>,
    /// Its start and its end, in the frame of its parent.
    pub ends: [Vec2; 2],
    /// By how much it turns, in radians, counter-clockwise in the frame of its parent.
    pub turn: f32,
    pub course: Course,
}

/// The plan of a mover, as far as it is made.
pub(crate) struct MovePlan {
    pub input: MoveInput,
    pub walls: AmongWalls,
    pub bodies: AmongBodies,
}

impl MoveInput {
    pub fn entity(&self) -> Entity {
        self.order.entity
    }

    /// The mover's collider.
    pub fn entry<'a>(&self, index: &'a ColliderIndex) -> Option<ColliderEntry<'a>> {
        index.get(self.slot?, self.entity())
    }

    /// The shape that moves, given the mover's collider.
    pub fn shape<'a>(&'a self, entry: &ColliderEntry<'a>) -> &'a Shape {
        self.compound.as_ref().unwrap_or(entry.shape)
    }

    /// Whether all coordinates of the mover and its shape are finite after a displacement.
    pub fn ends_finite(&self, displacement: Vec2, shape: Option<&Shape>) -> bool {
        self.end_of(displacement).is_finite()
            && shape.is_none_or(|shape| shape.translated(displacement).is_finite())
    }

    /// Where a displacement leads, in the frame of the mover's parent.
    fn end_of(&self, displacement: Vec2) -> Vec2 {
        self.start + self.to_parent * displacement
    }
}

impl AmongWalls {
    /// What becomes of a mover that nothing blocks.
    pub fn unblocked(input: &MoveInput) -> Self {
        let Velocity {
            per_update,
            per_second,
        } = input.desired;
        Self {
            turn: input.turn,
            turned: None,
            push_fraction: 0.0,
            pushed: Vec2::ZERO,
            wants_to_stay: per_update == Vec2::ZERO,
            crush_site: None,
            course: Course {
                displacement: per_update,
                wanted: per_update,
                velocity: per_second,
                path_range: 0..0,
                crushed_by: None,
            },
        }
    }

    /// The shape that moves, at its start, given the mover's collider.
    pub fn shape<'a>(&'a self, input: &'a MoveInput, entry: &ColliderEntry<'a>) -> &'a Shape {
        self.turned.as_ref().unwrap_or_else(|| input.shape(entry))
    }

    /// Converts a fraction of the update to one of the mover's own motion, after the push.
    pub fn own_fraction(&self, fraction: f32) -> f32 {
        let own = 1.0 - self.push_fraction;
        if own > 0.0 {
            ((fraction - self.push_fraction) / own).max(0.0)
        } else {
            1.0
        }
    }
}

impl MovePlan {
    pub fn new(input: MoveInput, walls: AmongWalls) -> Self {
        let bodies = AmongBodies {
            max_fraction: 1.0,
            pushed: Vec2::ZERO,
            course: walls.course.clone(),
        };
        Self {
            input,
            walls,
            bodies,
        }
    }

    pub fn entity(&self) -> Entity {
        self.input.entity()
    }

    /// The mover's collider.
    pub fn entry<'a>(&self, index: &'a ColliderIndex) -> Option<ColliderEntry<'a>> {
        self.input.entry(index)
    }

    /// The shape that moves, at its start, given its collider.
    pub fn shape<'a>(&'a self, entry: &ColliderEntry<'a>) -> &'a Shape {
        self.walls.shape(&self.input, entry)
    }

    /// Where it goes, as far as it is planned.
    pub fn course(&self) -> &Course {
        &self.bodies.course
    }

    /// Where it ends, in the frame of its parent.
    pub fn end(&self) -> Vec2 {
        self.input.end_of(self.course().displacement)
    }

    /// The part of the desired displacement that is left at its end, in world units.
    pub fn remaining_displacement(&self) -> Vec2 {
        match self.input.response {
            MoverResponse::Slide => self.course().wanted - self.course().displacement,
            _ => Vec2::ZERO,
        }
    }

    /// What is committed of it, with a velocity in addition to that of its course.
    pub fn result(&self, kept: Vec2) -> MoveResult {
        let is_mirrored = self.input.to_parent.determinant() < 0.0;
        let turn = self.walls.turn;
        MoveResult {
            entity: self.entity(),
            slot: self.input.slot,
            walk_number: self.input.walk_number,
            ends: [self.input.start, self.end()],
            turn: if is_mirrored { -turn } else { turn },
            course: Course {
                velocity: self.course().velocity + kept,
                ..self.course().clone()
            },
        }
    }
}

impl Course {
    /// The path, relative to its start, among the paths of all movers.
    pub fn path<'a>(&self, paths: &'a [Waypoint]) -> &'a [Waypoint] {
        &paths[self.path_range.clone()]
    }
}
