//! Which boxes are near each other: pure, on boxes and numbers.
//!
//! A broad phase is filled with boxes, one for each number from zero up. Empty places hold [`EMPTY`], which overlaps
//! nothing. It then tells which boxes overlap an area, and the same of each other.

mod box_tree;
#[cfg(test)]
mod brute_force;
#[cfg(test)]
mod tests;

pub(crate) use box_tree::BoxTree;

use bevy::math::{Vec2, bounding::Aabb2d};

/// A box that no box overlaps.
pub(crate) const EMPTY: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

/// An index over boxes. The number of a box is its place in the slice of all boxes.
pub(crate) trait BroadPhase {
    /// Takes in the boxes that are new, gone ([`EMPTY`]) or different: `changed` has their numbers, each once. The others
    /// have to be as they were, and the slice as long as before at least.
    fn refresh(&mut self, boxes: &[Aabb2d], changed: &[u32]);

    /// Forgets all boxes.
    fn clear(&mut self);

    /// Says which boxes the pairs are about, until the next refresh.
    fn activate(&mut self, numbers: &[u32]);

    /// Splits the work of finding the pairs; the tasks can be done in any order, and at the same time.
    fn split(&self, tasks: &mut Vec<PairTask>);

    /// Visits the number of each box that overlaps `area` or touches it.
    fn visit_overlapping(&self, area: &Aabb2d, visit: impl FnMut(u32));

    /// Visits the pairs of a task. All tasks together give each pair of boxes that overlap or touch and of which at least one
    /// is active, once, in any order.
    fn visit_pairs(&self, task: &PairTask, visit: impl FnMut(u32, u32));
}

/// A part of the work of finding the pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTask {
    /// Between two groups of boxes, or within one.
    groups: [u32; 2],
    /// Around the second group.
    bounds: Aabb2d,
}

/// Whether there is a box. One of numbers that are no numbers is none: it would spoil the boxes around it.
fn is_present(aabb: &Aabb2d) -> bool {
    aabb.min.cmple(aabb.max).all()
}

/// Whether two boxes overlap or touch.
#[cfg(test)]
fn overlap(a: &Aabb2d, b: &Aabb2d) -> bool {
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
