//! Which boxes are near each other: pure, on boxes and item_indices.
//!
//! What lies in the boxes is an [`BroadPhaseItems`]: a list with item_indices. The broad phase decides on its order, for what is near in
//! the plane should be near in memory, too. It then tells the item_indices of what overlaps an area, and of what overlaps each other.

mod items;
mod box_tree;
#[cfg(test)]
mod brute_force;
mod dirty_set;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use items::{BroadPhaseItems, OldIndex, NumberedBox, NumberedBoxes, OrientedSlab, permute};
pub(crate) use box_tree::{BoxTree, PairSearch};
pub(crate) use sweep::Sweep;

use bevy::math::{Vec2, bounding::Aabb2d};

use dirty_set::DirtySet;

/// A box that no box overlaps.
pub(crate) const EMPTY: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

/// An index over boxes.
pub(crate) trait BroadPhase {
    /// What the search for pairs needs of memory, one for each thread.
    type Search: Default;

    /// The item_indices of the boxes that are new, gone or different since the last refresh, to be marked there. New item_indices are at the end
    /// of the arrangement.
    fn dirty(&mut self) -> &mut DirtySet;

    /// Forgets which item_indices were marked before the last refresh.
    fn clear_moved(&mut self);

    /// Whether a index was marked before the last refresh, and since [`clear_moved`](Self::clear_moved).
    fn is_moved(&self, index: u32) -> bool;

    /// Takes in the boxes at the item_indices that were marked since the last refresh. All others have to be as they were. It may
    /// permute them, and the dirty go along. Where a box was and is no more none comes again, but at a new index.
    fn refresh(&mut self, items: &mut impl BroadPhaseItems);

    /// Forgets all boxes.
    fn clear(&mut self);

    /// Splits the work of finding the pairs, as of the last refresh. The tasks can be done in any order, and at the same time;
    /// they come sorted by their regions.
    fn split(&self, search: &mut Self::Search, tasks: &mut Vec<PairTask>);

    /// Visits the index of each box that overlaps `area` or touches it.
    fn visit_overlapping(&self, area: &Aabb2d, visit: impl FnMut(u32));

    /// Visits the index of each box that a sweep overlaps or touches on its way, roughly in the order in which it comes to them. The
    /// visitor may lessen how far it goes.
    fn visit_along(&self, sweep: &Sweep, visit: impl FnMut(u32, &mut f32));

    /// Visits the index of each box that is not further from a point than `reach`, and perhaps of some that are a little further; roughly
    /// the nearer ones first. The visitor may lessen the reach.
    fn visit_near(&self, point: Vec2, reach: f32, visit: impl FnMut(u32, &mut f32));

    /// Adds the item_indices of the pairs of a task to a list. All tasks together give each pair of boxes that overlap or touch and of which
    /// at least one is marked, once, in any order; but they may leave out what is beside the other's slab.
    fn list_pairs(
        &self,
        task: &PairTask,
        items: &impl BroadPhaseItems,
        search: &mut Self::Search,
        pairs: &mut Vec<(u32, u32)>,
    );
}

/// A part of the work of finding the pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTask {
    /// The part of the plane in which the first box of each pair is. Regions are numbered from zero up.
    pub region: u32,
    work: PairWork,
}

#[derive(Clone, Copy, Debug)]
enum PairWork {
    /// Two groups of boxes, or twice the same.
    SelfJoin([u32; 2]),
    /// A group of large boxes, with all others.
    QueryLarge(u32),
    /// The marked boxes from a group to before another, with all others.
    QueryMoved([u32; 2]),
}

/// Whether there is a box. One of numbers that are no numbers is none: it would spoil the boxes around it.
pub(crate) fn is_present(aabb: &Aabb2d) -> bool {
    aabb.min.cmple(aabb.max).all()
}
