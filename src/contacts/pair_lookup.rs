//! Finds the pairs of an entity.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
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
                pairs.find(entity, other.entity).map(&mut visit);
            }),
            None => {
                let own = |pair: &&StoredPair| pair.ids().contains(&entity);
                pairs.unsorted().filter(own).for_each(visit);
            }
        }
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
