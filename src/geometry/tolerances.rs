//! Tolerances that several files of the geometry share, each with its unit and its reason.

/// Overlap shallower than this fraction of the largest coordinate involved counts as touching.
///
/// It is four units in the last place of an `f32`: positions are rounded that far by adding a few
/// numbers, so that two tiles placed side by side by different sums do not collide. At 1,000 units
/// from the origin this is 0.0005 units.
pub const TOUCHING_SLOP: f32 = 4.0 * f32::EPSILON;

/// An edge whose direction differs by less than this angle (radians) from the contact's tangent
/// counts as parallel to it, and the contact lies at the center of the edge's overlap instead of at
/// one of its ends.
///
/// It is above the rounding of composed rotations (about 1e-6). The contact point of an edge of 100
/// units is then at most 0.001 units further from the other shape than the nearest one.
pub(super) const PARALLEL_ANGLE: f32 = 1e-5;

/// A frame whose scale along one axis is less than this fraction of that along the other axis is
/// flat: what is in it is as thin as rounding.
pub(super) const FLAT_ASPECT: f32 = 1e-6;
