use std::ops::Deref;

use bevy::prelude::*;

use super::Contacts;
use crate::events::{CollisionEvent, Unreported};

/// The entities that this one overlaps, sorted. Add it to an entity with a collider, at any time,
/// and it is kept up to date: by [`CollisionSystems::Report`](crate::CollisionSystems), also while
/// the entity is hidden.
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

/// Fills the lists that are new, and takes what is about to be reported into the others: those of
/// hidden entities, too.
pub(crate) fn update_colliding_entities(
    contacts: Res<Contacts>,
    unreported: Res<Unreported>,
    mut lists: Query<(Entity, &mut CollidingEntities)>,
) {
    for (entity, list) in &mut lists {
        if list.is_changed() {
            refill(list, entity, &contacts);
        }
    }
    if lists.is_empty() {
        return;
    }
    let changed = (unreported.collisions.iter()).flat_map(CollisionEvent::entities);
    for entity in changed {
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
