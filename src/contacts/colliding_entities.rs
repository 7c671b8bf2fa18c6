use std::ops::Deref;

use bevy::prelude::*;

use super::Contacts;
use crate::{events::CollisionEvent, hierarchy::AnyEntity};

/// The entities that this one overlaps, sorted. Add it to an entity with a collider, at any time, and it is kept up to date.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollidingEntities(
    #[cfg_attr(
        feature = "serialize",
        serde(deserialize_with = "crate::checked::sorted_entities")
    )]
    Vec<Entity>,
);

impl Deref for CollidingEntities {
    type Target = [Entity];

    fn deref(&self) -> &[Entity] {
        &self.0
    }
}

impl CollidingEntities {
    /// Whether `entity` is one of them.
    pub fn contains(&self, entity: &Entity) -> bool {
        self.0.binary_search(entity).is_ok()
    }
}

/// Fills the lists that are new, and takes the run's changes into the others.
pub(crate) fn update_colliding_entities(
    contacts: Res<Contacts>,
    mut lists: Query<(Entity, &mut CollidingEntities), AnyEntity>,
) {
    for (entity, list) in &mut lists {
        if list.is_changed() {
            refill(list, entity, &contacts);
        }
    }
    if lists.is_empty() {
        return;
    }
    for entity in contacts.changes.iter().flat_map(CollisionEvent::entities) {
        if let Ok((_, list)) = lists.get_mut(entity) {
            refill(list, entity, &contacts);
        }
    }
}

/// Writes the list only where it differs.
fn refill(mut list: Mut<CollidingEntities>, entity: Entity, contacts: &Contacts) {
    let others = || contacts.of(entity).map(|(other, _)| other);
    if !list.iter().copied().eq(others()) {
        list.0.clear();
        list.0.extend(others());
    }
}
