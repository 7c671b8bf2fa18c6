//! What is a floor for a walker, and how it walks on one.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::footing::Footing;
use crate::{components::Walker, events::Ground};

/// The settings of a walker, validated.
#[derive(Clone, Copy)]
pub(crate) struct WalkRules {
    /// Away from the ground, unit length.
    pub up: Vec2,
    /// The least cosine of the angle between `up` and the normal of a floor.
    pub min_floor_cosine: f32,
    /// In world units, as the next three.
    pub snap_distance: f32,
    pub step_height: f32,
    pub step_width: f32,
    pub corner_correction: f32,
    pub constant_speed: bool,
}

/// How a walker walks in an update.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    pub rules: WalkRules,
    /// What it stood on after the last update.
    pub floor: Option<Entity>,
    /// Whether it stands on a floor when the update begins.
    pub stood: bool,
    /// Whether it falls through the one-way floors that it touches.
    pub drops_through: bool,
    /// The displacement of the floor's surface in the update, relative to the floor.
    pub conveyor: Vec2,
}

impl Walk {
    pub fn new(walker: &Walker, ground: &Ground) -> Self {
        Self {
            rules: WalkRules::new(walker),
            floor: ground.floor().map(|contact| contact.entity),
            stood: ground.is_on_floor(),
            drops_through: ground.drops_through(),
            conveyor: Vec2::ZERO,
        }
    }

    /// The displacement by the conveyor along a floor with this normal, in world units.
    pub fn conveyor_along(&self, normal: Vec2) -> Vec2 {
        self.conveyor - normal * self.conveyor.dot(normal)
    }
}

impl WalkRules {
    pub fn new(walker: &Walker) -> Self {
        Self {
            up: *walker.up,
            min_floor_cosine: libm::cosf(walker.valid_max_slope()),
            snap_distance: walker.valid_snap_distance(),
            step_height: walker.valid_step_height(),
            step_width: walker.valid_step_width(),
            corner_correction: walker.valid_corner_correction(),
            constant_speed: walker.constant_speed,
        }
    }

    /// The direction along the horizon, to the right as seen with `up` upward.
    pub fn right(&self) -> Vec2 {
        -self.up.perp()
    }

    /// Whether a walker stands on a surface with this normal.
    pub fn is_floor(&self, normal: Vec2) -> bool {
        normal.dot(self.up) >= self.min_floor_cosine
    }

    pub fn is_ceiling(&self, normal: Vec2) -> bool {
        normal.dot(self.up) <= -self.min_floor_cosine
    }

    /// Whether a surface faces upward but is too steep for a floor.
    pub fn is_steep_slope(&self, normal: Vec2) -> bool {
        !self.is_floor(normal) && normal.dot(self.up) > 0.0
    }

    /// Converts a walker's desired velocity in the air to one along a floor with this normal.
    pub fn along_floor(&self, desired: Vec2, normal: Vec2) -> Vec2 {
        let tangent = -normal.perp();
        let speed = desired.dot(self.right());
        if self.constant_speed {
            tangent * speed
        } else {
            tangent * (speed * tangent.dot(self.right()))
        }
    }

    /// The displacement that a walker desires where it ended: `desired` in the air, along the floor
    /// on one.
    pub fn wanted(&self, desired: Vec2, footing: &Footing) -> Vec2 {
        match footing.surfaces.floor {
            Some(floor) => self.along_floor(desired, floor.normal),
            None => desired,
        }
    }

    /// The sine of the angle of the steepest floor.
    pub fn max_slope_sine(&self) -> f32 {
        (1.0 - self.min_floor_cosine * self.min_floor_cosine).sqrt()
    }

    /// The angle between the horizon and a surface with this normal, in radians.
    pub fn slope(&self, normal: Vec2) -> f32 {
        libm::acosf(normal.dot(self.up).clamp(-1.0, 1.0))
    }

    /// The angle of the steepest floor, in radians.
    pub fn max_slope(&self) -> f32 {
        libm::acosf(self.min_floor_cosine)
    }

    /// How far below a walker that loses its floor another one is searched, in world units.
    pub fn max_descent(&self) -> f32 {
        self.snap_distance.max(self.step_height)
    }
}
