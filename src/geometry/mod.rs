//! Pure geometry: world shapes, and the questions that collision detection asks of a pair of them.
//!
//! Nothing in here knows about entities. Every question about two shapes is turned into one about a single point:
//! shrink the first shape to a point and grow the second one by it (the Minkowski difference, also known as the
//! configuration-space obstacle). Overlap is then "is the point inside", distance is "how far is the point from the
//! surface", and a cast is "where does a ray from the point meet the surface".
//!
//! All lengths are in world units, all angles in radians. No function panics, whatever the numbers.
//! Where a number is not finite, or one of the answer is too large for an `f32`, the answer is
//! "no contact" or "no hit", and the distance is infinite.

mod cast;
mod cell;
mod compound;
mod contact;
mod distance;
mod minkowski;
mod part_tree;
mod parts;
mod placement;
mod polygon;
mod ray;
mod shape;
mod slide;
mod surface;
mod tiles;
mod way_out;

#[cfg(test)]
mod tests;

pub use cast::{CastHit, cast_ray, cast_shape};
pub(crate) use cast::{cast_from, cast_with_margin, surface_point};
pub use contact::{Contact, contact, contact_within, contains_point};
pub use distance::{Separation, separation};
pub(crate) use distance::{closest_points, penetration_within};
pub(crate) use minkowski::{CastOutput, SurfacePoint};
use minkowski::{ConvexCore, MAX_CORNERS};
pub use placement::Placement;
pub use polygon::{Polygon, PolygonError};
pub(crate) use ray::Ray;
pub use shape::Shape;
pub(crate) use shape::{pose_from_scale_rotation_translation, world_pose};
pub(crate) use slide::{bounce_off, slide_along};
pub use tiles::Tiles;

use bevy::math::Vec2;

/// Overlap shallower than this fraction of the largest coordinate involved counts as touching.
///
/// It is four units in the last place of an `f32`: positions are rounded that far by adding a few numbers, so that two
/// tiles placed side by side by different sums do not collide. At 1,000 units from the origin this is 0.0005 units.
pub const TOUCHING_SLOP: f32 = 4.0 * f32::EPSILON;

/// A side of a shape whose direction differs by less than this angle (radians) from the contact's tangent counts as
/// parallel to it, and the contact lies in the middle of the side's overlap instead of at one of its ends.
///
/// It is above the rounding of composed rotations (about 1e-6) and moves the contact point of a side of 100 units by at
/// most 0.001 units off the surface.
const PARALLEL_ANGLE: f32 = 1e-5;

/// How deep two shapes may overlap by rounding alone, in world units. Of a grid only the part near the other shape counts.
#[inline]
pub(crate) fn touching_slop(a: &Shape, b: &Shape) -> f32 {
    let largest = match (a, b) {
        (Shape::Tiles { .. }, Shape::Tiles { .. }) => {
            a.largest_coordinate().max(b.largest_coordinate())
        }
        (Shape::Tiles { .. }, other) | (other, Shape::Tiles { .. }) => other.largest_coordinate(),
        _ => a.largest_coordinate().max(b.largest_coordinate()),
    };
    TOUCHING_SLOP * largest
}

/// The direction and the length of a vector, also where its square under- or overflows. A zero vector has none.
#[inline]
fn direction_and_length(vector: Vec2) -> Option<(Vec2, f32)> {
    let square = vector.length_squared();
    if square > f32::MIN_POSITIVE && square < f32::MAX {
        let length = square.sqrt();
        return Some((vector / length, length));
    }
    let scale = vector.abs().max_element();
    if !(scale > 0.0) {
        return None;
    }
    let scaled = vector / scale;
    let length = scaled.length();
    Some((scaled / length, length * scale))
}
