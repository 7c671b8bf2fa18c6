//! Orders of the pairs, each computed when it is first needed after an update.

use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::ecs::entity::Entity;

use super::{colliding_pair::CollidingPair, pair_bucket::PairBucket};
use crate::geometry::Contact;

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
    bucket: u32,
    /// In the store of the bucket.
    index: u32,
}

impl PairLocation {
    pub fn pair(self, buckets: &[PairBucket]) -> &CollidingPair {
        &buckets[self.bucket as usize].store.as_slice()[self.index as usize]
    }
}

fn locations(buckets: &[PairBucket]) -> impl Iterator<Item = PairLocation> {
    (0..).zip(buckets).flat_map(|(bucket, pairs)| {
        let indices = 0..pairs.store.as_slice().len() as u32;
        indices.map(move |index| PairLocation { bucket, index })
    })
}

/// All pairs, sorted by their entities.
#[derive(Default)]
pub(super) struct SortedPairs(Vec<PairLocation>);

impl SortedPairs {
    pub fn update(&mut self, buckets: &[PairBucket]) {
        self.0.clear();
        self.0.extend(locations(buckets));
        (self.0).sort_unstable_by_key(|location| location.pair(buckets).key());
    }

    pub fn locations(&self) -> impl ExactSizeIterator<Item = PairLocation> {
        self.0.iter().copied()
    }
}

/// The pairs of each entity: both endpoints of all pairs, sorted by their entities.
#[derive(Default)]
pub(super) struct Adjacency(Vec<Endpoint>);

/// A pair as seen from one of its entities.
#[derive(Clone, Copy)]
pub(super) struct Endpoint {
    entity: Entity,
    pub other: Entity,
    location: PairLocation,
}

impl Endpoint {
    /// The contact as seen from this endpoint's entity.
    pub fn contact(&self, buckets: &[PairBucket]) -> Contact {
        let contact = self.location.pair(buckets).contact;
        if self.entity < self.other {
            contact
        } else {
            contact.flipped()
        }
    }

    fn key(&self) -> (Entity, Entity) {
        (self.entity, self.other)
    }
}

impl Adjacency {
    pub fn update(&mut self, buckets: &[PairBucket]) {
        self.0.clear();
        self.0.extend(locations(buckets).flat_map(|location| {
            let (a, b) = location.pair(buckets).key();
            [(a, b), (b, a)].map(|(entity, other)| Endpoint {
                entity,
                other,
                location,
            })
        }));
        self.0.sort_unstable_by_key(Endpoint::key);
    }

    /// The endpoints at an entity, sorted by the other entity.
    pub fn of(&self, entity: Entity) -> &[Endpoint] {
        let start = (self.0).partition_point(|endpoint| endpoint.entity < entity);
        let rest = &self.0[start..];
        &rest[..rest.partition_point(|endpoint| endpoint.entity == entity)]
    }

    /// The endpoint at `entity` of its pair with `other`, or `None` if they are not a pair.
    pub fn find(&self, entity: Entity, other: Entity) -> Option<&Endpoint> {
        let index = (self.0).binary_search_by_key(&(entity, other), Endpoint::key);
        Some(&self.0[index.ok()?])
    }
}
