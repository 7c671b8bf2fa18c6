//! Pure geometry: shapes in world space, and queries of one or two of them.
//!
//! Nothing in here knows about entities. Every query of two convex shapes is turned into one of a
//! single point: shrink the first shape to a point and grow the second one by it (the Minkowski
//! difference, also known as the configuration-space obstacle). Overlap is then "is the point
//! inside", distance is "how far is the point from the surface", and a cast is "where does a ray
//! from the point hit the surface". Polygons and grids are queried piece by piece.
//!
//! All lengths are in world units, all angles in radians. No function panics, whatever the numbers.
//! Where a number is not finite, or one of the output is too large for an `f32`, there is no
//! contact and no hit, and the distance is infinite.
//!
//! ```
//! use bevy::math::{Rot2, Vec2};
//! use bevy_thud::geometry::{Shape, cast_shape, contact, separation};
//!
//! let ball = Shape::circle(Vec2::new(0.0, 5.0), 1.0);
//! let floor = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 2.0), Rot2::IDENTITY);
//! assert!(contact(&ball, &floor).is_none());
//! assert_eq!(separation(&ball, &floor).distance, 3.0);
//!
//! // The ball falls by 6 units, and touches the floor halfway.
//! let hit = cast_shape(&ball, Vec2::new(0.0, -6.0), &floor).unwrap();
//! assert!((hit.fraction - 0.5).abs() < 1e-6);
//! assert_eq!(hit.normal, Vec2::Y);
//! ```

// In the order of their imports: each file imports from those above it.
mod placement;
mod slide;
mod tolerances;
mod vectors;

mod convex;

mod compound;

mod pose;
mod shape;

mod rigid_motion;

mod pieces;

mod exposed;

mod contains;

mod nearest;

mod separation;
mod several;

mod contact;
mod ray;

mod cast_pieces;
mod cells_in;

mod cast;

#[cfg(test)]
mod tests;

pub use cast::{CastHit, cast_ray, cast_shape};
pub(crate) use cast::{cast_from, cast_with_margin, surface_point};
pub use compound::{
    polygon::{Polygon, PolygonError},
    tiles::{CellShape, CellShapeError, CellShapes, Tiles},
};
pub use contact::{Contact, contact, contact_within};
pub use contains::contains_point;
pub use convex::Separation;
pub(crate) use convex::{CastOutput, SurfacePoint};
pub use placement::Placement;
pub(crate) use pose::{pose_from_scale_rotation_translation, world_pose};
pub(crate) use ray::Ray;
pub(crate) use rigid_motion::RigidMotion;
pub use separation::separation;
pub(crate) use separation::{closest_points, farthest_points, has_edge, penetration_within};
pub use shape::Shape;
pub(crate) use shape::touching_slop;
pub(crate) use slide::{bounce_off, slide_along};
pub use tolerances::TOUCHING_SLOP;
pub(crate) use vectors::{rotation_about, unit_vector};
