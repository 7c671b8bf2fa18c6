//! Pairs of convex shapes. Nothing in here knows about shapes that are not convex.

mod cast;
mod clip;
mod core;
mod minkowski;
mod outline;
mod output;
mod rounded_box;
mod rounded_polygon;
mod separation;
mod shape;

pub(super) use cast::ConvexCast;
pub(super) use core::MAX_VERTICES;
pub(super) use minkowski::MinkowskiDifference;
pub(super) use outline::Outline;
pub(crate) use output::{CastOutput, SurfacePoint};
pub(super) use rounded_box::RoundedBox;
pub use separation::Separation;
pub(super) use separation::{closest_points, separation_below, surface_point_within};
pub(super) use shape::ConvexShape;
