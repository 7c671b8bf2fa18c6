//! Orders of the pairs, each computed when it is first needed after an update.

use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::ecs::entity::Entity;

use super::{colliding_pair::CollidingPair, pair_store::PairStore};
use crate::{components::EntityOrder, geometry::Contact};

/// A value that is computed when it is first needed, and computed again in the same memory.
#[derive(Default)]
pub(super) struct Lazy<T> {
    current: OnceLock<T>,
    /// The outdated value, for its memory.
    outdated: Mutex<T>,
}

impl<T: Default> Lazy<T> {
    /// Returns the value, and updates it first if it has been
    /// [invalidated](Self::invalidate).
    pub fn get_or_update(&self, update: impl FnOnce(&mut T)) -> &T {
        self.current.get_or_init(|| {
            let mut outdated = (self.outdated.lock()).unwrap_or_else(PoisonError::into_inner);
            let mut value = std::mem::take(&mut *outdated);
            update(&mut value);
            value
        })
    }

    pub fn invalidate(&mut self) {
        if let Some(value) = self.current.take() {
            *(self.outdated.get_mut()).unwrap_or_else(PoisonError::into_inner) = value;
        }
    }
}

/// Where a pair is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairLocation {
    store: u32,
    /// In the store.
    index: u32,
}

impl PairLocation {
    pub fn pair(self, stores: &[PairStore]) -> &CollidingPair {
        &stores[self.store as usize].as_slice()[self.index as usize]
    }
}

fn locations(stores: &[PairStore]) -> impl Iterator<Item = PairLocation> {
    (0..).zip(stores).flat_map(|(store, pairs)| {
        let indices = 0..pairs.as_slice().len() as u32;
        indices.map(move |index| PairLocation { store, index })
    })
}

/// All pairs, sorted by their entities.
#[derive(Default)]
pub(super) struct SortedPairs(Vec<PairLocation>);

impl SortedPairs {
    pub fn update(&mut self, stores: &[PairStore]) {
        self.0.clear();
        self.0.extend(locations(stores));
        (self.0).sort_unstable_by_key(|location| location.pair(stores).orders());
    }

    pub fn locations(&self) -> impl ExactSizeIterator<Item = PairLocation> {
        self.0.iter().copied()
    }
}

/// The pairs of each entity: both endpoints of all pairs, by entity, then by the other one.
#[derive(Default)]
pub(super) struct Adjacency(Vec<Endpoint>);

/// A pair as seen from one of its entities.
#[derive(Clone, Copy)]
pub(super) struct Endpoint {
    entity: Entity,
    pub other: EntityOrder,
    /// Whether the entity is the first one of the pair.
    is_first: bool,
    location: PairLocation,
}

impl Endpoint {
    /// The contact as seen from this endpoint's entity.
    pub fn contact(&self, stores: &[PairStore]) -> Contact {
        let contact = self.location.pair(stores).contact;
        if self.is_first {
            contact
        } else {
            contact.flipped()
        }
    }

    fn key(&self) -> (Entity, EntityOrder) {
        (self.entity, self.other)
    }
}

impl Adjacency {
    pub fn update(&mut self, stores: &[PairStore]) {
        self.0.clear();
        self.0.extend(locations(stores).flat_map(|location| {
            let [a, b] = location.pair(stores).orders();
            [(a, b), (b, a)].map(|(this, other)| Endpoint {
                entity: this.entity,
                other,
                is_first: this < other,
                location,
            })
        }));
        self.0.sort_unstable_by_key(Endpoint::key);
    }

    /// The endpoints at an entity, sorted by the other entity and its key.
    pub fn of(&self, entity: Entity) -> &[Endpoint] {
        let start = (self.0).partition_point(|endpoint| endpoint.entity < entity);
        let rest = &self.0[start..];
        &rest[..rest.partition_point(|endpoint| endpoint.entity == entity)]
    }

    /// How two entities overlap, as seen from `entity`, or `None` if they do not.
    pub fn find(&self, stores: &[PairStore], entity: Entity, other: Entity) -> Option<Contact> {
        let [own, others] = [self.of(entity), self.of(other)];
        // What overlaps many others is looked up from the other side.
        if others.len() < own.len() {
            return self.find(stores, other, entity).map(Contact::flipped);
        }
        let mut own = own.iter();
        let endpoint = own.find(|endpoint| endpoint.other.entity == other)?;
        Some(endpoint.contact(stores))
    }
}
