//! The results of distance queries and casts.

use bevy::math::Vec2;

/// The point of a surface that is nearest to a query point.
#[derive(Clone, Copy)]
pub(crate) struct SurfacePoint {
    /// Signed distance in world units: negative inside.
    pub distance: f32,
    /// The outward normal of the surface, unit length: the direction in which the distance grows
    /// fastest.
    pub normal: Vec2,
    /// Whether it lies on an edge, not at a vertex or on a round surface.
    pub is_edge: bool,
}

/// Where a ray or a moving shape hits a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastOutput {
    /// The fraction of the displacement, in 0..=1. In double precision, so that a long one still
    /// ends at the right position.
    pub fraction: f64,
    /// The surface's outward normal, unit length.
    pub normal: Vec2,
    /// Whether an edge is hit, not a vertex or a round surface.
    pub is_edge: bool,
}
