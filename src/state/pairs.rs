//! The pairs that overlap, kept from update to update.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};
use smallvec::SmallVec;

use super::{
    colliding_pair::{StoredPair, by_id},
    lazy::Lazy,
    pair_index::{PairChange, PairIndex},
    pair_store::PairStore,
    sorted_pairs::SortedPairs,
};
use crate::{components::EntityOrder, geometry::Contact};

/// The pairs that overlap as of the last update.
#[derive(Default)]
pub(crate) struct CollidingPairs {
    /// Those of each region of the plane. After pairs were read or mapped, all are in one.
    stores: Vec<PairStore>,
    sorted: Lazy<SortedPairs>,
    index: Lazy<PairIndex>,
    /// What the index does not know yet, unless it has to be filled anew.
    changes: Vec<PairChange>,
    knows_changes: bool,
}

/// The index is filled anew after more changes than one for this many pairs, as it also is where
/// nobody has looked up a pair for long.
const PAIRS_PER_CHANGE: usize = 4;

/// In how many updates all pairs are indexed, if nobody looks up any.
const UPDATES_PER_INDEX: usize = 16;

/// Lookups.
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
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &StoredPair> {
        let stores = &self.stores;
        let sorted = self.sorted.get_or_update(|sorted| sorted.update(stores));
        sorted.iter(stores)
    }

    /// How two entities overlap, as seen from `entity`, or `None` if they do not.
    pub fn find(&self, entity: Entity, other: Entity) -> Option<Contact> {
        let ids = by_id([entity, other]);
        let store = self.index().store_of(ids)?;
        Some(self.stored(ids, store)?.seen_from(entity).1)
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        let mut others: SmallVec<[_; 16]> = self.others(entity).collect();
        others.sort_unstable_by_key(|(other, _)| *other);
        (others.into_iter()).map(|(other, contact)| (other.entity, contact))
    }

    /// Fills a list with the entities that `entity` overlaps, sorted.
    pub fn others_into(&self, entity: Entity, others: &mut Vec<EntityOrder>) {
        others.clear();
        others.extend(self.others(entity).map(|(other, _)| other));
        others.sort_unstable();
    }

    /// The entities that `entity` overlaps, in no order, each with the contact as seen from
    /// `entity`.
    fn others(&self, entity: Entity) -> impl Iterator<Item = (EntityOrder, Contact)> {
        let pairs = self.index().pairs_of(entity);
        pairs.filter_map(move |(ids, store)| Some(self.stored(ids, store)?.seen_from(entity)))
    }

    fn stored(&self, [a, b]: [Entity; 2], store: u32) -> Option<&StoredPair> {
        let store = &self.stores[store as usize];
        Some(&store.as_slice()[store.find(a, b)? as usize])
    }

    fn index(&self) -> &PairIndex {
        self.index.get_or_update(|index| {
            if self.knows_changes {
                index.apply(&self.changes);
            } else {
                index.clear();
            }
            index.extend(&self.stores, usize::MAX);
        })
    }
}

/// Changes.
impl CollidingPairs {
    /// The pairs of each region, to change them. What changes has to be
    /// [recorded](Self::record_changes).
    pub fn stores_mut(&mut self) -> &mut Vec<PairStore> {
        self.sorted.invalidate();
        &mut self.stores
    }

    /// The pairs of each region, to change them, with an index of the first ones. Each call indexes
    /// more: where little moves from update to update, soon all are indexed.
    pub fn indexed_stores_mut(&mut self) -> (&mut Vec<PairStore>, &PairIndex) {
        let pairs = self.count() / UPDATES_PER_INDEX + 1;
        self.sorted.invalidate();
        let was_current = self.index.invalidate();
        let index = self.index.outdated_mut();
        if !was_current && self.knows_changes {
            index.apply(&self.changes);
        } else if !was_current {
            index.clear();
        }
        self.changes.clear();
        self.knows_changes = true;
        index.extend(&self.stores, pairs);
        (&mut self.stores, index)
    }

    /// Records which pairs started, migrated or ended.
    pub fn record_changes(&mut self, changes: impl Iterator<Item = PairChange>) {
        if self.index.invalidate() {
            self.changes.clear();
            self.knows_changes = true;
        }
        if self.knows_changes {
            self.changes.extend(changes);
            self.knows_changes = self.changes.len() * PAIRS_PER_CHANGE <= self.count();
        }
    }
}

impl Clone for CollidingPairs {
    fn clone(&self) -> Self {
        Self {
            stores: self.stores.clone(),
            ..default()
        }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, source: &Self) {
        self.stores_mut().clone_from(&source.stores);
        self.index.invalidate();
        self.knows_changes = false;
    }
}

impl FromIterator<StoredPair> for CollidingPairs {
    fn from_iter<I: IntoIterator<Item = StoredPair>>(pairs: I) -> Self {
        let mut store = PairStore::default();
        for pair in pairs {
            let [a, b] = pair.ids();
            if store.find(a, b).is_none() {
                store.insert(pair);
            }
        }
        Self {
            stores: vec![store],
            ..default()
        }
    }
}

impl MapEntities for CollidingPairs {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        let mut is_same = |entity: Entity| mapper.get_mapped(entity) == entity;
        if (self.unsorted()).all(|pair| pair.ids().into_iter().all(&mut is_same)) {
            return;
        }
        let mapped = |pair: &StoredPair| {
            let entities = [pair.a, pair.b].map(|entity| mapper.get_mapped(entity));
            pair.with_entities(entities)
        };
        *self = self.unsorted().map(mapped).collect();
    }
}
