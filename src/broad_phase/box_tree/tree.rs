//! The nodes of the tree, level by level.

use std::ops::Range;

use super::{
    super::dirty_set::DirtySet,
    leaf::{LeafState, Misplaced},
    node::{LANES, Limits, NO_LIMITS, Node, lanes, overlap_bound},
    order::Order,
};

/// A dynamic packed R-tree with [`LANES`] children to a node.
#[derive(Default)]
pub(crate) struct BoxTree {
    pub(super) order: Order,
    /// From the leaves to the root.
    pub(super) levels: Vec<Level>,
    pub(super) leaf_states: Vec<LeafState>,
    /// The number of boxes to be sorted in again.
    pub(super) misplaced: usize,
    /// The leaves of boxes that are much larger than most. These boxes are compared one by one: the
    /// bounds of eight of them may span the world.
    pub(super) large: Range<usize>,
    /// The items that were marked since the last refresh.
    pub(super) dirty: DirtySet,
    /// The items that were marked before the last refresh, until they are cleared.
    pub(super) moved: DirtySet,
    /// Memory for the misplaced boxes of each chunk of leaves.
    pub(super) misplaced_of_chunks: Vec<Misplaced>,
}

/// All nodes at the same height.
#[derive(Default)]
pub(super) struct Level {
    pub nodes: Vec<Node>,
    /// The bounds of each node.
    pub bounds: Vec<Limits>,
    /// For each node, the lanes with moved boxes.
    pub moved: Vec<u8>,
    /// For each node, the lanes with boxes that are not large. Empty for leaves.
    pub has_small: Vec<u8>,
}

impl BoxTree {
    pub(super) fn is_empty(&self) -> bool {
        self.order.item_indices.is_empty()
    }

    /// Makes as many nodes as the boxes need, on all levels.
    pub(super) fn resize_levels(&mut self) {
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

    /// Visits the items below a node whose boxes overlap `limits`.
    pub(super) fn visit_below(
        &self,
        level: usize,
        node: usize,
        limits: Limits,
        visit: &mut impl FnMut(u32),
    ) {
        let mask = self.levels[level].nodes[node].overlap_mask(overlap_bound(limits));
        for lane in lanes(mask) {
            let child = node * LANES + lane;
            if level > 0 {
                self.visit_below(level - 1, child, limits, visit);
            } else {
                visit(self.order.item_indices[child]);
            }
        }
    }
}

#[cfg(test)]
impl BoxTree {
    /// The bounds of all nodes, level by level from the leaves to the root.
    pub fn levels_of_boxes(
        &self,
    ) -> impl ExactSizeIterator<Item = impl Iterator<Item = crate::aabb::Aabb2d>> {
        let levels = if self.is_empty() {
            &[]
        } else {
            &self.levels[..]
        };
        levels.iter().map(|level| {
            let bounds = level.bounds.iter().copied();
            bounds
                .filter(|&bounds| bounds != NO_LIMITS)
                .map(super::node::aabb_of)
        })
    }
}
