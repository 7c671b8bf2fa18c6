use bevy::math::{Vec2, Vec4, bounding::Aabb2d};

/// A box that goes straight on; a ray, if it has no size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub start: Aabb2d,
    /// Of any length. What is asked about the sweep is told in multiples of it.
    pub direction: Vec2,
    /// How far it goes.
    pub length: f32,
}

impl Sweep {
    /// That of a point.
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

    /// Whether it is somewhere and goes somewhere, if not far.
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
