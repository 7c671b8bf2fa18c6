//! The broad phase that measured best.

mod best_first;
mod hilbert;
mod fill;
mod join;
mod node;
mod order;
mod query_pairs;

use std::ops::Range;

use bevy::math::{Vec2, Vec4, bounding::Aabb2d};

use super::{BroadPhaseItems, BroadPhase, PairTask, PairWork, Sweep, is_present, dirty_set::DirtySet};
use best_first::{Slabs, PointDistance};
use fill::{LeafState, Misplaced};
pub(crate) use join::PairSearch;
use node::{LANES, Limits, NO_LIMITS, Node, lanes, limits, reach, extent};
use order::{ABSENT, Order};

/// New homes are found when more than one in so many boxes needs one.
const ITEMS_PER_MISPLACED: usize = 8;
/// All nodes are filled when more than one in so many boxes changed.
const ITEMS_PER_CHANGE: usize = 16;

/// A tree of boxes that keeps its order from run to run.
///
/// The boxes are ordered along a space-filling curve, large ones apart from small ones, and each run of [`LANES`] of them makes a
/// leaf, each run of leaves a node, and so on up to one; nothing but boxes is stored. When boxes move, the tree is fitted to
/// them, and only when many have left the index of their leaf those are sorted in again.
///
/// The order is that of Kamel and Faloutsos, "On Packing R-trees" (1993).
#[derive(Default)]
pub(crate) struct BoxTree {
    order: Order,
    /// From the leaves to the root.
    levels: Vec<Level>,
    /// For each leaf.
    leaf_states: Vec<LeafState>,
    /// How many boxes wait to be sorted in.
    misplaced: usize,
    /// The leaves of boxes that are much larger than most. Those are compared one by one: eight of them together may be
    /// everywhere.
    large: Range<usize>,
    /// The item_indices that were marked since the last refresh.
    pending: DirtySet,
    /// Those that were marked before.
    moved: DirtySet,
    /// What each block of leaves found when it was filled.
    misplaced_of_chunks: Vec<Misplaced>,
}

#[derive(Default)]
struct Level {
    nodes: Vec<Node>,
    /// Around each node.
    bounds: Vec<Limits>,
    /// For each node the lanes that hold something marked.
    moved: Vec<u8>,
    /// For each node the lanes that hold something else than large boxes; nothing for leaves.
    has_small: Vec<u8>,
}

impl BroadPhase for BoxTree {
    type Search = PairSearch;

    fn dirty(&mut self) -> &mut DirtySet {
        &mut self.pending
    }

    fn clear_moved(&mut self) {
        self.moved.clear();
    }

    fn is_moved(&self, index: u32) -> bool {
        self.moved.contains(index)
    }

    fn refresh(&mut self, items: &mut impl BroadPhaseItems) {
        if self.pending.is_empty() {
            return self.propagate_moved();
        }
        self.moved.merge(&self.pending);
        self.order.insert_new(items);
        let waiting = self.misplaced + self.order.evicted.len();
        if self.order.is_curve_outdated() || waiting * ITEMS_PER_MISPLACED > items.len() {
            self.sort(items);
        } else if self.pending.count() * ITEMS_PER_CHANGE > items.len() {
            self.refit_leaves::<false>(0, items);
            self.rebuild_overflow(items);
            self.refit_inner();
        } else {
            self.refit_pending(items);
            if self.rebuild_overflow(items) {
                self.refit_inner();
            }
        }
        self.pending.clear();
        self.propagate_moved();
    }

    fn clear(&mut self) {
        *self = Self {
            levels: std::mem::take(&mut self.levels),
            ..Self::default()
        };
    }

    fn split(&self, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        if !self.order.item_indices.is_empty() {
            self.split_pairs(search, tasks);
        }
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
            PairWork::QueryLarge(leaf) => self.list_pairs_of_large(leaf as usize, items, pairs),
            PairWork::QueryMoved([start, end]) => {
                self.list_pairs_of_moved(start as usize..end as usize, pairs);
            }
        }
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        if !self.order.item_indices.is_empty() && is_present(area) {
            let root = self.levels.len() - 1;
            self.descend(root, 0, reach(limits(area)), &mut visit);
        }
    }

    fn visit_along(&self, sweep: &Sweep, mut visit: impl FnMut(u32, &mut f32)) {
        if sweep.is_valid() {
            self.visit_best_first(&Slabs::of(sweep), sweep.length, &mut visit);
        }
    }

    fn visit_near(&self, point: Vec2, reach: f32, mut visit: impl FnMut(u32, &mut f32)) {
        if point.is_finite() && reach >= 0.0 {
            self.visit_best_first(&PointDistance::of(point), reach, &mut visit);
        }
    }
}

