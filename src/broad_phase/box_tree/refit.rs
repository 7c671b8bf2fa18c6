//! Refitting the nodes to boxes that moved.

use super::{
    super::items::BroadPhaseItems,
    leaf::{Leaf, Misplaced},
    node::{LANES, Limits, NO_LIMITS, Node, extent, limits},
    order::ABSENT,
    tree::{BoxTree, Level},
};
use crate::parallel;

/// The number of leaves that one thread refits at a time.
const LEAVES_PER_CHUNK: usize = 512;

impl BoxTree {
    /// Refits the leaves from `first` on, in parallel, and finds misplaced boxes. If `SORTED`, sets
    /// new fat bounds first.
    pub(super) fn refit_leaves<const SORTED: bool>(
        &mut self,
        first: usize,
        items: &impl BroadPhaseItems,
    ) {
        let Self {
            order,
            levels,
            leaf_states,
            misplaced_of_chunks,
            dirty,
            ..
        } = self;
        let Level { nodes, bounds, .. } = &mut levels[0];
        let count = nodes.len() - first;
        misplaced_of_chunks.resize_with(count.div_ceil(LEAVES_PER_CHUNK), Misplaced::default);
        let chunks = nodes[first..]
            .chunks_mut(LEAVES_PER_CHUNK)
            .zip(bounds[first..].chunks_mut(LEAVES_PER_CHUNK))
            .zip(leaf_states[first..].chunks_mut(LEAVES_PER_CHUNK))
            .zip(misplaced_of_chunks.iter_mut())
            .enumerate();
        parallel::for_each(
            count * LANES,
            chunks,
            |(chunk, (((nodes, bounds), states), misplaced))| {
                let numbers = first + chunk * LEAVES_PER_CHUNK..;
                let leaves = nodes.iter_mut().zip(bounds).zip(states).zip(numbers);
                for (((node, bounds), state), number) in leaves {
                    let mut leaf = Leaf {
                        number,
                        node,
                        bounds,
                        state,
                    };
                    let changed = if SORTED {
                        u8::MAX
                    } else {
                        leaf.dirty_lanes(order, dirty)
                    };
                    leaf.refit(changed, order, items);
                    if SORTED {
                        leaf.set_fat_bounds(order);
                    }
                    leaf.find_misplaced(misplaced);
                }
            },
        );
        for misplaced in misplaced_of_chunks {
            self.misplaced += std::mem::take(&mut misplaced.count);
            for leaf_index in misplaced.evicted.drain(..) {
                self.order.evict(leaf_index);
            }
        }
    }

    /// Refits all nodes above the leaves from `first_leaf` on, and those that are new.
    pub(super) fn refit_inner(&mut self, first_leaf: usize) {
        let mut first = first_leaf;
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let (below, level_above) = (&below[level - 1], &mut above[0]);
            // A new root has all nodes below it.
            first = (first / LANES).min(level_above.has_small.len());
            level_above.has_small.truncate(first);
            let is_small = |child: usize| match level {
                1 => !self.large.contains(&child),
                _ => below.has_small[child] != 0,
            };
            for node in first..level_above.nodes.len() {
                let children = node * LANES..below.bounds.len().min((node + 1) * LANES);
                let mut rows = [NO_LIMITS; LANES];
                rows[..children.len()].copy_from_slice(&below.bounds[children.clone()]);
                (level_above.nodes[node], level_above.bounds[node]) = Node::of(&rows);
                let has_small =
                    (children.rev()).fold(0, |lanes, child| lanes << 1 | u8::from(is_small(child)));
                level_above.has_small.push(has_small);
            }
        }
    }

    /// Refits the nodes around each dirty box.
    pub(super) fn refit_pending(&mut self, items: &impl BroadPhaseItems) {
        let dirty = std::mem::take(&mut self.dirty);
        for index in dirty.iter() {
            let leaf_index = self.order.leaf_indices[index as usize];
            if leaf_index != ABSENT {
                self.refit_box(leaf_index as usize, limits(&items.aabb(index as usize)));
            }
        }
        self.dirty = dirty;
    }

    fn refit_box(&mut self, leaf_index: usize, limits: Limits) {
        let (leaf, lane) = (leaf_index / LANES, leaf_index % LANES);
        let state = &mut self.leaf_states[leaf];
        let is_inside = state.fat_bounds.contains(limits);
        if !is_inside && state.misplaced >> lane & 1 == 0 {
            state.misplaced |= 1 << lane;
            self.misplaced += 1;
        }
        let bounds = self.levels[0].bounds[leaf].min(limits);
        if extent(bounds) > state.max_extent && !is_inside && limits != NO_LIMITS {
            self.order.evict(leaf_index);
            self.set(leaf_index, NO_LIMITS);
        } else {
            self.set(leaf_index, limits);
        }
    }

    /// Sets a box, and updates the bounds above it as far up as they change.
    fn set(&mut self, leaf_index: usize, mut limits: Limits) {
        let mut child = leaf_index;
        for Level { nodes, bounds, .. } in &mut self.levels {
            let node = child / LANES;
            nodes[node].set(child % LANES, limits);
            limits = nodes[node].bounds();
            if bounds[node] == limits {
                break;
            }
            bounds[node] = limits;
            child = node;
        }
    }
}
