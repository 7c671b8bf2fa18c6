//! The trait of the tree, and of the brute force that the tests compare it with.

use bevy::math::Vec2;

use super::{dirty_set::DirtySet, items::BroadPhaseItems, sweep::Sweep};
use crate::aabb::Aabb2d;

/// A spatial index over boxes.
pub(crate) trait BroadPhase {
    /// Memory that the search for pairs reuses, one for each thread.
    type Search: Default;

    /// Returns the set of dirty boxes. Mark in it each box that was added, removed or changed
    /// since the last refresh. New boxes are appended to the items.
    fn dirty(&mut self) -> &mut DirtySet;

    /// Clears the set of moved boxes.
    fn clear_moved(&mut self);

    /// Returns the moved boxes: those marked before the last refresh, since
    /// [`clear_moved`](Self::clear_moved).
    fn moved(&self) -> &DirtySet;

    /// Syncs the dirty boxes and adds them to the moved ones. Returns how many boxes were sorted.
    /// No other box may have grown. May permute the items; the sets follow. The index of a removed
    /// box is not reused.
    fn refresh(&mut self, items: &mut impl BroadPhaseItems) -> u64;

    /// Removes all boxes.
    fn clear(&mut self);

    /// Splits the search for pairs, as of the last refresh, into tasks that can run in any order
    /// and in parallel. They are sorted by region.
    fn split(&self, search: &mut Self::Search, tasks: &mut Vec<PairTask>);

    /// The region of the tasks that list the pairs of a box, if not that of the other box of a pair
    /// is. A pair that was listed before boxes were sorted may be in any region.
    fn region(&self, index: u32) -> u32;

    /// Visits the index of each box that overlaps or touches `area`.
    fn visit_overlapping(&self, area: &Aabb2d, visit: impl FnMut(u32));

    /// Visits the index of each box that a sweep overlaps or touches, roughly in the order of
    /// entry. The visitor may shorten the sweep; it cannot make it longer.
    fn visit_along(&self, sweep: &Sweep, visit: impl FnMut(u32, &mut f32));

    /// Visits the index of each box within `max_distance` of a point, and perhaps of some that are
    /// slightly farther, roughly nearest first. The visitor may reduce the distance; it cannot
    /// raise it.
    fn visit_near(&self, point: Vec2, max_distance: f32, visit: impl FnMut(u32, &mut f32));

    /// Appends the pairs of a task. All tasks together list each pair of boxes that overlap or
    /// touch once, in any order, if at least one of the two has moved. May leave out a pair if one
    /// box is outside the other's [`OrientedSlab`](super::OrientedSlab).
    fn list_pairs(
        &self,
        task: &PairTask,
        items: &impl BroadPhaseItems,
        search: &mut Self::Search,
        pairs: &mut Vec<(u32, u32)>,
    );
}

/// A chunk of the search for pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTask {
    /// The region of the plane with the first box of each pair. Regions are numbered from zero up.
    pub region: u32,
    pub(super) work: PairWork,
}

/// The work of a task.
#[derive(Clone, Copy, Debug)]
pub(super) enum PairWork {
    /// Two nodes against each other, or one against itself.
    SelfJoin([u32; 2]),
    /// A leaf of large boxes against all others.
    QueryLarge(u32),
    /// The moved boxes of a leaf of large ones against all others.
    QueryMovedLarge(u32),
    /// The moved boxes of a range of leaves against all others.
    QueryMoved([u32; 2]),
}
