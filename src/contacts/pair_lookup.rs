//! Finds the pairs of an entity.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    components::EntityOrder,
    geometry::Contact,
    index::{ColliderEntry, ColliderIndex, Registration},
    state::CollisionState,
};

/// The pairs as of the last update, and where their colliders are, to find those of an entity.
#[derive(SystemParam)]
pub(crate) struct PairLookup<'w, 's> {
    pub state: Res<'w, CollisionState>,
    pub index: Res<'w, ColliderIndex>,
    registrations: Query<'w, 's, &'static Registration>,
}

impl PairLookup<'_, '_> {
    /// Visits what an entity overlaps, in no order, with the contact as seen from the entity.
    pub fn visit(&self, entity: Entity, mut visit: impl FnMut(EntityOrder, Contact)) {
        let pairs = &self.state.pairs;
        if let Some(collider) = self.collider(entity) {
            self.index.visit_neighbors(&collider, |other| {
                if let Some(pair) = pairs.find(entity, other.entity) {
                    let (other, contact) = pair.seen_from(entity);
                    visit(other, contact);
                }
            });
        } else {
            for pair in pairs
                .unsorted()
                .filter(|pair| [pair.a, pair.b].contains(&entity))
            {
                let (other, contact) = pair.seen_from(entity);
                visit(other, contact);
            }
        }
    }

    /// The collider of an entity as of the last update, or `None` if the index may differ from it:
    /// after a refresh or a restore, or if the entity is gone.
    fn collider(&self, entity: Entity) -> Option<ColliderEntry<'_>> {
        let Self { state, index, .. } = self;
        let is_current = !index.has_changes() && index.has_left(state);
        let registration = self.registrations.get(entity).ok().filter(|_| is_current)?;
        index.get(registration.slot, entity)
    }
}
