//! Which boxes are near each other: pure, on boxes and places.
//!
//! What lies in the boxes is an [`Arrangement`]: a list with places. The broad phase decides on its order, for what is near in
//! the plane should be near in memory, too. It then tells the places of what overlaps an area, and of what overlaps each other.

mod arrangement;
mod box_tree;
#[cfg(test)]
mod brute_force;
mod marks;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use arrangement::{Arrangement, Former, NumberedBox, NumberedBoxes, Strip, rearrange};
pub(crate) use box_tree::{BoxTree, PairSearch};
pub(crate) use sweep::Sweep;

use bevy::math::{Vec2, bounding::Aabb2d};

pub(crate) use marks::Marks;

/// A box that no box overlaps.
pub(crate) const EMPTY: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

/// An index over boxes.
pub(crate) trait BroadPhase {
    /// What the search for pairs needs of memory, one for each thread.
    type Search: Default;

    /// The places of the boxes that are new, gone or different since the last refresh, to be marked there. New places are at the end
    /// of the arrangement.
    fn marks(&mut self) -> &mut Marks;

    /// Forgets which places were marked before the last refresh.
    fn unmark_all(&mut self);

    /// Whether a place was marked before the last refresh, and since [`unmark_all`](Self::unmark_all).
    fn is_marked(&self, place: u32) -> bool;

    /// Takes in the boxes at the places that were marked since the last refresh. All others have to be as they were. It may
    /// rearrange them, and the marks go along. Where a box was and is no more none comes again, but at a new place.
    fn refresh(&mut self, items: &mut impl Arrangement);

    /// Forgets all boxes.
    fn clear(&mut self);

    /// Splits the work of finding the pairs, as of the last refresh. The tasks can be done in any order, and at the same time;
    /// they come sorted by their regions.
    fn split(&self, search: &mut Self::Search, tasks: &mut Vec<PairTask>);

    /// Visits the place of each box that overlaps `area` or touches it.
    fn visit_overlapping(&self, area: &Aabb2d, visit: impl FnMut(u32));

    /// Visits the place of each box that a sweep overlaps or touches on its way, roughly in the order in which it comes to them. The
    /// visitor may lessen how far it goes.
    fn visit_along(&self, sweep: &Sweep, visit: impl FnMut(u32, &mut f32));

    /// Visits the place of each box that is not further from a point than `reach`, and perhaps of some that are a little further; roughly
    /// the nearer ones first. The visitor may lessen the reach.
    fn visit_near(&self, point: Vec2, reach: f32, visit: impl FnMut(u32, &mut f32));

    /// Adds the places of the pairs of a task to a list. All tasks together give each pair of boxes that overlap or touch and of which
    /// at least one is marked, once, in any order; but they may leave out what is beside the other's strip.
    fn list_pairs(
        &self,
        task: &PairTask,
        items: &impl Arrangement,
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
    Join([u32; 2]),
    /// A group of large boxes, with all others.
    SeekByLarge(u32),
    /// The marked boxes from a group to before another, with all others.
    SeekByActive([u32; 2]),
}

/// Whether there is a box. One of numbers that are no numbers is none: it would spoil the boxes around it.
pub(crate) fn is_present(aabb: &Aabb2d) -> bool {
    aabb.min.cmple(aabb.max).all()
}
