//! The order of the boxes in the tree, kept from run to run.

use bevy::math::Vec2;

use super::{
    super::{BroadPhaseItems, OldIndex, is_present},
    hilbert::{HilbertCurve, center},
    node::{LANES, lanes},
};

/// What is in the order no more, or not yet.
pub(super) const ABSENT: u32 = u32::MAX;

/// Boxes along a curve: what is near each other in it is so in the world.
///
/// When it is sorted, the arrangement gets the same order. What comes later, or leaves its leaf far behind, is put at the end until
/// the next sort.
#[derive(Default)]
pub(super) struct Order {
    /// The index in the arrangement of what is at each leaf_index in the order.
    pub item_indices: Vec<u32>,
    /// Where in the order each index is.
    pub leaf_indices: Vec<u32>,
    /// Where the box at each leaf_index was when it was sorted in.
    pub origins: Vec<Origin>,
    /// The item_indices that wait to be put at the end.
    pub evicted: Vec<u32>,
    /// Where the end begins: behind what was sorted.
    pub overflow_start: usize,
    curve: HilbertCurve,
    /// What is sorted in.
    incoming: Vec<(Origin, u32)>,
    /// Where what is at each index was before the last sort.
    former: Vec<OldIndex>,
}

/// Where a box was when it was sorted in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// Its index on the curve.
    key: u64,
    pub center: Vec2,
}

impl Order {
    /// Lets in what is new.
    pub fn insert_new(&mut self, items: &impl BroadPhaseItems) {
        let first = self.leaf_indices.len() as u32;
        self.leaf_indices.resize(items.len(), ABSENT);
        self.evicted.extend(first..items.len() as u32);
    }

    /// Whether the curve is for quite another number of boxes.
    pub fn is_curve_outdated(&self) -> bool {
        !self.curve.fits_count(self.leaf_indices.len())
    }

    /// Sorts the waiting lanes of each leaf in again, or drops them; or everything, along a new curve, if the old one does not fit.
    /// The arrangement follows.
    pub fn sort(
        &mut self,
        items: &mut impl BroadPhaseItems,
        waiting: impl Iterator<Item = u8> + Clone,
    ) {
        if self.is_curve_outdated() || !self.sort_misplaced(items, waiting) {
            self.sort_all(items);
        }
        items.permute(&self.former);
        let count = items.len();
        for list in [&mut self.item_indices, &mut self.leaf_indices] {
            list.clear();
            list.extend(0..count as u32);
        }
        self.evicted.clear();
        // The leaves of the overflow_start are its own.
        self.overflow_start = count.next_multiple_of(LANES);
    }

    /// Where the boxes begin that are much larger than most.
    pub fn first_large(&self) -> usize {
        self.origins
            .partition_point(|origin| !HilbertCurve::is_large(origin.key))
    }

    /// The index of what is there at a leaf_index. What was sorted has item_indices like its leaf_indices, which saves a look.
    #[inline]
    pub fn item_at(&self, leaf_index: usize) -> u32 {
        if leaf_index < self.overflow_start {
            leaf_index as u32
        } else {
            self.item_indices[leaf_index]
        }
    }

    /// The index that what is at each index had before the last sort.
    pub fn former(&self) -> &[OldIndex] {
        &self.former
    }

    /// Puts the evicted at the end, each into a leaf of its own: a leaf of what is all over the world would overlap everything. The
    /// end is sorted by itself. Gives the leaf_index where it begins.
    pub fn rebuild_overflow(&mut self, items: &impl BroadPhaseItems) -> usize {
        self.incoming.clear();
        for leaf_index in self.overflow_start..self.item_indices.len() {
            self.take(self.item_indices[leaf_index], items);
        }
        self.add_evicted(items);
        self.evicted.clear();
        self.incoming.sort_unstable_by_key(rank);
        self.resize(self.overflow_start);
        for &(origin, index) in &self.incoming {
            let leaf_index = self.item_indices.len();
            self.leaf_indices[index as usize] = leaf_index as u32;
            self.item_indices.push(index);
            self.origins.push(origin);
            resize(&mut self.item_indices, &mut self.origins, leaf_index + LANES);
        }
        self.overflow_start
    }

