//! A set of overlapping pairs, found by their entities in constant time.

use bevy::{
    ecs::entity::Entity,
    platform::{collections::HashTable, hash::fixed_hash_one},
};

use super::colliding_pair::{StoredPair, by_id};

/// Pairs in no particular order. A pair keeps its index until a pair is removed.
#[derive(Default)]
pub(crate) struct PairStore {
    pairs: Vec<StoredPair>,
    /// The index of each pair in `pairs`, by the hash of its entities.
    indices: HashTable<u32>,
}

impl Clone for PairStore {
    fn clone(&self) -> Self {
        Self {
            pairs: self.pairs.clone(),
            indices: self.indices.clone(),
        }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, source: &Self) {
        self.pairs.clear();
        self.indices.clear();
        source.pairs.iter().for_each(|&pair| self.insert(pair));
    }
}

impl PairStore {
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub fn as_slice(&self) -> &[StoredPair] {
        &self.pairs
    }

    /// The index of a pair, or `None` if it is not stored.
    #[inline]
    pub fn find(&self, a: Entity, b: Entity) -> Option<u32> {
        let ids = by_id([a, b]);
        let is_same = |&index: &u32| self.pairs[index as usize].ids() == ids;
        (self.indices.find(fixed_hash_one(ids), is_same)).copied()
    }

    /// Clears [`is_touching`](StoredPair::is_touching) for the next update. That also loads the
    /// pairs into the cache in order, before they are looked up at random.
    pub fn clear_touching(&mut self) {
        for pair in &mut self.pairs {
            pair.is_touching = false;
        }
    }

    /// Clears [`is_touching`](StoredPair::is_touching) of one pair.
    pub fn clear_touching_of(&mut self, index: u32) {
        self.pairs[index as usize].is_touching = false;
    }

    /// Replaces the pair at `index` by the same pair as it touches now. Returns the former.
    #[inline]
    pub fn replace(&mut self, index: u32, pair: StoredPair) -> StoredPair {
        std::mem::replace(&mut self.pairs[index as usize], pair)
    }

    /// Adds a pair that is not stored yet.
    pub fn insert(&mut self, pair: StoredPair) {
        let index = self.pairs.len() as u32;
        let hash_of = |&index: &u32| fixed_hash_one(self.pairs[index as usize].ids());
        (self.indices).insert_unique(fixed_hash_one(pair.ids()), index, hash_of);
        if self.pairs.len() == self.pairs.capacity() {
            // Grows by less than the usual factor of two: there are many stores.
            self.pairs.reserve_exact(self.pairs.len() / 8 + 4);
        }
        self.pairs.push(pair);
    }

    /// Removes the pairs that are not touching and for which `is_separated` holds.
    pub fn remove_separated(&mut self, mut is_separated: impl FnMut(&StoredPair) -> bool) {
        for index in (0..self.pairs.len()).rev() {
            if !self.pairs[index].is_touching && is_separated(&self.pairs[index]) {
                self.swap_remove(index);
            }
        }
    }

    /// Removes a pair; the last one moves to its index.
    pub fn swap_remove(&mut self, index: usize) {
        let last = self.pairs.len() - 1;
        let hash_at = |index: usize| fixed_hash_one(self.pairs[index].ids());
        let (removed_hash, last_hash) = (hash_at(index), hash_at(last));
        let removed = (self.indices).find_entry(removed_hash, |&other| other as usize == index);
        if let Ok(entry) = removed {
            entry.remove();
        }
        if let Some(moved) = (self.indices).find_mut(last_hash, |&other| other as usize == last) {
            *moved = index as u32;
        }
        self.pairs.swap_remove(index);
    }
}
