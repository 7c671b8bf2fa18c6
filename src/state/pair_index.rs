//! In which store each pair is, found by both of its entities or by one of them.

use bevy::{
    ecs::entity::Entity,
    platform::{collections::HashTable, hash::fixed_hash_one},
};

use super::{adjacency::Adjacency, pair_store::PairStore};

/// In which store each pair is. Pairs are known by the ids of their entities, in their order.
///
/// The first stores are indexed; to index all of them at once takes long.
#[derive(Default)]
pub(crate) struct PairIndex {
    indexed_stores: usize,
    pairs: Vec<LocatedPair>,
    /// The indices of pairs that ended, to be used again.
    free: Vec<u32>,
    /// The index of each pair in `pairs`, by the hash of its entities.
    indices: HashTable<u32>,
    adjacency: Adjacency,
}

/// A pair and the number of its store.
#[derive(Clone, Copy)]
struct LocatedPair {
    ids: [Entity; 2],
    store: u32,
}

/// A pair that started, migrated to another store, or ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairChange {
    pub ids: [Entity; 2],
    /// The number of the store where it is now, or `None` if it ended.
    pub store: Option<u32>,
}

impl PairIndex {
    /// The number of stores that are indexed.
    pub fn indexed_stores(&self) -> usize {
        self.indexed_stores
    }

    /// The store of a pair, or `None` if there is no such pair.
    pub(super) fn store_of(&self, ids: [Entity; 2]) -> Option<u32> {
        Some(self.pairs[self.find(ids)?].store)
    }

    /// The pairs of an entity with their stores, in no order.
    pub fn pairs_of(&self, entity: Entity) -> impl Iterator<Item = ([Entity; 2], u32)> {
        let pairs = self.adjacency.pairs_of(entity);
        pairs.map(|index| (self.pairs[index].ids, self.pairs[index].store))
    }

    pub(super) fn clear(&mut self) {
        self.indexed_stores = 0;
        self.pairs.clear();
        self.free.clear();
        self.indices.clear();
        self.adjacency.clear();
    }

    /// Indexes more stores, until these have this many pairs.
    pub(super) fn extend(&mut self, stores: &[PairStore], mut pairs: usize) {
        for (store, added) in (0..).zip(stores).skip(self.indexed_stores) {
            if pairs == 0 {
                return;
            }
            for pair in added.as_slice() {
                let ids = pair.ids();
                self.insert(LocatedPair { ids, store });
            }
            self.indexed_stores += 1;
            pairs = pairs.saturating_sub(added.as_slice().len());
        }
    }

    /// Follows the pairs.
    pub(super) fn apply(&mut self, changes: &[PairChange]) {
        for &PairChange { ids, store } in changes {
            let store = store.filter(|store| (*store as usize) < self.indexed_stores);
            match (self.find(ids), store) {
                (Some(index), Some(store)) => self.pairs[index].store = store,
                (Some(index), None) => self.remove(index),
                (None, Some(store)) => self.insert(LocatedPair { ids, store }),
                (None, None) => {}
            }
        }
    }

    fn find(&self, ids: [Entity; 2]) -> Option<usize> {
        let is_same = |&index: &u32| self.pairs[index as usize].ids == ids;
        let index = self.indices.find(fixed_hash_one(ids), is_same)?;
        Some(*index as usize)
    }

    fn insert(&mut self, pair: LocatedPair) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.pairs.push(pair);
            self.pairs.len() as u32 - 1
        });
        self.pairs[index as usize] = pair;
        let hash_of = |&index: &u32| fixed_hash_one(self.pairs[index as usize].ids);
        (self.indices).insert_unique(fixed_hash_one(pair.ids), index, hash_of);
        self.adjacency.insert(index as usize, pair.ids);
    }

    fn remove(&mut self, index: usize) {
        let ids = self.pairs[index].ids;
        let is_same = |&other: &u32| other as usize == index;
        if let Ok(entry) = (self.indices).find_entry(fixed_hash_one(ids), is_same) {
            entry.remove();
        }
        self.adjacency.remove(index, ids);
        self.free.push(index as u32);
    }
}
