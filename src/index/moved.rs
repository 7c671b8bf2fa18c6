use std::{
    hint::black_box,
    sync::atomic::{AtomicBool, Ordering},
};

use super::ColliderIndex;
use crate::{broad_phase::BroadPhase, geometry::Shape, memory, parallel};

/// Colliders that have moved, by the part of the memory where they lie. Their places are spread over all of it; part by part, each
/// fits into the processor's cache, and several threads may write at a time.
#[derive(Default)]
pub(super) struct MovedColliders {
    blocks: Vec<Vec<MovedCollider>>,
}

/// The new shape of the collider at a place.
struct MovedCollider {
    place: u32,
    shape: Shape,
}

/// How many places are written by one thread at a time.
const PLACES_PER_BLOCK: usize = 8192;
/// Reading so many places in order takes less than waiting for one.
const FETCHED_PER_WRITTEN: usize = 8;

impl MovedColliders {
    #[inline(always)]
    pub fn push(&mut self, place: usize, shape: Shape) {
        let block = place / PLACES_PER_BLOCK;
        if block >= self.blocks.len() {
            self.blocks.resize_with(block + 1, Vec::new);
        }
        let list = &mut self.blocks[block];
        if list.len() == list.capacity() {
            // Less than the usual twice as much: there are many lists.
            list.reserve_exact(list.len() / 8 + 16);
        }
        let place = place as u32;
        list.push(MovedCollider { place, shape });
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

impl ColliderIndex {
    /// Takes in what has moved since the places were given.
    pub(super) fn take_in<'a>(
        &mut self,
        moved: impl Iterator<Item = &'a MovedColliders> + Clone + Sync,
    ) {
        let count = moved.clone().map(MovedColliders::len).sum();
        let shapes = self.colliders.shapes.as_mut_slice();
        let dirty = self.broad_phase.dirty();
        let blocks = dirty.blocks(shapes.len(), PLACES_PER_BLOCK);
        let blocks = blocks.zip(shapes.chunks_mut(PLACES_PER_BLOCK)).enumerate();
        let has_changes = AtomicBool::new(false);
        parallel::for_each(count, blocks, |(number, (mut dirty, shapes))| {
            let first = (number * PLACES_PER_BLOCK) as u32;
            let count: usize = moved.clone().map(|moved| moved.block(number).len()).sum();
            if count > shapes.len() / FETCHED_PER_WRITTEN {
                fetch(shapes);
            }
            for moved in moved.clone().flat_map(|moved| moved.block(number)) {
                let place = moved.place - first;
                let is_different = match &mut shapes[place as usize] {
                    Some(known) => known.set_if_neq(&moved.shape),
                    gone => {
                        *gone = Some(moved.shape.clone());
                        true
                    }
                };
                if is_different {
                    dirty.insert(place);
                    has_changes.store(true, Ordering::Relaxed);
                }
            }
        });
        self.has_changes |= has_changes.into_inner();
    }
}

/// Reads shapes in order, so that they are in the processor's cache when some are written to in another one.
fn fetch(shapes: &[Option<Shape>]) {
    black_box(shapes.iter().filter(|shape| shape.is_some()).count());
}