    /// Takes what is at a leaf_index out of the order, to be put at its end.
    pub fn evict(&mut self, leaf_index: usize) {
        let index = std::mem::replace(&mut self.item_indices[leaf_index], ABSENT);
        if index != ABSENT {
            self.leaf_indices[index as usize] = ABSENT;
            self.evicted.push(index);
        }
    }

    /// False, if the curve does not reach all that is to be sorted in.
    fn sort_misplaced(
        &mut self,
        items: &impl BroadPhaseItems,
        waiting: impl Iterator<Item = u8> + Clone,
    ) -> bool {
        self.incoming.clear();
        let mut covers = true;
        for (leaf, mask) in waiting.clone().enumerate() {
            for lane in lanes(mask.into()) {
                if let Some(&index) = self.item_indices.get(leaf * LANES + lane) {
                    covers &= self.take(index, items);
                }
            }
        }
        covers &= self.add_evicted(items);
        if covers {
            self.incoming.sort_unstable_by_key(rank);
            self.merge(waiting);
        }
        covers
    }

    fn sort_all(&mut self, items: &impl BroadPhaseItems) {
        self.curve = HilbertCurve::fit((0..items.len()).map(|index| items.aabb(index)));
        self.incoming.clear();
        for index in 0..items.len() as u32 {
            self.take(index, items);
        }
        self.incoming.sort_unstable_by_key(rank);
        self.merge(std::iter::empty());
        // So many will not come at once again.
        self.incoming.shrink_to(items.len() / 4);
    }

    fn add_evicted(&mut self, items: &impl BroadPhaseItems) -> bool {
        let evicted = std::mem::take(&mut self.evicted);
        let mut covers = true;
        for &index in &evicted {
            covers &= self.take(index, items);
        }
        self.evicted = evicted;
        covers
    }

    /// Lists what is to be sorted in, if it is still there. False, if the curve does not reach it.
    fn take(&mut self, index: u32, items: &impl BroadPhaseItems) -> bool {
        if index == ABSENT {
            return true;
        }
        let aabb = items.aabb(index as usize);
        if !is_present(&aabb) {
            self.leaf_indices[index as usize] = ABSENT;
            return true;
        }
        let center = center(&aabb);
        let key = self.curve.key(&aabb);
        self.incoming.push((Origin { key, center }, index));
        self.curve.covers(center)
    }

    /// Puts what comes between what stays.
    fn merge(&mut self, waiting: impl Iterator<Item = u8>) {
        let Self {
            item_indices,
            origins,
            incoming,
            former,
            ..
        } = self;
        former.clear();
        let mut upcoming = incoming.iter().peekable();
        let mut kept = 0;
        for (leaf, mask) in waiting.enumerate() {
            let start = leaf * LANES;
            let end = (start + LANES).min(item_indices.len());
            for lane in lanes(u32::from(!mask)).take_while(|lane| start + lane < end) {
                let (origin, index) = (origins[start + lane], item_indices[start + lane]);
                while let Some((_, index)) =
                    upcoming.next_if(|other| rank(other) < (origin.key, index))
                {
                    former.push(OldIndex::anywhere(*index));
                }
                former.push(OldIndex::in_order(index));
                origins[kept] = origin;
                kept += 1;
            }
        }
        former.extend(upcoming.map(|(_, index)| OldIndex::anywhere(*index)));
        origins.resize(former.len(), Origin::default());
        for (index, former) in former.iter().enumerate().rev() {
            let origin = if former.is_from_anywhere() {
                incoming.pop().map(|(origin, _)| origin)
            } else {
                kept -= 1;
                Some(origins[kept])
            };
            origins[index] = origin.unwrap_or_default();
        }
    }

    fn resize(&mut self, count: usize) {
        resize(&mut self.item_indices, &mut self.origins, count);
    }
}

/// The index makes the order the same whatever was before.
fn rank((origin, index): &(Origin, u32)) -> (u64, u32) {
    (origin.key, *index)
}

fn resize(item_indices: &mut Vec<u32>, origins: &mut Vec<Origin>, count: usize) {
    item_indices.resize(count, ABSENT);
    origins.resize(count, Origin::default());
}
