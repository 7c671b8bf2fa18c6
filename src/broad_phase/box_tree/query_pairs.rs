//! Pairs by a query for each box: for large boxes, whose leaves overlap nearly everything, and for
//! moved boxes if these are few.

use std::ops::Range;

use bevy::math::Vec4;

use super::{
    super::items::{BroadPhaseItems, OrientedSlab},
    node::{LANES, Node, lanes, overlap_bound},
    order::ABSENT,
    tree::{BoxTree, Level},
};

/// Relative error of a sum of two products.
const SUM_ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The query of a box, and of its slab if it has one.
struct BoxQuery {
    leaf_index: usize,
    bound: Vec4,
    slab: Option<OrientedSlab>,
    is_moved: bool,
}

impl BoxTree {
    /// Lists the pairs of a leaf of large boxes with all others. Pairs with later large boxes are
    /// left out, because those find them. If `ONLY_MOVED`, only moved boxes search, so that only
    /// later large boxes that have moved are left out.
    pub(super) fn list_pairs_of_large<const ONLY_MOVED: bool>(
        &self,
        leaf: usize,
        items: &impl BroadPhaseItems,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let end = self.order.item_indices.len().min((leaf + 1) * LANES);
        for leaf_index in leaf * LANES..end {
            let index = self.order.item_indices[leaf_index];
            if index == ABSENT || ONLY_MOVED && !self.moved.contains(index) {
                continue;
            }
            let query = self.query_of(leaf_index, items);
            let root = self.levels.len() - 1;
            let mut found = |other| pairs.push((index, other));
            self.query_large::<ONLY_MOVED>(root, 0, &query, &mut found);
        }
    }

    fn query_large<const ONLY_MOVED: bool>(
        &self,
        level: usize,
        node: usize,
        query: &BoxQuery,
        found: &mut impl FnMut(u32),
    ) {
        let nodes = &self.levels[level];
        let mut near = query.near_lanes(&nodes.nodes[node]);
        if !query.is_moved {
            near &= u32::from(nodes.moved[node]);
        }
        for lane in lanes(near) {
            let child = node * LANES + lane;
            if level > 0 {
                self.query_large::<ONLY_MOVED>(level - 1, child, query, found);
                continue;
            }
            // A later large box finds this one, unless only moved boxes search and it rests.
            let finds_this = || {
                let searches = !ONLY_MOVED || nodes.moved[node] >> lane & 1 == 1;
                child == query.leaf_index || child > query.leaf_index && searches
            };
            if !self.large.contains(&node) || !finds_this() {
                found(self.order.item_indices[child]);
            }
        }
    }

    /// Lists the pairs of the moved boxes of some leaves with all others. Skips large boxes in
    /// these leaves, and pairs with large boxes that have moved, because those find them.
    pub(super) fn list_pairs_of_moved(
        &self,
        leaves: Range<usize>,
        items: &impl BroadPhaseItems,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let root = self.levels.len() - 1;
        let level = &self.levels[0];
        for leaf in leaves.filter(|leaf| !self.large.contains(leaf)) {
            for lane in lanes(level.moved[leaf].into()) {
                let leaf_index = leaf * LANES + lane;
                let index = self.order.item_indices[leaf_index];
                if index != ABSENT {
                    let query = self.query_of(leaf_index, items);
                    self.query_moved(root, 0, &query, &mut |other| pairs.push((index, other)));
                }
            }
        }
    }

    fn query_moved(
        &self,
        level: usize,
        node: usize,
        query: &BoxQuery,
        found: &mut impl FnMut(u32),
    ) {
        let Level { nodes, moved, .. } = &self.levels[level];
        for lane in lanes(query.near_lanes(&nodes[node])) {
            let child = node * LANES + lane;
            if level > 0 {
                self.query_moved(level - 1, child, query, found);
                continue;
            }
            let is_moved = moved[node] >> lane & 1 == 1;
            // Two moved boxes would find each other.
            if !is_moved || child > query.leaf_index && !self.large.contains(&node) {
                found(self.order.item_indices[child]);
            }
        }
    }

    /// The query of the box at a leaf index that is not empty.
    fn query_of(&self, leaf_index: usize, items: &impl BroadPhaseItems) -> BoxQuery {
        let index = self.order.item_indices[leaf_index];
        let limits = self.levels[0].nodes[leaf_index / LANES].get(leaf_index % LANES);
        BoxQuery {
            leaf_index,
            bound: overlap_bound(limits),
            slab: items.slab(index as usize),
            is_moved: self.moved.contains(index),
        }
    }
}

impl BoxQuery {
    /// The lanes of a node that overlap the box and its slab, as bits.
    #[inline]
    fn near_lanes(&self, node: &Node) -> u32 {
        let near = node.overlap_mask(self.bound);
        match &self.slab {
            Some(slab) if near != 0 => near & node.slab_mask(slab),
            _ => near,
        }
    }
}

impl Node {
    /// The lanes whose box is not wholly on one side of a slab, as bits.
    fn slab_mask(&self, slab: &OrientedSlab) -> u32 {
        let OrientedSlab {
            normal,
            offset,
            half_width,
        } = *slab;
        // The limits of the corners with the least and the greatest offset along the normal.
        let back = [
            if normal.x > 0.0 { 0 } else { 2 },
            if normal.y > 0.0 { 1 } else { 3 },
        ];
        let forth = back.map(|limit| limit ^ 2);
        let (along_x, along_y) = (Vec4::splat(normal.x.abs()), Vec4::splat(normal.y.abs()));
        let half = |half: usize| {
            let least = |[x, y]: [usize; 2]| {
                let (x, y) = (self.half(x, half) * along_x, self.half(y, half) * along_y);
                x + y - (x.abs() + y.abs()) * SUM_ROUNDING
            };
            let is_back = least(back).cmple(Vec4::splat(half_width + offset));
            let is_forth = least(forth).cmple(Vec4::splat(half_width - offset));
            (is_back & is_forth).bitmask()
        };
        half(0) | half(1) << 4
    }
}
