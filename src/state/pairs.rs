//! The pairs that overlap, kept from update to update.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};

use super::{
    colliding_pair::StoredPair,
    pair_store::{PairKey, PairStore},
};

/// The slots of the colliders of a pair that was read or mapped: the next update finds them anew.
const NO_SLOTS: [u32; 2] = [u32::MAX; 2];

/// The pairs that overlap as of the last update.
#[derive(Default)]
pub(crate) struct CollidingPairs {
    /// Those of each region of the plane. After pairs were read or mapped, all are in one.
    pub stores: Vec<PairStore>,
}

impl CollidingPairs {
    /// The number of pairs.
    pub fn count(&self) -> usize {
        let stores = self.stores.iter();
        stores.map(|store| store.as_slice().len()).sum()
    }

    /// All pairs, in no order.
    pub fn unsorted(&self) -> impl Iterator<Item = &StoredPair> {
        self.stores.iter().flat_map(PairStore::as_slice)
    }

    /// All pairs, sorted by their entities.
    pub fn sorted(&self) -> Vec<&StoredPair> {
        let mut pairs: Vec<_> = self.unsorted().collect();
        pairs.sort_unstable_by_key(|pair| pair.orders());
        pairs
    }

    /// The pair of two entities, or `None` if they do not overlap.
    pub fn find(&self, a: Entity, b: Entity) -> Option<&StoredPair> {
        self.find_near(a, b, [])
    }

    /// Like [`find`](Self::find), in these stores first. There is one for some 500 colliders.
    pub fn find_near(
        &self,
        a: Entity,
        b: Entity,
        stores: impl IntoIterator<Item = usize>,
    ) -> Option<&StoredPair> {
        let key = PairKey::new([a, b]);
        let first = stores
            .into_iter()
            .filter_map(|store| self.stores.get(store));
        first.chain(&self.stores).find_map(|store| store.get(key))
    }
}

impl Clone for CollidingPairs {
    fn clone(&self) -> Self {
        let stores = self.stores.clone();
        Self { stores }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, source: &Self) {
        self.stores.clone_from(&source.stores);
    }
}

impl FromIterator<StoredPair> for CollidingPairs {
    fn from_iter<I: IntoIterator<Item = StoredPair>>(pairs: I) -> Self {
        let mut store = PairStore::default();
        for pair in pairs {
            if store.find(pair.a, pair.b).is_none() {
                store.insert(pair, NO_SLOTS);
            }
        }
        let stores = vec![store];
        Self { stores }
    }
}

impl MapEntities for CollidingPairs {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        let mut is_same = |entity: Entity| mapper.get_mapped(entity) == entity;
        if (self.unsorted()).all(|pair| [pair.a, pair.b].into_iter().all(&mut is_same)) {
            return;
        }
        let mapped = |pair: &StoredPair| {
            let entities = [pair.a, pair.b].map(|entity| mapper.get_mapped(entity));
            pair.with_entities(entities)
        };
        *self = self.unsorted().map(mapped).collect();
    }
}
