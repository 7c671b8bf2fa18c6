//! The order of the boxes in the leaves, kept from update to update.

use bevy::math::Vec2;

use super::{
    super::items::{BroadPhaseItems, OldIndex, is_present},
    hilbert::{HilbertCurve, center},
    node::{LANES, lanes},
};

/// The item of an empty lane, or the leaf index of an item without a lane.
pub(super) const ABSENT: u32 = u32::MAX;

/// The greatest number of latest overflow leaves, which are sorted apart from the others.
const MAX_LATEST_LEAVES: usize = 64;

/// Boxes in Hilbert order.
///
/// A sort permutes the items into the same order. Boxes that are added later, or evicted from
/// their leaf, wait in overflow leaves behind the sorted ones until the next sort.
#[derive(Default)]
pub(super) struct Order {
    /// The item at each leaf index, which is `LANES * leaf + lane`.
    pub item_indices: Vec<u32>,
    /// The leaf index of each item.
    pub leaf_indices: Vec<u32>,
    /// Where the box at each leaf index was when it was sorted in.
    pub origins: Vec<Origin>,
    /// The items that wait to be put into overflow leaves.
    pub evicted: Vec<u32>,
    /// The first leaf index of the overflow leaves.
    pub overflow_start: usize,
    /// The first leaf index of the latest overflow leaves.
    latest_start: usize,
    curve: HilbertCurve,
    /// The items to be sorted in.
    incoming: Vec<(Origin, u32)>,
    /// The permutation of the last sort.
    old_indices: Vec<OldIndex>,
}

/// Where a box was when it was sorted in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// Its index on the curve.
    hilbert_index: u64,
    pub center: Vec2,
}

impl Order {
    /// Adds the items that were appended.
    pub fn insert_new(&mut self, items: &impl BroadPhaseItems) {
        let first = self.leaf_indices.len() as u32;
        self.leaf_indices.resize(items.len(), ABSENT);
        self.evicted.extend(first..items.len() as u32);
    }

    /// Whether the curve was fitted to a very different number of boxes.
    pub fn is_curve_outdated(&self) -> bool {
        !self.curve.fits_count(self.leaf_indices.len())
    }

    /// Sorts misplaced boxes in again, drops removed ones, and permutes the items. Sorts all along
    /// a new curve if the old one does not fit.
    pub fn sort(
        &mut self,
        items: &mut impl BroadPhaseItems,
        misplaced: impl Iterator<Item = u8> + Clone,
    ) {
        if self.is_curve_outdated() || !self.sort_misplaced(items, misplaced) {
            self.sort_all(items);
        }
        items.permute(&self.old_indices);
        let count = items.len();
        for list in [&mut self.item_indices, &mut self.leaf_indices] {
            list.clear();
            list.extend(0..count as u32);
        }
        self.evicted.clear();
        // Sorted and overflow boxes do not share a leaf.
        self.overflow_start = count.next_multiple_of(LANES);
        self.latest_start = self.overflow_start;
    }

    /// The leaf index of the first box that is much larger than most.
    pub fn first_large(&self) -> usize {
        self.origins
            .partition_point(|origin| !HilbertCurve::is_large(origin.hilbert_index))
    }

    /// The item at a leaf index that is not empty. For sorted boxes both indices are equal, which
    /// saves a lookup.
    #[inline]
    pub fn item_at(&self, leaf_index: usize) -> u32 {
        if leaf_index < self.overflow_start {
            leaf_index as u32
        } else {
            self.item_indices[leaf_index]
        }
    }

    /// The index of each item before the last sort.
    pub fn old_indices(&self) -> &[OldIndex] {
        &self.old_indices
    }

    /// Puts each evicted box into its own overflow leaf, and returns the first leaf index that
    /// changed. A leaf of boxes from all over the world would overlap everything. Sorts only the
    /// latest overflow leaves until these are many, so that each leaf is sorted seldom.
    pub fn rebuild_overflow(&mut self, items: &impl BroadPhaseItems) -> usize {
        self.incoming.clear();
        // The last sorted leaf may not be full.
        let known = self.item_indices.len().saturating_sub(self.latest_start) / LANES;
        let is_merge = known + self.evicted.len() > MAX_LATEST_LEAVES;
        let start = if is_merge {
            self.overflow_start
        } else {
            self.latest_start
        };
        for leaf_index in start..self.item_indices.len() {
            self.add_incoming(self.item_indices[leaf_index], items);
        }
        self.add_evicted(items);
        self.evicted.clear();
        self.incoming
            .sort_unstable_by_key(|(origin, index)| rank(origin, *index));
        self.resize(start);
        for &(origin, index) in &self.incoming {
            let leaf_index = self.item_indices.len();
            self.leaf_indices[index as usize] = leaf_index as u32;
            self.item_indices.push(index);
            self.origins.push(origin);
            resize(
                &mut self.item_indices,
                &mut self.origins,
                leaf_index + LANES,
            );
        }
        if is_merge {
            self.latest_start = self.item_indices.len();
        }
        start
    }

