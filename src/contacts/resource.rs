//! The pairs that overlap, kept from update to update.

use bevy::prelude::*;

use super::{
    colliding_pair::CollidingPair,
    pair_bucket::PairBucket,
    views::{Adjacency, Lazy, SortedPairs},
};
use crate::{geometry::Contact, settings::CollisionSettings};

/// The pairs that overlap as of the last update.
#[derive(Resource, Default)]
pub(crate) struct Contacts {
    pub(super) buckets: Vec<PairBucket>,
    /// The settings of the last update.
    pub(super) settings: CollisionSettings,
    sorted: Lazy<SortedPairs>,
    adjacency: Lazy<Adjacency>,
}

impl Contacts {
    /// The number of pairs.
    pub fn count(&self) -> usize {
        let buckets = self.buckets.iter();
        buckets.map(|bucket| bucket.store.as_slice().len()).sum()
    }

    /// All pairs, sorted by their entities.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &CollidingPair> {
        let buckets = &self.buckets;
        let sorted = self.sorted.get_or_update(|sorted| sorted.update(buckets));
        sorted.locations().map(|location| location.pair(buckets))
    }

    /// How two entities overlap, as seen from `entity`, or `None` if they do not.
    pub(super) fn find(&self, entity: Entity, other: Entity) -> Option<Contact> {
        let endpoint = self.adjacency().find(entity, other)?;
        Some(endpoint.contact(&self.buckets))
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        let endpoints = self.adjacency().of(entity).iter();
        endpoints.map(|endpoint| (endpoint.other, endpoint.contact(&self.buckets)))
    }

    fn adjacency(&self) -> &Adjacency {
        (self.adjacency).get_or_update(|adjacency| adjacency.update(&self.buckets))
    }

    pub(super) fn invalidate_views(&mut self) {
        self.sorted.invalidate();
        self.adjacency.invalidate();
    }
}
