//! Leaves: refitting one, and which of its boxes left its fat bounds.

use bevy::math::Vec2;

use super::{
    super::{
        dirty_set::DirtySet,
        items::{BroadPhaseItems, EMPTY},
    },
    hilbert::extent_of,
    node::{FatBounds, LANES, Limits, NO_LIMITS, Node, extent, lanes, limits},
    order::{ABSENT, Order, Origin},
};
use crate::aabb::{Aabb2d, grow};

/// How far a center may leave the bounds of its leaf's centers, relative to their extent.
const FAT_MARGIN: f32 = 0.15;
/// Misplaced boxes are evicted from a leaf that grows to this multiple of its extent.
const MAX_GROWTH: f32 = 4.0;

/// Boxes that left the fat bounds of their leaves.
#[derive(Default)]
pub(super) struct Misplaced {
    /// The number of boxes to be sorted in again.
    pub count: usize,
    /// The leaf indices of those that are evicted at once.
    pub evicted: Vec<usize>,
}

/// Which of a leaf's boxes are misplaced, and the bounds that decide it.
#[derive(Clone, Copy, Default)]
pub(super) struct LeafState {
    /// The bounds of the boxes' centers when they were sorted, with a margin.
    pub fat_bounds: FatBounds,
    /// The extent beyond which misplaced boxes are evicted.
    pub max_extent: f32,
    /// The lanes that wait to be sorted in or dropped: added, removed or misplaced boxes.
    pub misplaced: u8,
}

/// A leaf that is being refitted.
pub(super) struct Leaf<'a> {
    pub number: usize,
    pub node: &'a mut Node,
    pub bounds: &'a mut Limits,
    pub state: &'a mut LeafState,
}

impl Leaf<'_> {
    /// The items in the leaf.
    fn item_indices<'a>(&self, order: &'a Order) -> &'a [u32] {
        let indices = &order.item_indices[self.number * LANES..];
        &indices[..indices.len().min(LANES)]
    }

    /// The lanes with dirty boxes, as bits.
    #[inline]
    pub fn dirty_lanes(&self, order: &Order, dirty: &DirtySet) -> u8 {
        let first = self.number * LANES;
        if first < order.overflow_start {
            // Sorted boxes have the same index in the leaves as in the items.
            dirty.group(self.number)
        } else {
            // There is one box, in the first lane.
            u8::from(dirty.contains(order.item_indices[first]))
        }
    }

    /// Refits the leaf to the boxes in some lanes, given as bits.
    #[inline]
    pub fn refit(&mut self, changed: u8, order: &Order, items: &impl BroadPhaseItems) {
        if changed == 0 {
            return;
        }
        let mut rows = [NO_LIMITS; LANES];
        for (lane, &index) in self.item_indices(order).iter().enumerate() {
            if index != ABSENT {
                rows[lane] = if changed >> lane & 1 == 1 {
                    limits(&items.aabb(index as usize))
                } else {
                    self.node.get(lane)
                };
            }
        }
        (*self.node, *self.bounds) = Node::of(&rows);
    }

    /// Sets the fat bounds to where the boxes were sorted in.
    pub fn set_fat_bounds(&mut self, order: &Order) {
        let indices = self.item_indices(order).iter();
        let origins = indices.zip(&order.origins[self.number * LANES..]);
        let origins = origins.take_while(|(index, _)| **index != ABSENT);
        let extent_of_first = extent(self.node.get(0));
        let origins = origins.map(|(_, origin)| origin);
        self.state.fat_bounds = fat_bounds_of(origins, extent_of_first);
        self.state.max_extent = MAX_GROWTH * extent(*self.bounds);
    }

    /// Records the misplaced boxes. Evicts them if they make the leaf much larger.
    pub fn find_misplaced(&mut self, misplaced: &mut Misplaced) {
        // Includes empty lanes.
        let outside = self.node.outside_mask(&self.state.fat_bounds);
        misplaced.count += (outside & !u32::from(self.state.misplaced)).count_ones() as usize;
        self.state.misplaced |= outside as u8;
        if extent(*self.bounds) > self.state.max_extent {
            for lane in lanes(outside) {
                if self.node.get(lane) != NO_LIMITS {
                    misplaced.evicted.push(self.number * LANES + lane);
                    self.node.set(lane, NO_LIMITS);
                }
            }
            *self.bounds = self.node.bounds();
        }
    }
}

/// The fat bounds of boxes that were sorted in at `origins`.
fn fat_bounds_of<'a>(origins: impl Iterator<Item = &'a Origin>, extent_of_first: f32) -> FatBounds {
    let around = origins.fold(EMPTY, |around, origin| Aabb2d {
        min: Vec2::min(around.min, origin.center),
        max: Vec2::max(around.max, origin.center),
    });
    let margin = FAT_MARGIN * (extent_of(&around) + extent_of_first);
    FatBounds::around(&grow(&around, margin))
}
