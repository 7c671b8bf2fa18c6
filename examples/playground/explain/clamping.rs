//! The nearest point of a rectangle, by clamping.

use bevy::prelude::*;

/// The result of clamping a point to a rectangle around the origin.
#[derive(Debug, PartialEq)]
pub enum Clamping {
    /// The point is outside: this is the nearest point of the rectangle.
    Clamped(Vec2),
    /// The point is inside, and clamping does not move it: this is the nearest point of the nearest
    /// edge.
    OnSide(Vec2),
}

impl Clamping {
    pub fn of(point: Vec2, half_size: Vec2) -> Self {
        let clamped = point.clamp(-half_size, half_size);
        if clamped != point {
            return Self::Clamped(clamped);
        }
        let corner = half_size.copysign(point);
        let depth = half_size - point.abs();
        Self::OnSide(if depth.x < depth.y {
            Vec2::new(corner.x, point.y)
        } else {
            Vec2::new(point.x, corner.y)
        })
    }

    pub fn point(&self) -> Vec2 {
        match *self {
            Self::Clamped(point) | Self::OnSide(point) => point,
        }
    }

    pub fn is_outside(&self) -> bool {
        matches!(self, Self::Clamped(_))
    }

    pub fn title(&self) -> &'static str {
        if self.is_outside() { "clamped" } else { "side" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_outside_is_clamped() {
        let half_size = Vec2::new(10.0, 5.0);
        // Beside an edge, and at a corner.
        for (point, expected) in [((30.0, 2.0), (10.0, 2.0)), ((-30.0, 8.0), (-10.0, 5.0))] {
            let expected = Clamping::Clamped(expected.into());
            assert_eq!(Clamping::of(point.into(), half_size), expected, "{point:?}");
        }
    }

    #[test]
    fn inside_the_nearest_side_counts() {
        let half_size = Vec2::new(10.0, 5.0);
        let cases = [
            ((9.0, 1.0), (10.0, 1.0)),
            ((2.0, -3.0), (2.0, -5.0)),
            ((0.0, 0.0), (0.0, 5.0)),
        ];
        for (point, expected) in cases {
            let expected = Clamping::OnSide(expected.into());
            assert_eq!(Clamping::of(point.into(), half_size), expected, "{point:?}");
        }
    }
}
