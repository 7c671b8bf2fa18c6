//! Filling the nodes of the tree with boxes.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{
    super::{BroadPhaseItems, EMPTY},
    BoxTree, Level,
    hilbert::size,
    node::{FatBounds, LANES, Limits, NO_LIMITS, Node, lanes, limits, extent},
    order::{ABSENT, Order, Origin},
};
use crate::{aabb::grown, parallel};

/// How far a box may be from its fat_bounds, relative to the fat_bounds's size, before it gets a new one.
const FAT_MARGIN: f32 = 0.15;
/// What strayed from a leaf has to leave it at once when the leaf becomes so much larger.
const MAX_GROWTH: f32 = 4.0;
/// How many leaves are filled by one thread at a time.
const LEAVES_PER_CHUNK: usize = 512;

/// What is not near its fat_bounds any more.
#[derive(Default)]
pub(super) struct Misplaced {
    /// How many boxes have to be sorted in again.
    count: usize,
    /// The leaf_indices of those that have to leave at once.
    evicted: Vec<usize>,
}

/// What a leaf's boxes are measured by when they move.
#[derive(Clone, Copy, Default)]
pub(super) struct LeafState {
    /// Around the centers of the boxes when they were sorted, and somewhat more.
    pub fat_bounds: FatBounds,
    /// How large the leaf may become before what strayed from it has to leave it.
    pub largest: f32,
    /// The lanes that wait to be sorted in or dropped: they came, left, or strayed from fat_bounds.
    pub waiting: u8,
}

/// A leaf that is being filled.
struct Leaf<'a> {
    number: usize,
    node: &'a mut Node,
    bounds: &'a mut Limits,
    leaf_state: &'a mut LeafState,
}

impl BoxTree {
    /// Puts the boxes into the leaves from one on, in parallel, and looks which are not near their homes any more. Leaves that were just
    /// sorted get their homes first.
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
            ..
        } = self;
        let Level { nodes, bounds, .. } = &mut levels[0];
        let count = nodes.len() - first;
        misplaced_of_chunks.resize_with(count.div_ceil(LEAVES_PER_CHUNK), Misplaced::default);
        let blocks = nodes[first..]
            .chunks_mut(LEAVES_PER_CHUNK)
            .zip(bounds[first..].chunks_mut(LEAVES_PER_CHUNK))
            .zip(leaf_states[first..].chunks_mut(LEAVES_PER_CHUNK))
            .zip(misplaced_of_chunks.iter_mut())
            .enumerate();
        parallel::for_each(
            count * LANES,
            blocks,
            |(block, (((nodes, bounds), leaf_states), misplaced))| {
                let numbers = first + block * LEAVES_PER_CHUNK..;
                let leaves = nodes.iter_mut().zip(bounds).zip(leaf_states).zip(numbers);
                for (((node, bounds), leaf_state), number) in leaves {
                    let mut leaf = Leaf {
                        number,
                        node,
                        bounds,
                        leaf_state,
                    };
                    leaf.fill(order, items);
                    if SORTED {
                        leaf.settle(order);
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

    /// Fits the nodes above the leaves.
    pub(super) fn refit_inner(&mut self) {
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let Level { nodes, bounds, .. } = &mut above[0];
            let children = below[level - 1].bounds.chunks(LANES);
            for (children, (node, bounds)) in children.zip(nodes.iter_mut().zip(bounds)) {
                let mut rows = [NO_LIMITS; LANES];
                rows[..children.len()].copy_from_slice(children);
                (*node, *bounds) = Node::of(&rows);
            }
        }
    }
}

impl Leaf<'_> {
    /// The item_indices of its boxes.
    fn item_indices<'a>(&self, order: &'a Order) -> &'a [u32] {
        let item_indices = &order.item_indices[self.number * LANES..];
        &item_indices[..item_indices.len().min(LANES)]
    }

    #[inline]
    fn fill(&mut self, order: &Order, items: &impl BroadPhaseItems) {
        let mut rows = [NO_LIMITS; LANES];
        for (row, &index) in rows.iter_mut().zip(self.item_indices(order)) {
            if index != ABSENT {
                *row = limits(&items.aabb(index as usize));
            }
        }
        (*self.node, *self.bounds) = Node::of(&rows);
    }

    /// Makes a fat_bounds of where its boxes were sorted in.
    fn settle(&mut self, order: &Order) {
        let item_indices = self.item_indices(order).iter();
        let origins = item_indices.zip(&order.origins[self.number * LANES..]);
        let origins = origins.take_while(|(index, _)| **index != ABSENT);
        let extent_of_first = extent(self.node.get(0));
        self.leaf_state.fat_bounds = fat_bounds_of(origins.map(|(_, origin)| origin), extent_of_first);
        self.leaf_state.largest = MAX_GROWTH * extent(*self.bounds);
    }

    /// Notes which boxes are not near fat_bounds any more. If they make the leaf much larger they have to leave.
    fn find_misplaced(&mut self, misplaced: &mut Misplaced) {
        // What is not there is away, too.
        let away = self.node.outside_mask(&self.leaf_state.fat_bounds);
        misplaced.count += (away & !u32::from(self.leaf_state.waiting)).count_ones() as usize;
        self.leaf_state.waiting |= away as u8;
        if extent(*self.bounds) > self.leaf_state.largest {
            for lane in lanes(away) {
                if self.node.get(lane) != NO_LIMITS {
                    misplaced.evicted.push(self.number * LANES + lane);
                    self.node.set(lane, NO_LIMITS);
                }
            }
            *self.bounds = self.node.bounds();
        }
    }
}

/// A fat_bounds for boxes that were sorted in there, the first of which is so large.
fn fat_bounds_of<'a>(origins: impl Iterator<Item = &'a Origin>, extent_of_first: f32) -> FatBounds {
    let around = origins.fold(EMPTY, |around, origin| Aabb2d {
        min: Vec2::min(around.min, origin.center),
        max: Vec2::max(around.max, origin.center),
    });
    FatBounds::around(&grown(&around, FAT_MARGIN * (size(&around) + extent_of_first)))
}
