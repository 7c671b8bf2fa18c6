//! All pairs, sorted by their entities.

use super::{colliding_pair::StoredPair, pair_store::PairStore};

/// Where all pairs are stored, sorted by their entities.
#[derive(Default)]
pub(super) struct SortedPairs(Vec<PairLocation>);

/// Where a pair is stored.
#[derive(Clone, Copy)]
struct PairLocation {
    store: u32,
    /// In the store.
    index: u32,
}

impl SortedPairs {
    pub fn update(&mut self, stores: &[PairStore]) {
        let locations = (0..).zip(stores).flat_map(|(store, pairs)| {
            let indices = 0..pairs.as_slice().len() as u32;
            indices.map(move |index| PairLocation { store, index })
        });
        self.0.clear();
        self.0.extend(locations);
        (self.0).sort_unstable_by_key(|location| location.pair(stores).orders());
    }

    pub fn iter<'a>(
        &'a self,
        stores: &'a [PairStore],
    ) -> impl ExactSizeIterator<Item = &'a StoredPair> {
        self.0.iter().map(|location| location.pair(stores))
    }
}

impl PairLocation {
    fn pair(self, stores: &[PairStore]) -> &StoredPair {
        &stores[self.store as usize].as_slice()[self.index as usize]
    }
}
