use bevy::{
    ecs::{entity::Entities, system::SystemParam},
    prelude::*,
};

use crate::{
    collider::LocalShape,
    events::EndReason,
    hierarchy::AnyEntity,
    index::{ColliderEntry, ColliderIndex, Registration},
};

/// Finds out why pairs ended.
#[derive(SystemParam)]
pub(crate) struct EndReasons<'w, 's> {
    entities: &'w Entities,
    colliders: Query<'w, 's, Option<(&'static LocalShape, &'static Registration)>, AnyEntity>,
}

impl EndReasons<'_, '_> {
    /// Why two colliders do not overlap any more, each an entity and its slot in the last run. `would_pair` tells whether the rules let them.
    pub fn why(
        &self,
        index: &ColliderIndex,
        sides: [(Entity, u32); 2],
        would_pair: impl FnOnce(&ColliderEntry, &ColliderEntry) -> bool,
    ) -> EndReason {
        match sides.map(|(entity, slot)| self.collider(index, entity, slot)) {
            [Ok(a), Ok(b)] if would_pair(&a, &b) => EndReason::Separated,
            [Ok(_), Ok(_)] => EndReason::Filtered,
            [Err(reason), Err(other)] => reason.min(other),
            [Err(reason), Ok(_)] | [Ok(_), Err(reason)] => reason,
        }
    }

    /// The collider of an entity, or why it is not in the index.
    fn collider<'a>(
        &self,
        index: &'a ColliderIndex,
        entity: Entity,
        former_slot: u32,
    ) -> Result<ColliderEntry<'a>, EndReason> {
        if let Some(entry) = index.get(former_slot, entity) {
            return Ok(entry);
        }
        if !self.entities.contains(entity) {
            return Err(EndReason::Despawned);
        }
        match self.colliders.get(entity) {
            Ok(Some((local, registration))) if local.shape.is_some() => index
                .get(registration.key.slot, entity)
                .ok_or(if registration.invalid {
                    EndReason::Invalid
                } else {
                    EndReason::Disabled
                }),
            Ok(_) => Err(EndReason::ColliderRemoved),
            // Hidden by one of the app's own query filters.
            Err(_) => Err(EndReason::Disabled),
        }
    }
}
