//! The Minkowski difference of two convex shapes: all displacements that bring the first one to
//! touch the second, also known as the configuration-space obstacle.
//!
//! The first shape becomes a point at the origin, the second one grows by it, and both are
//! expressed relative to the first one's center, which keeps precision far from the world's origin.
//! See Lozano-Pérez, "Spatial Planning: A Configuration Space Approach" (1983), and Ericson,
//! "Real-Time Collision Detection" (2005), 5.3 and 5.5.

use bevy::math::{DVec2, Vec2};

use super::{
    core::ConvexCore,
    output::{CastOutput, SurfacePoint},
    rounded_box::RoundedBox,
    rounded_polygon::RoundedPolygon,
    shape::ConvexShape,
};

/// The Minkowski difference of two convex shapes, as a convex core with a radius.
#[expect(
    clippy::large_enum_variant,
    reason = "each is on the stack, for one query"
)]
pub(in crate::geometry) enum MinkowskiDifference {
    /// A circle against anything but a polygon: a box grown by a radius.
    Box(RoundedBox),
    /// Any others: two rectangles make an octagon, for instance, with a radius where one of them is
    /// a capsule.
    Polygon(RoundedPolygon),
}

impl MinkowskiDifference {
    /// All displacements of `a` that bring it nearer to `b` than `inflation` (world units).
    #[inline]
    pub fn between(a: &ConvexShape, b: &ConvexShape, inflation: f32) -> Self {
        let center = b.center() - a.center();
        let (Some(a_box), Some(b_box)) = (a.rounded_box(), b.rounded_box()) else {
            return Self::with_polygon(center, a, b, inflation);
        };
        match (a, b) {
            (ConvexShape::Circle { radius, .. }, _) => {
                Self::Box(b_box.inflated_at(center, radius + inflation))
            }
            (_, ConvexShape::Circle { radius, .. }) => {
                Self::Box(a_box.inflated_at(center, radius + inflation))
            }
            _ => Self::Polygon(RoundedPolygon::sum_of_boxes(
                center, &a_box, &b_box, inflation,
            )),
        }
    }

    /// Like [`between`](Self::between), where one shape is a polygon.
    fn with_polygon(center: Vec2, a: &ConvexShape, b: &ConvexShape, inflation: f32) -> Self {
        if let ConvexShape::Circle { radius, .. } = a {
            let b = ConvexCore::new(b);
            return Self::Polygon(RoundedPolygon::inflated_core(
                center,
                &b,
                radius + inflation,
            ));
        }
        let a = ConvexCore::mirrored(a);
        if let ConvexShape::Circle { radius, .. } = b {
            return Self::Polygon(RoundedPolygon::inflated_core(
                center,
                &a,
                radius + inflation,
            ));
        }
        let (a, b) = (a.in_order(), ConvexCore::new(b).in_order());
        Self::Polygon(RoundedPolygon::sum(center, &a, &b, inflation))
    }

    /// Returns the surface point that is nearest to the origin, or `None` if a cheap lower bound
    /// shows that its distance is not below `limit`.
    #[inline]
    pub fn surface_point(&self, limit: f32) -> Option<SurfacePoint> {
        match self {
            Self::Box(rounded) => rounded.surface_point(limit),
            Self::Polygon(rounded) => rounded.surface_point(limit),
        }
    }

    /// Casts a ray from the origin, which has to be outside.
    pub fn cast_ray(&self, displacement: DVec2) -> Option<CastOutput> {
        match self {
            Self::Box(rounded) => rounded.cast_ray(displacement),
            Self::Polygon(rounded) => rounded.cast_ray(displacement),
        }
    }
}