impl BoxTree {
    /// The boxes around what is in each node, level by level from the leaves to the root.
    #[cfg(any(feature = "debug", test))]
    pub fn levels_of_boxes(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = Aabb2d>> {
        let levels = if self.order.item_indices.is_empty() {
            &[]
        } else {
            &self.levels[..]
        };
        levels.iter().map(|level| {
            let bounds = level.bounds.iter().copied();
            bounds.filter(|&bounds| bounds != NO_LIMITS).map(node::aabb_of)
        })
    }

    /// Makes as many nodes as are needed, on all levels.
    fn resize_levels(&mut self) {
        let mut nodes = self.order.item_indices.len().div_ceil(LANES);
        self.leaf_states.resize(nodes, LeafState::default());
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Level::default());
            }
            let level_nodes = &mut self.levels[level];
            level_nodes.nodes.resize(nodes, Node::EMPTY);
            level_nodes.bounds.resize(nodes, NO_LIMITS);
            if nodes <= 1 {
                self.levels.truncate(level + 1);
                break;
            }
            nodes = nodes.div_ceil(LANES);
        }
    }

    /// Gives a new index to what waits for one, and drops what is gone.
    fn sort(&mut self, items: &mut impl BroadPhaseItems) {
        let waiting = self.leaf_states.iter().map(|leaf_state| leaf_state.waiting);
        self.order.sort(items, waiting);
        self.moved.permute(self.order.former(), &mut self.pending);
        self.resize_levels();
        self.leaf_states.fill(LeafState::default());
        self.misplaced = 0;
        // What is behind the last one is to be dropped.
        let count = self.order.item_indices.len();
        if let Some(last) = self.leaf_states.last_mut() {
            last.waiting = (0xFE << ((count - 1) % LANES)) as u8;
        }
        self.refit_leaves::<true>(0, items);
        self.refit_inner();
        self.large = self.order.first_large() / LANES..self.order.overflow_start / LANES;
        self.update_has_small();
    }

    /// Finds the nodes that are to be has_small with each other.
    fn update_has_small(&mut self) {
        let leaves = self.leaf_states.len();
        let Some((_, above)) = self.levels.split_first_mut() else {
            return;
        };
        let mut below: &[u8] = &[];
        for (level, Level { nodes, has_small, .. }) in above.iter_mut().enumerate() {
            let is_small = |child: &usize| match level {
                0 => !self.large.contains(child),
                _ => below[*child] != 0,
            };
            let children = if level == 0 { leaves } else { below.len() };
            has_small.clear();
            has_small.extend((0..nodes.len()).map(|node| {
                let lanes = node * LANES..children.min((node + 1) * LANES);
                (lanes.rev()).fold(0, |lanes, child| lanes << 1 | u8::from(is_small(&child)))
            }));
            below = has_small;
        }
    }

    /// Puts what came new, or left its leaf far behind, into leaves at the end until the next sort. True, if there was any.
    fn rebuild_overflow(&mut self, items: &impl BroadPhaseItems) -> bool {
        let any = !self.order.evicted.is_empty();
        if any {
            self.misplaced += self.order.evicted.len();
            let first = self.order.rebuild_overflow(items) / LANES;
            self.resize_levels();
            for leaf_state in &mut self.leaf_states[first..] {
                leaf_state.waiting = 0xFF;
            }
            self.refit_leaves::<true>(first, items);
            self.update_has_small();
        }
        any
    }

    /// Fits the tree to single boxes.
    fn refit_pending(&mut self, items: &impl BroadPhaseItems) {
        let pending = std::mem::take(&mut self.pending);
        for index in pending.iter() {
            let leaf_index = self.order.leaf_indices[index as usize];
            if leaf_index != ABSENT {
                self.fit(leaf_index as usize, limits(&items.aabb(index as usize)));
            }
        }
        self.pending = pending;
    }

    fn fit(&mut self, leaf_index: usize, limits: Limits) {
        let (leaf, lane) = (leaf_index / LANES, leaf_index % LANES);
        let leaf_state = &mut self.leaf_states[leaf];
        let is_inside = leaf_state.fat_bounds.has(limits);
        if !is_inside && leaf_state.waiting >> lane & 1 == 0 {
            leaf_state.waiting |= 1 << lane;
            self.misplaced += 1;
        }
        let bounds = self.levels[0].bounds[leaf].min(limits);
        if extent(bounds) > leaf_state.largest && !is_inside && limits != NO_LIMITS {
            self.order.evict(leaf_index);
            self.set(leaf_index, NO_LIMITS);
        } else {
            self.set(leaf_index, limits);
        }
    }

    /// Puts a box into the tree.
    fn set(&mut self, mut leaf_index: usize, mut limits: Limits) {
        for Level { nodes, bounds, .. } in &mut self.levels {
            let node = leaf_index / LANES;
            nodes[node].set(leaf_index % LANES, limits);
            limits = nodes[node].bounds();
            if bounds[node] == limits {
                break;
            }
            bounds[node] = limits;
            leaf_index = node;
        }
    }

    /// Tells all nodes what is marked below them.
    fn propagate_moved(&mut self) {
        let Some((leaves, above)) = self.levels.split_first_mut() else {
            return;
        };
        // What was sorted has leaf_indices like its item_indices. That what was exiled since seems to be there does no harm.
        let sorted_leaves = self.order.overflow_start / LANES;
        leaves.moved.clear();
        leaves
            .moved
            .extend((0..sorted_leaves).map(|leaf| self.moved.group(leaf)));
        let overflow_start = self.order.item_indices.get(self.order.overflow_start..).unwrap_or_default();
        leaves.moved.extend(
            overflow_start.iter()
                .step_by(LANES)
                .map(|&index| u8::from(self.moved.contains(index))),
        );
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

    /// Visits the item_indices below a node whose boxes are overlap_mask `reach`.
    fn descend(&self, level: usize, node: usize, reach: Vec4, visit: &mut impl FnMut(u32)) {
        for lane in lanes(self.levels[level].nodes[node].overlap_mask(reach)) {
            let child = node * LANES + lane;
            if level > 0 {
                self.descend(level - 1, child, reach, visit);
            } else {
                visit(self.order.item_indices[child]);
            }
        }
    }
}
