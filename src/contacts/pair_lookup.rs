//! Finds the pairs of an entity.

use std::mem;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    geometry::contact_within,
    index::{ColliderEntry, ColliderIndex, Registration},
    state::{CollisionState, StoredPair},
};

/// The pairs as of the last update, and where their colliders are, to find those of an entity.
#[derive(SystemParam)]
pub(crate) struct PairLookup<'w, 's> {
    pub state: Res<'w, CollisionState>,
    pub index: Res<'w, ColliderIndex>,
    registrations: Query<'w, 's, &'static Registration>,
}

impl PairLookup<'_, '_> {
    /// Visits the pairs of an entity, in no order: searches among the colliders near it, or among
    /// all pairs if these are not where they were in the last update.
    pub fn visit(&self, entity: Entity, mut visit: impl FnMut(&StoredPair)) {
        let pairs = &self.state.pairs;
        match self.collider(entity) {
            Some(collider) => self.index.visit_neighbors(&collider, |other| {
                if self.overlap(collider, other) {
                    let regions = [collider, other].map(|collider| self.index.region(&collider));
                    let regions = regions.into_iter().flatten();
                    pairs
                        .find_near(entity, other.entity, regions)
                        .map(&mut visit);
                }
            }),
            None => {
                let own = |pair: &&StoredPair| pair.ids().contains(&entity);
                pairs.unsorted().filter(own).for_each(visit);
            }
        }
    }

    /// Whether the shapes of two colliders overlap, compared in the order of a pair.
    fn overlap<'a>(&self, mut a: ColliderEntry<'a>, mut b: ColliderEntry<'a>) -> bool {
        if b.order() < a.order() {
            mem::swap(&mut a, &mut b);
        }
        let margin = a.pair_margin(&b, self.index.settings().margin);
        a.entity != b.entity && contact_within(a.shape, b.shape, margin).is_some()
    }

    /// The collider of an entity as of the last update, or `None` if it is gone, or if the index
    /// was refreshed or another state was restored since.
    fn collider(&self, entity: Entity) -> Option<ColliderEntry<'_>> {
        let Self { state, index, .. } = self;
        let is_current = !index.has_changes() && index.has_left(state);
        let registration = self.registrations.get(entity).ok().filter(|_| is_current)?;
        index.get(registration.slot, entity)
    }
}
