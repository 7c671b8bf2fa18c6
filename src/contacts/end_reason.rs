use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Absence, collider_lookup::ColliderLookup};
use crate::{
    events::CollisionEndReason,
    index::{ColliderEntry, ColliderIndex},
};

/// Finds out why pairs ended.
#[derive(SystemParam)]
pub(crate) struct EndReasons<'w, 's> {
    lookup: ColliderLookup<'w, 's>,
}

impl EndReasons<'_, '_> {
    /// Why two colliders do not overlap any more, each an entity and its slot in the last run. `would_pair` tells whether the rules let them.
    pub fn why(
        &self,
        index: &ColliderIndex,
        sides: [(Entity, u32); 2],
        would_pair: impl FnOnce(&ColliderEntry, &ColliderEntry) -> bool,
    ) -> CollisionEndReason {
        match sides.map(|(entity, slot)| self.collider(index, entity, slot)) {
            [Ok(a), Ok(b)] if would_pair(&a, &b) => CollisionEndReason::Separated,
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

/// Why the pairs of such a collider end.
fn reason_for(absence: Absence) -> CollisionEndReason {
    match absence {
        Absence::NoSuchEntity => CollisionEndReason::Despawned,
        Absence::NoCollider => CollisionEndReason::ColliderRemoved,
        Absence::NotFinite | Absence::ParentCycle => CollisionEndReason::Invalid,
        Absence::Disabled | Absence::Hidden | Absence::NoTransform | Absence::NotSynced => {
            CollisionEndReason::Disabled
        }
    }
}
