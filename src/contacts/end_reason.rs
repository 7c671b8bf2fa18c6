use bevy::{
    ecs::{entity::Entities, system::SystemParam},
    prelude::*,
};

use crate::{collider::LocalShape, events::EndReason, hierarchy::AnyEntity, index::ColliderIndex};

/// Finds out why pairs ended.
#[derive(SystemParam)]
pub(crate) struct EndReasons<'w, 's> {
    entities: &'w Entities,
    colliders: Query<'w, 's, Option<&'static LocalShape>, AnyEntity>,
}

impl EndReasons<'_, '_> {
    /// Why two colliders do not overlap any more. `would_pair` tells whether the rules still let them.
    pub fn why(
        &self,
        index: &ColliderIndex,
        entities: [Entity; 2],
        slots: [u32; 2],
        would_pair: impl FnOnce() -> bool,
    ) -> EndReason {
        let absences = [0, 1].map(|side| self.why_absent(index, entities[side], slots[side]));
        let absence = absences.into_iter().flatten().min();
        absence.unwrap_or_else(|| {
            if would_pair() {
                EndReason::Separated
            } else {
                EndReason::Filtered
            }
        })
    }

    /// Why a collider is not in the index, if it is not.
    fn why_absent(&self, index: &ColliderIndex, entity: Entity, slot: u32) -> Option<EndReason> {
        if index.get(slot, entity).is_some() {
            return None;
        }
        if !self.entities.contains(entity) {
            return Some(EndReason::Despawned);
        }
        Some(match self.colliders.get(entity) {
            Ok(None) => EndReason::ColliderRemoved,
            Ok(Some(local)) if local.shape.is_none() => EndReason::ColliderRemoved,
            Ok(Some(local)) if local.invalid => EndReason::Invalid,
            // Hidden by a marker, or by one of the app's own query filters.
            Ok(Some(_)) | Err(_) => EndReason::Disabled,
        })
    }
}