    /// Removes a box from its leaf. It waits to be put into an overflow leaf.
    pub fn evict(&mut self, leaf_index: usize) {
        let index = std::mem::replace(&mut self.item_indices[leaf_index], ABSENT);
        if index != ABSENT {
            self.leaf_indices[index as usize] = ABSENT;
            self.evicted.push(index);
        }
    }

    /// Sorts misplaced and evicted boxes in. Returns false if the curve does not cover all of them.
    fn sort_misplaced(
        &mut self,
        items: &impl BroadPhaseItems,
        misplaced: impl Iterator<Item = u8> + Clone,
    ) -> bool {
        self.incoming.clear();
        let mut covers = true;
        for (leaf, mask) in misplaced.clone().enumerate() {
            for lane in lanes(mask.into()) {
                if let Some(&index) = self.item_indices.get(leaf * LANES + lane) {
                    covers &= self.add_incoming(index, items);
                }
            }
        }
        covers &= self.add_evicted(items);
        if covers {
            self.incoming
                .sort_unstable_by_key(|(origin, index)| rank(origin, *index));
            self.merge(misplaced);
        }
        covers
    }

    fn sort_all(&mut self, items: &impl BroadPhaseItems) {
        self.curve = HilbertCurve::fitted_to((0..items.len()).map(|index| items.aabb(index)));
        self.incoming.clear();
        for index in 0..items.len() as u32 {
            self.add_incoming(index, items);
        }
        self.incoming
            .sort_unstable_by_key(|(origin, index)| rank(origin, *index));
        self.merge(std::iter::empty());
        // Later sorts have few incoming boxes.
        self.incoming.shrink_to(items.len() / 4);
    }

    fn add_evicted(&mut self, items: &impl BroadPhaseItems) -> bool {
        let evicted = std::mem::take(&mut self.evicted);
        let mut covers = true;
        for &index in &evicted {
            covers &= self.add_incoming(index, items);
        }
        self.evicted = evicted;
        covers
    }

    /// Adds an item to `incoming` if it still exists. Returns false if the curve does not cover it.
    fn add_incoming(&mut self, index: u32, items: &impl BroadPhaseItems) -> bool {
        if index == ABSENT {
            return true;
        }
        let aabb = items.aabb(index as usize);
        if !is_present(&aabb) {
            self.leaf_indices[index as usize] = ABSENT;
            return true;
        }
        let center = center(&aabb);
        let hilbert_index = self.curve.index(&aabb);
        self.incoming.push((
            Origin {
                hilbert_index,
                center,
            },
            index,
        ));
        self.curve.covers(center)
    }

    /// Merges the incoming boxes with those that keep their order.
    fn merge(&mut self, misplaced: impl Iterator<Item = u8>) {
        let Self {
            item_indices,
            origins,
            incoming,
            old_indices,
            ..
        } = self;
        old_indices.clear();
        let mut upcoming = incoming.iter().peekable();
        let mut kept = 0;
        for (leaf, mask) in misplaced.enumerate() {
            let start = leaf * LANES;
            let end = (start + LANES).min(item_indices.len());
            for lane in lanes(u32::from(!mask)).take_while(|lane| start + lane < end) {
                let (origin, index) = (origins[start + lane], item_indices[start + lane]);
                while let Some((_, index)) =
                    upcoming.next_if(|(other, number)| rank(other, *number) < rank(&origin, index))
                {
                    old_indices.push(OldIndex::reinserted(*index));
                }
                old_indices.push(OldIndex::kept(index));
                origins[kept] = origin;
                kept += 1;
            }
        }
        old_indices.extend(upcoming.map(|(_, index)| OldIndex::reinserted(*index)));
        origins.resize(old_indices.len(), Origin::default());
        for (index, old) in old_indices.iter().enumerate().rev() {
            let origin = if old.is_reinserted() {
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

/// The sort key: the Hilbert index, then the item index, independent of earlier updates.
fn rank(origin: &Origin, index: u32) -> (u64, u32) {
    (origin.hilbert_index, index)
}

fn resize(item_indices: &mut Vec<u32>, origins: &mut Vec<Origin>, count: usize) {
    item_indices.resize(count, ABSENT);
    origins.resize(count, Origin::default());
}
