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
    /// By the index of the pair.
    marks: Vec<Mark>,
    /// The index of each pair in `pairs`, by the hash of its entities.
    indices: HashTable<u32>,
}

/// What an update reads of every pair, also of those that rest. It is small, and apart from them.
#[derive(Clone, Copy)]
struct Mark {
    /// The slots of the two colliders in the index.
    slots: [u32; 2],
    /// Whether this update found the pair to overlap.
    is_touching: bool,
}

/// The entities of a pair, and their hash, for lookups in several stores.
#[derive(Clone, Copy)]
pub(super) struct PairKey {
    ids: [Entity; 2],
    hash: u64,
}

impl PairKey {
    pub fn new(entities: [Entity; 2]) -> Self {
        let ids = by_id(entities);
        let hash = fixed_hash_one(ids);
        Self { ids, hash }
    }
}

impl Clone for PairStore {
    fn clone(&self) -> Self {
        Self {
            pairs: self.pairs.clone(),
            marks: self.marks.clone(),
            indices: self.indices.clone(),
        }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, source: &Self) {
        self.pairs.clear();
        self.marks.clear();
        self.indices.clear();
        for (&pair, mark) in source.pairs.iter().zip(&source.marks) {
            self.insert(pair, mark.slots);
        }
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
        self.find_key(PairKey::new([a, b]))
    }

    #[inline]
    fn find_key(&self, PairKey { ids, hash }: PairKey) -> Option<u32> {
        let is_same = |&index: &u32| self.pairs[index as usize].ids() == ids;
        self.indices.find(hash, is_same).copied()
    }

    /// A pair, or `None` if it is not stored.
    pub(super) fn get(&self, key: PairKey) -> Option<&StoredPair> {
        Some(&self.pairs[self.find_key(key)? as usize])
    }

    /// Takes all pairs for separated, until the update finds them to be touching.
    pub fn clear_touching(&mut self) {
        for mark in &mut self.marks {
            mark.is_touching = false;
        }
    }

    /// Replaces the pair at `index` by the same pair as it touches now. Returns the former.
    #[inline]
    pub fn replace(&mut self, index: u32, pair: StoredPair, slots: [u32; 2]) -> StoredPair {
        self.marks[index as usize] = Mark {
            slots,
            is_touching: true,
        };
        std::mem::replace(&mut self.pairs[index as usize], pair)
    }

    /// Adds a pair that touches and is not stored yet.
    pub fn insert(&mut self, pair: StoredPair, slots: [u32; 2]) {
        let index = self.pairs.len() as u32;
        let hash_of = |&index: &u32| fixed_hash_one(self.pairs[index as usize].ids());
        (self.indices).insert_unique(fixed_hash_one(pair.ids()), index, hash_of);
        if self.pairs.len() == self.pairs.capacity() {
            // Grows by less than the usual factor of two: there are many stores.
            let more = self.pairs.len() / 8 + 4;
            self.pairs.reserve_exact(more);
            self.marks.reserve_exact(more);
        }
        self.pairs.push(pair);
        self.marks.push(Mark {
            slots,
            is_touching: true,
        });
    }

    /// Removes the pairs that this update did not find to be touching, unless both colliders rest.
    /// Visits them with their slots.
    pub fn remove_separated(
        &mut self,
        rests: impl Fn(u32) -> bool,
        mut visit: impl FnMut(&StoredPair, [u32; 2]),
    ) {
        for index in (0..self.pairs.len()).rev() {
            let Mark { slots, is_touching } = self.marks[index];
            if !is_touching && !slots.into_iter().all(&rests) {
                visit(&self.pairs[index], slots);
                self.swap_remove(index);
            }
        }
    }

    /// Removes a pair; the last one moves to its index.
    fn swap_remove(&mut self, index: usize) {
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
        self.marks.swap_remove(index);
    }
}
