//! What a walker touches at the end of its move.

use bevy::{ecs::entity::Entity, math::Vec2};

use crate::events::{Ground, TouchedSurfaces};

/// What a walker touches at the end of its move.
#[derive(Clone, Copy)]
pub(crate) struct Footing {
    pub surfaces: TouchedSurfaces,
    /// Whether the floor is an edge or round, not a vertex.
    pub is_on_edge: bool,
    /// The mover that the floor belongs to.
    pub floor_mover: Option<Entity>,
    /// The speed at which it landed on a floor, in world units per second.
    pub landing_speed: f32,
    /// The point of the walker that the floor carries along, relative to its center.
    pub anchor: Vec2,
    /// Whether it still falls through one-way floors.
    pub drops_through: bool,
    /// Whether something keeps the floor's conveyor from carrying it.
    pub is_conveyor_blocked: bool,
}

impl Footing {
    /// The footing of a walker that touches nothing.
    pub const NONE: Self = Self {
        surfaces: TouchedSurfaces {
            floor: None,
            wall: None,
            ceiling: None,
        },
        is_on_edge: false,
        floor_mover: None,
        landing_speed: 0.0,
        anchor: Vec2::ZERO,
        drops_through: false,
        is_conveyor_blocked: false,
    };

    /// The ground of a walker whose floor does not move, after an update of this many seconds.
    pub fn ground_after(&self, before: &Ground, seconds: f32) -> Ground {
        before.after(self.surfaces, None, Vec2::ZERO, self.drops_through, seconds)
    }
}
