//! The plan of one mover for one update: what it wants, what walls make of it, and what other
//! bodies make of that.

use std::ops::Range;

use bevy::prelude::*;

use super::motion::Velocity;
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
    /// How fast time passes for it.
    pub time_scale: f32,
    /// By how much it turns if nothing blocks it, in radians, counter-clockwise in the world.
    pub turn: f32,
    pub response: MoverResponse,
    pub restitution: f32,
    pub weight: f32,
    /// Whether others push it.
    pub is_pushable: bool,
    /// The number of its `WalkPlan`, if it is a walker.
    pub walk_number: Option<u32>,
    /// What it stands on when the update begins, if it is a walker.
    pub floor: Option<Entity>,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
    /// The range of its crushers of the last update, in the list of all crushers.
    pub crusher_range: Range<u32>,
}

/// What walls make of it, while all other movers stay where they are.
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
pub(crate) struct Course {
    /// From its start to its end, in world units.
    pub displacement: Vec2,
    /// Its displacement if nothing blocked it, in world units, including that by its floor.
    pub wanted: Vec2,
    /// Its velocity at the end, in world units per second.
    pub velocity: Vec2,
    /// The range of its waypoints in the paths of all movers.
    pub path_range: Range<u32>,
    /// What crushes it where it ends, if anything does.
    pub crushed_by: Option<Entity>,
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
    /// The plan of a mover that nothing blocks.
    pub fn unblocked(input: MoveInput) -> Self {
        let Velocity {
            per_update,
            per_second,
        } = input.desired;
        let walls = AmongWalls {
            turn: input.turn,
            turned: None,
            push_fraction: 0.0,
            pushed: Vec2::ZERO,
            wants_to_stay: per_update == Vec2::ZERO,
        };
        let course = Course {
            displacement: per_update,
            wanted: per_update,
            velocity: per_second,
            path_range: 0..0,
            crushed_by: None,
        };
        Self {
            input,
            walls,
            bodies: AmongBodies {
                max_fraction: 1.0,
                pushed: Vec2::ZERO,
                course,
            },
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

    /// Whether a position (in the frame of its parent) is on the straight line from its start to
    /// its end, and at neither of them.
    pub fn passed(&self, position: Vec2) -> bool {
        const TOLERANCE: f32 = 1e-3;
        let [path, offset] = [self.end(), position].map(|point| point - self.input.start);
        let length_squared = path.length_squared();
        // NaN for a mover that did not move.
        let fraction = offset.dot(path) / length_squared;
        (TOLERANCE..1.0 - TOLERANCE).contains(&fraction)
            && offset.perp_dot(path).abs() <= TOLERANCE * length_squared
    }

    /// The part of the desired displacement that is left at its end, in world units.
    pub fn remaining_displacement(&self) -> Vec2 {
        match self.input.response {
            MoverResponse::Slide => self.course().wanted - self.course().displacement,
            _ => Vec2::ZERO,
        }
    }

    /// By how much it turns, in radians, counter-clockwise in the frame of its parent.
    pub fn turn(&self) -> f32 {
        let is_mirrored = self.input.to_parent.determinant() < 0.0;
        if is_mirrored {
            -self.walls.turn
        } else {
            self.walls.turn
        }
    }
}

impl Course {
    /// The path, relative to its start, among the paths of all movers.
    pub fn path<'a>(&self, paths: &'a [Waypoint]) -> &'a [Waypoint] {
        let Range { start, end } = self.path_range;
        &paths[start as usize..end as usize]
    }

    /// Shifts the numbers of its waypoints.
    pub fn shift_path(&mut self, by: u32) {
        let Range { start, end } = self.path_range;
        self.path_range = by + start..by + end;
    }
}
