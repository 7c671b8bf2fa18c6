//! The tree as a [`BroadPhase`]: refits moved boxes, and sorts when too many are misplaced.

use bevy::math::Vec2;

use super::{
    super::{
        dirty_set::DirtySet,
        interface::{BroadPhase, PairTask, PairWork},
        items::{BroadPhaseItems, is_present},
        sweep::Sweep,
    },
    best_first::{PointDistance, Slabs},
    join::PairSearch,
    leaf::LeafState,
    node::{LANES, limits},
    tree::BoxTree,
};
use crate::aabb::Aabb2d;

/// Boxes are sorted in again if more than one in this many is misplaced.
const ITEMS_PER_MISPLACED: usize = 8;
/// All nodes are refitted if more than one in this many boxes changed.
const ITEMS_PER_CHANGE: usize = 16;

impl BroadPhase for BoxTree {
    type Search = PairSearch;

    fn dirty(&mut self) -> &mut DirtySet {
        &mut self.dirty
    }

    fn clear_moved(&mut self) {
        self.moved.clear();
    }

    fn moved(&self) -> &DirtySet {
        &self.moved
    }

    fn refresh(&mut self, items: &mut impl BroadPhaseItems) -> u64 {
        if self.dirty.is_empty() {
            self.propagate_moved();
            return 0;
        }
        self.moved.merge(&self.dirty);
        self.order.insert_new(items);
        let is_sorted = self.order.is_curve_outdated() || self.refit(items) == Refit::Misplaced;
        if is_sorted {
            self.sort(items);
        }
        self.dirty.clear();
        self.propagate_moved();
        if is_sorted { items.len() as u64 } else { 0 }
    }

    fn clear(&mut self) {
        *self = Self {
            levels: std::mem::take(&mut self.levels),
            ..Self::default()
        };
    }

    fn split(&self, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        if !self.is_empty() {
            self.split_pairs(search, tasks);
        }
    }

    fn region(&self, index: u32) -> u32 {
        self.region_of_leaf(index / LANES as u32)
    }

    fn list_pairs(
        &self,
        task: &PairTask,
        items: &impl BroadPhaseItems,
        search: &mut PairSearch,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        match task.work {
            PairWork::SelfJoin(nodes) => self.list_pairs_below(nodes, search, pairs),
            PairWork::QueryLarge(leaf) => {
                self.list_pairs_of_large::<false>(leaf as usize, items, pairs);
            }
            PairWork::QueryMovedLarge(leaf) => {
                self.list_pairs_of_large::<true>(leaf as usize, items, pairs);
            }
            PairWork::QueryMoved([start, end]) => {
                self.list_pairs_of_moved(start as usize..end as usize, items, pairs);
            }
        }
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        if !self.is_empty() && is_present(area) {
            self.visit_below(self.levels.len() - 1, 0, limits(area), &mut visit);
        }
    }

    fn visit_along(&self, sweep: &Sweep, mut visit: impl FnMut(u32, &mut f32)) {
        if sweep.is_valid() {
            self.visit_best_first(&Slabs::of(sweep), sweep.length, &mut visit);
        }
    }

    fn visit_near(&self, point: Vec2, max_distance: f32, mut visit: impl FnMut(u32, &mut f32)) {
        if point.is_finite() && max_distance >= 0.0 {
            self.visit_best_first(&PointDistance::to(point), max_distance, &mut visit);
        }
    }
}

/// How a refit went.
#[derive(PartialEq)]
enum Refit {
    Complete,
    /// Canceled: so many boxes are misplaced that they have to be sorted in again.
    Misplaced,
}

impl BoxTree {
    /// Refits the tree to the dirty boxes.
    fn refit(&mut self, items: &mut impl BroadPhaseItems) -> Refit {
        let changes_are_many = self.dirty.count() * ITEMS_PER_CHANGE > items.len();
        if changes_are_many {
            self.refit_leaves::<false>(0, items);
        } else {
            self.refit_pending(items);
        }
        let misplaced = self.misplaced + self.order.evicted.len();
        if misplaced * ITEMS_PER_MISPLACED > items.len() {
            return Refit::Misplaced;
        }
        let first_leaf = self.rebuild_overflow(items);
        if changes_are_many {
            self.refit_inner(0);
        } else if let Some(first_leaf) = first_leaf {
            self.refit_inner(first_leaf);
        }
        Refit::Complete
    }

    /// Sorts misplaced and new boxes in, and drops removed ones.
    fn sort(&mut self, items: &mut impl BroadPhaseItems) {
        let misplaced = self.leaf_states.iter().map(|state| state.misplaced);
        self.order.sort(items, misplaced);
        self.moved
            .permute(self.order.old_indices(), &mut self.dirty);
        self.resize_levels();
        self.leaf_states.fill(LeafState::default());
        self.misplaced = 0;
        // The lanes behind the last box are to be dropped.
        let count = self.order.item_indices.len();
        if let Some(last) = self.leaf_states.last_mut() {
            last.misplaced = (0xFE << ((count - 1) % LANES)) as u8;
        }
        self.refit_leaves::<true>(0, items);
        self.large = self.order.first_large() / LANES..self.order.overflow_start / LANES;
        self.refit_inner(0);
    }

    /// Puts new and evicted boxes into overflow leaves until the next sort. Returns the number of
    /// the first leaf that changed, or `None` if there are no such boxes.
    fn rebuild_overflow(&mut self, items: &impl BroadPhaseItems) -> Option<usize> {
        if self.order.evicted.is_empty() {
            return None;
        }
        self.misplaced += self.order.evicted.len();
        let first = self.order.rebuild_overflow(items) / LANES;
        self.resize_levels();
        for state in &mut self.leaf_states[first..] {
            state.misplaced = 0xFF;
        }
        self.refit_leaves::<true>(first, items);
        Some(first)
    }

    /// Updates which lanes of each node have moved boxes.
    fn propagate_moved(&mut self) {
        let Some((leaves, above)) = self.levels.split_first_mut() else {
            return;
        };
        // Sorted boxes have the same index in the leaves as in the items. An evicted one still
        // marks its former lane, which does no harm.
        let sorted_leaves = self.order.overflow_start / LANES;
        leaves.moved.clear();
        leaves
            .moved
            .extend((0..sorted_leaves).map(|leaf| self.moved.group(leaf)));
        let overflow = self.order.item_indices.get(self.order.overflow_start..);
        let first_lanes = overflow.unwrap_or_default().iter().step_by(LANES);
        leaves
            .moved
            .extend(first_lanes.map(|&index| u8::from(self.moved.contains(index))));
        let mut below = &leaves.moved;
        for level in above {
            level.moved.clear();
            level.moved.extend(below.chunks(LANES).map(|children| {
                let bits = children.iter().rev();
                bits.fold(0, |lanes, &child| lanes << 1 | u8::from(child != 0))
            }));
            below = &level.moved;
        }
    }
}
