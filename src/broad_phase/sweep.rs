//! A box in straight motion, or a ray.

use bevy::math::{Vec2, Vec4};

use crate::aabb::Aabb2d;

/// A box in straight motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub start: Aabb2d,
    /// Of any length.
    pub direction: Vec2,
    /// How far it goes, in multiples of `direction`.
    pub length: f32,
}

impl Sweep {
    /// The sweep of a point: a ray.
    pub fn of_point(origin: Vec2, direction: Vec2, length: f32) -> Self {
        Self {
            start: Aabb2d {
                min: origin,
                max: origin,
            },
            direction,
            length,
        }
    }

    /// Whether start and direction are finite, and the length is neither negative nor NaN.
    pub fn is_valid(&self) -> bool {
        let Self {
            start,
            direction,
            length,
        } = self;
        let corners = Vec4::new(start.min.x, start.min.y, start.max.x, start.max.y);
        corners.is_finite() && direction.is_finite() && *length >= 0.0
    }
}
