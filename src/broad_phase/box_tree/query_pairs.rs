//! Pairs by a query for each box: for large boxes, whose leaves overlap nearly everything, and for
//! moved ones where few have moved.

use std::ops::Range;

use bevy::math::Vec4;

use super::{
    super::items::{BroadPhaseItems, OrientedSlab},
    node::{LANES, Limits, Node, lanes, overlap_bound},
    order::ABSENT,
    tree::{BoxTree, Level},
};

/// Relative error of a sum of two products.
const SUM_ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The query of a large box, within its box and its slab.
struct LargeQuery {
    leaf_index: usize,
    bound: Vec4,
    slab: Option<OrientedSlab>,
    is_moved: bool,
}

impl BoxTree {
    /// Lists the pairs of a leaf of large boxes with all others, except later large ones.
    pub(super) fn list_pairs_of_large(
        &self,
        leaf: usize,
        items: &impl BroadPhaseItems,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let end = self.order.item_indices.len().min((leaf + 1) * LANES);
        for leaf_index in leaf * LANES..end {
            let index = self.order.item_indices[leaf_index];
            let limits = self.levels[0].nodes[leaf].get(leaf_index % LANES);
            if index == ABSENT {
                continue;
            }
            let query = LargeQuery {
                leaf_index,
                bound: overlap_bound(limits),
                slab: items.slab(index as usize),
                is_moved: self.moved.contains(index),
            };
            let root = self.levels.len() - 1;
            self.query_large(root, 0, &query, &mut |other| pairs.push((index, other)));
        }
    }

    fn query_large(
        &self,
        level: usize,
        node: usize,
        query: &LargeQuery,
        found: &mut impl FnMut(u32),
    ) {
        let nodes = &self.levels[level];
        let mut near = nodes.nodes[node].overlap_mask(query.bound);
        if !query.is_moved {
            near &= u32::from(nodes.moved[node]);
        }
        if near != 0
            && let Some(slab) = &query.slab
        {
            near &= nodes.nodes[node].slab_mask(slab);
        }
        for lane in lanes(near) {
            let child = node * LANES + lane;
            if level > 0 {
                self.query_large(level - 1, child, query, found);
            } else if child < query.leaf_index || !self.large.contains(&node) {
                found(self.order.item_indices[child]);
            }
        }
    }

    /// Lists the pairs of the moved boxes of some leaves with all others that are not large.
    pub(super) fn list_pairs_of_moved(&self, leaves: Range<usize>, pairs: &mut Vec<(u32, u32)>) {
        let root = self.levels.len() - 1;
        let level = &self.levels[0];
        for leaf in leaves.filter(|leaf| !self.large.contains(leaf)) {
            for lane in lanes(level.moved[leaf].into()) {
                let leaf_index = leaf * LANES + lane;
                let query = (leaf_index, level.nodes[leaf].get(lane));
                let index = self.order.item_indices[leaf_index];
                self.query_moved(root, 0, query, &mut |other| pairs.push((index, other)));
            }
        }
    }

    fn query_moved(
        &self,
        level: usize,
        node: usize,
        (leaf_index, limits): (usize, Limits),
        found: &mut impl FnMut(u32),
    ) {
        let Level {
            nodes,
            moved,
            has_small,
            ..
        } = &self.levels[level];
        let mut near = nodes[node].overlap_mask(overlap_bound(limits));
        if level > 0 {
            near &= u32::from(has_small[node]);
        }
        for lane in lanes(near) {
            let child = node * LANES + lane;
            if level > 0 {
                self.query_moved(level - 1, child, (leaf_index, limits), found);
            } else if child > leaf_index || moved[node] >> lane & 1 == 0 {
                // Two moved boxes find each other.
                found(self.order.item_indices[child]);
            }
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
