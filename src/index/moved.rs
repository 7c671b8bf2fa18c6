//! New shapes of colliders that moved.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{broad_phase::DirtySet, geometry::Shape, memory, parallel};

/// New shapes of colliders, grouped by where the colliders are in the arrays: each group is written
/// by one thread, and fits into its cache.
#[derive(Default)]
pub(super) struct MovedColliders {
    blocks: Vec<Vec<MovedCollider>>,
}

/// The new shape of the collider at an index.
struct MovedCollider {
    index: u32,
    shape: Shape,
}

/// The number of colliders in a group.
const COLLIDERS_PER_BLOCK: usize = 8192;

impl MovedColliders {
    #[inline(always)]
    pub fn push(&mut self, index: usize, shape: Shape) {
        let block = index / COLLIDERS_PER_BLOCK;
        if block >= self.blocks.len() {
            self.blocks.resize_with(block + 1, Vec::new);
        }
        let list = &mut self.blocks[block];
        if list.len() == list.capacity() {
            // By an eighth instead of by twice: there are many lists.
            list.reserve_exact(list.len() / 8 + 16);
        }
        let index = index as u32;
        list.push(MovedCollider { index, shape });
    }

    pub fn clear(&mut self) {
        self.blocks.iter_mut().for_each(memory::clear);
    }

    fn len(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    fn block(&self, number: usize) -> &[MovedCollider] {
        self.blocks.get(number).map_or(&[], Vec::as_slice)
    }
}

impl MovedColliders {
    /// Stores the new shapes, and marks those that differ as dirty. Returns whether any does.
    pub fn apply<'a>(
        moved: impl Iterator<Item = &'a Self> + Clone + Sync,
        shapes: &mut [Option<Shape>],
        dirty: &mut DirtySet,
    ) -> bool {
        let count = moved.clone().map(Self::len).sum();
        let blocks = dirty.blocks(shapes.len(), COLLIDERS_PER_BLOCK);
        let blocks = blocks
            .zip(shapes.chunks_mut(COLLIDERS_PER_BLOCK))
            .enumerate();
        let has_changes = AtomicBool::new(false);
        parallel::for_each(count, blocks, |(number, (mut dirty, shapes))| {
            let first = (number * COLLIDERS_PER_BLOCK) as u32;
            for moved in moved.clone().flat_map(|moved| moved.block(number)) {
                let index = moved.index - first;
                let known = shapes[index as usize].as_mut();
                if known.is_some_and(|known| known.set_if_neq(&moved.shape)) {
                    dirty.insert(index);
                    has_changes.store(true, Ordering::Relaxed);
                }
            }
        });
        has_changes.into_inner()
    }
}
