//! Which pairs overlap, found by their entities in constant time.

use bevy::{
    ecs::entity::Entity,
    platform::{collections::HashTable, hash::fixed_hash_one},
};

use super::CollidingPair;

/// Pairs without an order, each at a place that it keeps until one before it is removed.
#[derive(Default)]
pub(super) struct PairStore {
    pairs: Vec<CollidingPair>,
    /// The place of each pair.
    locations: HashTable<u32>,
}

impl PairStore {
    pub fn as_slice(&self) -> &[CollidingPair] {
        &self.pairs
    }

    /// The place of a pair.
    #[inline]
    pub fn find(&self, entities: (Entity, Entity)) -> Option<u32> {
        let is_same = |&place: &u32| self.pairs[place as usize].key() == entities;
        self.locations
            .find(fixed_hash_one(entities), is_same)
            .copied()
    }

    /// Forgets which pairs were confirmed in the last run. That also brings them into the cache, one after another, before they are
    /// looked up at random.
    pub fn clear_touching(&mut self) {
        for pair in &mut self.pairs {
            pair.is_touching = false;
        }
    }

    /// Takes in how a pair overlaps that is at a place already.
    #[inline]
    pub fn mark_touching(&mut self, place: u32, pair: CollidingPair) {
        self.pairs[place as usize] = pair;
    }

    /// Adds a pair that is not there.
    pub fn insert(&mut self, pair: CollidingPair) {
        let place = self.pairs.len() as u32;
        let hash_of = |&place: &u32| fixed_hash_one(self.pairs[place as usize].key());
        self.locations
            .insert_unique(fixed_hash_one(pair.key()), place, hash_of);
        if self.pairs.len() == self.pairs.capacity() {
            // Less than the usual twice as much: there are many stores.
            self.pairs.reserve_exact(self.pairs.len() / 8 + 4);
        }
        self.pairs.push(pair);
    }

    /// Removes the pairs that were not confirmed and for which `is_separated` holds.
    pub fn remove_separated(&mut self, mut is_separated: impl FnMut(&CollidingPair) -> bool) {
        for place in (0..self.pairs.len()).rev() {
            if !self.pairs[place].is_touching && is_separated(&self.pairs[place]) {
                self.remove(place);
            }
        }
    }

    /// The last pair takes the place of the one that goes.
    fn remove(&mut self, place: usize) {
        let last = self.pairs.len() - 1;
        let hash_at = |place: usize| fixed_hash_one(self.pairs[place].key());
        let (removed_hash, last_hash) = (hash_at(place), hash_at(last));
        if let Ok(entry) =
            (self.locations).find_entry(removed_hash, |&other| other as usize == place)
        {
            entry.remove();
        }
        if let Some(moved) = (self.locations).find_mut(last_hash, |&other| other as usize == last) {
            *moved = place as u32;
        }
        self.pairs.swap_remove(place);
    }
}
