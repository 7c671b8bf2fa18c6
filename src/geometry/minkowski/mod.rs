//! The Minkowski difference of two shapes: all displacements that bring the first one to touch the second.
//!
//! The first shape becomes a point at the origin, the second one grows by it, and both are expressed relative to the first
//! one's center, which keeps precision far from the world's origin.
//! See Lozano-Pérez, "Spatial Planning: A Configuration Space Approach" (1983), and Ericson, "Real-Time Collision Detection"
//! (2005), 5.3 and 5.5.

mod clip;
mod convex;
mod rounded_box;
mod rounded_polygon;

pub(super) use convex::{ConvexCore, MAX_CORNERS};
pub(super) use rounded_box::RoundedBox;

use bevy::math::{DVec2, Rot2, Vec2};

use super::Shape;
use convex::MAX_SIDES;
use rounded_polygon::RoundedPolygon;

/// The Minkowski difference of two shapes, as a convex core with rounded corners.
pub(super) enum Obstacle {
    /// A circle against anything: a box grown by a radius.
    Box(RoundedBox),
    /// Two rectangles or capsules: an octagon, with rounded corners where a capsule is one of them.
    Octagon(RoundedPolygon<8>),
    /// A polygon against a circle.
    Core(RoundedPolygon<MAX_SIDES>),
    /// A polygon against anything else.
    Polygon(RoundedPolygon<{ 2 * MAX_SIDES }>),
}

/// The point of a surface that is nearest to another point, as seen from that.
#[derive(Clone, Copy)]
pub(crate) struct SurfacePoint {
    /// Signed: negative inside.
    pub distance: f32,
    /// The outward normal of the surface, unit length: the direction in which the distance grows
    /// fastest.
    pub normal: Vec2,
    /// Whether it lies on an edge, not at a vertex or on something round.
    pub is_edge: bool,
}

/// Where a ray or a moving shape meets a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastOutput {
    /// The fraction of the displacement, in 0..=1. In double precision, so that a long one still
    /// ends at the right position.
    pub fraction: f64,
    /// The surface's outward normal, unit length.
    pub normal: Vec2,
    /// Whether an edge is met, not a vertex or something round.
    pub is_edge: bool,
}

impl Obstacle {
    /// All displacements of `a` that make it overlap `b` or come nearer to it than `inflation`. Both have to be convex.
    pub fn between(a: &Shape, b: &Shape, inflation: f32) -> Self {
        let center = b.center() - a.center();
        let (Some(a_core), Some(b_core)) = (a.core(), b.core()) else {
            return Self::around_polygon(center, a, b, inflation);
        };
        match (a, b) {
            (Shape::Circle { radius, .. }, _) => {
                Self::Box(RoundedBox::around(&b_core, center, radius + inflation))
            }
            (_, Shape::Circle { radius, .. }) => {
                Self::Box(RoundedBox::around(&a_core, center, radius + inflation))
            }
            _ => Self::Octagon(RoundedPolygon::of_boxes(
                center, &a_core, &b_core, inflation,
            )),
        }
    }

    /// The same, if one of the shapes is a polygon.
    fn around_polygon(center: Vec2, a: &Shape, b: &Shape, inflation: f32) -> Self {
        if let Shape::Circle { radius, .. } = a {
            let b = ConvexCore::of(b);
            return Self::Core(RoundedPolygon::of_core(center, &b, radius + inflation));
        }
        let a = ConvexCore::mirrored(a);
        if let Shape::Circle { radius, .. } = b {
            return Self::Core(RoundedPolygon::of_core(center, &a, radius + inflation));
        }
        let (a, b) = (a.in_order(), ConvexCore::of(b).in_order());
        Self::Polygon(RoundedPolygon::sum(center, &a, &b, inflation))
    }

    /// The signed distance from the origin to the surface; none, if a cheap lower bound shows that it is not below `limit`.
    pub fn gap_below(&self, limit: f32) -> Option<SurfacePoint> {
        self.gap_at(Vec2::ZERO, limit)
    }

    /// The same from another point.
    pub fn gap_at(&self, point: Vec2, limit: f32) -> Option<SurfacePoint> {
        match self {
            Self::Box(rounded) => rounded.gap_at(point, limit),
            Self::Octagon(rounded) => rounded.gap_at(point, limit),
            Self::Core(rounded) => rounded.gap_at(point, limit),
            Self::Polygon(rounded) => rounded.gap_at(point, limit),
        }
    }

    /// All sides: the outward normal of each, with the signed distance of the origin from its line.
    pub fn sides(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let (of_box, of_octagon, of_core, of_polygon) = match self {
            Self::Box(rounded) => (Some(rounded.sides()), None, None, None),
            Self::Octagon(rounded) => (None, Some(rounded.sides()), None, None),
            Self::Core(rounded) => (None, None, Some(rounded.sides()), None),
            Self::Polygon(rounded) => (None, None, None, Some(rounded.sides())),
        };
        (of_box.into_iter().flatten())
            .chain(of_octagon.into_iter().flatten())
            .chain(of_core.into_iter().flatten())
            .chain(of_polygon.into_iter().flatten())
    }

    /// Where a ray from the origin, which is outside, enters.
    pub fn ray_entry(&self, displacement: DVec2) -> Option<CastOutput> {
        match self {
            Self::Box(rounded) => rounded.ray_entry(displacement),
            Self::Octagon(rounded) => rounded.ray_entry(displacement),
            Self::Core(rounded) => rounded.ray_entry(displacement),
            Self::Polygon(rounded) => rounded.ray_entry(displacement),
        }
    }
}

pub(in crate::geometry) fn rotate(rotation: Rot2, vector: DVec2) -> DVec2 {
    let (sin, cos) = (f64::from(rotation.sin), f64::from(rotation.cos));
    DVec2::new(
        vector.x * cos - vector.y * sin,
        vector.x * sin + vector.y * cos,
    )
}
