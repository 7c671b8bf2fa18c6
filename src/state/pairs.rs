//! The pairs that overlap, kept from update to update.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};

use super::{
    colliding_pair::CollidingPair,
    pair_store::PairStore,
    views::{Adjacency, Lazy, SortedPairs},
};
use crate::geometry::Contact;

/// The pairs that overlap as of the last update.
#[derive(Default)]
pub(crate) struct CollidingPairs {
    /// Those of each region of the plane. After pairs were read or mapped, all are in one.
    stores: Vec<PairStore>,
    sorted: Lazy<SortedPairs>,
    adjacency: Lazy<Adjacency>,
}

impl CollidingPairs {
    /// The number of pairs.
    pub fn count(&self) -> usize {
        let stores = self.stores.iter();
        stores.map(|store| store.as_slice().len()).sum()
    }

    /// All pairs, in no order.
    pub fn unsorted(&self) -> impl Iterator<Item = &CollidingPair> {
        self.stores.iter().flat_map(PairStore::as_slice)
    }

    /// All pairs, sorted by their entities.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &CollidingPair> {
        let stores = &self.stores;
        let sorted = self.sorted.get_or_update(|sorted| sorted.update(stores));
        sorted.locations().map(|location| location.pair(stores))
    }

    /// How two entities overlap, as seen from `entity`, or `None` if they do not.
    pub fn find(&self, entity: Entity, other: Entity) -> Option<Contact> {
        self.adjacency().find(&self.stores, entity, other)
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        let endpoints = self.adjacency().of(entity).iter();
        endpoints.map(|endpoint| (endpoint.other.entity, endpoint.contact(&self.stores)))
    }

    /// The pairs of each region, to change them.
    pub fn stores_mut(&mut self) -> &mut Vec<PairStore> {
        self.sorted.invalidate();
        self.adjacency.invalidate();
        &mut self.stores
    }

    fn adjacency(&self) -> &Adjacency {
        (self.adjacency).get_or_update(|adjacency| adjacency.update(&self.stores))
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
    }
}

impl FromIterator<CollidingPair> for CollidingPairs {
    fn from_iter<I: IntoIterator<Item = CollidingPair>>(pairs: I) -> Self {
        let mut store = PairStore::default();
        for pair in pairs {
            if store.find(pair.a, pair.b).is_none() {
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
        if (self.unsorted()).all(|pair| is_same(pair.a) && is_same(pair.b)) {
            return;
        }
        let mapped = |pair: &CollidingPair| {
            let entities = [pair.a, pair.b].map(|entity| mapper.get_mapped(entity));
            pair.with_entities(entities)
        };
        *self = self.unsorted().map(mapped).collect();
    }
}
