//! Why pairs ended.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{collider_lookup::ColliderLookup, explain::Absence};
use crate::{
    events::CollisionEndReason,
    index::{ColliderEntry, ColliderIndex},
};

/// Determines why pairs ended.
#[derive(SystemParam)]
pub(crate) struct EndReasons<'w, 's> {
    lookup: ColliderLookup<'w, 's>,
}

impl EndReasons<'_, '_> {
    /// Why two colliders stopped overlapping. Each is given by its entity and its slot in the last
    /// update.
    pub fn reason(
        &self,
        index: &ColliderIndex,
        colliders: [(Entity, u32); 2],
        should_collide: impl FnOnce(&ColliderEntry, &ColliderEntry) -> bool,
    ) -> CollisionEndReason {
        match colliders.map(|(entity, slot)| self.collider(index, entity, slot)) {
            [Ok(a), Ok(b)] if should_collide(&a, &b) => CollisionEndReason::Separated,
            [Ok(_), Ok(_)] => CollisionEndReason::Filtered,
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
    ) -> Result<ColliderEntry<'a>, CollisionEndReason> {
        match index.get(former_slot, entity) {
            Some(entry) => Ok(entry),
            None => self.lookup.find(index, entity).map_err(reason_for),
        }
    }
}

/// Why the pairs of an absent collider ended.
fn reason_for(absence: Absence) -> CollisionEndReason {
    match absence {
        Absence::NoSuchEntity => CollisionEndReason::Despawned,
        Absence::NoCollider => CollisionEndReason::ColliderRemoved,
        Absence::NotFinite | Absence::NotFiniteInWorld | Absence::ParentCycle => {
            CollisionEndReason::Invalid
        }
        Absence::NoSolidCell => CollisionEndReason::Separated,
        Absence::Disabled | Absence::Hidden | Absence::NoTransform | Absence::NotSynced => {
            CollisionEndReason::Disabled
        }
    }
}
