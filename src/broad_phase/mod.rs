//! Which boxes are near each other: pure, on boxes and numbers.
//!
//! A broad phase is filled with boxes, one for each number from zero up. Empty places hold [`EMPTY`], which overlaps
//! nothing. It then tells which boxes overlap an area, and the same of each other.

#[cfg(test)]
mod brute_force;
mod packed_tree;
#[cfg(test)]
mod tests;

pub(crate) use packed_tree::PackedTree;

use bevy::math::{Vec2, bounding::Aabb2d};

/// A box that no box overlaps.
pub(crate) const EMPTY: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

/// An index over boxes.
pub(crate) trait BroadPhase {
    /// Takes the boxes in place of the ones before. The number of a box is its place.
    fn rebuild(&mut self, boxes: &[Aabb2d]);

    /// Visits the number of each box that overlaps `area` or touches it.
    fn visit_overlapping(&self, area: &Aabb2d, visit: impl FnMut(u32));

    /// Visits each pair of boxes that overlap or touch and of which at least one is `active`, once, in any order.
    fn visit_pairs(&self, active: impl Fn(u32) -> bool, visit: impl FnMut(u32, u32));
}

/// Whether two boxes overlap or touch.
pub(crate) fn overlap(a: &Aabb2d, b: &Aabb2d) -> bool {
    a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
}

/// The smallest box around two.
pub(crate) fn merged(a: &Aabb2d, b: &Aabb2d) -> Aabb2d {
    Aabb2d {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    }
}

/// The box with `amount` more on each side.
pub(crate) fn grown(aabb: &Aabb2d, amount: f32) -> Aabb2d {
    Aabb2d {
        min: aabb.min - amount,
        max: aabb.max + amount,
    }
}
