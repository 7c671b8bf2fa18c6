//! Why pairs ended.

use bevy::ecs::entity::Entity;

use super::{collider_lookup::ColliderLookup, explain::Absence, pair_bucket::End};
use crate::{
    events::CollisionEndReason,
    index::{ColliderEntry, ColliderIndex, PairRules},
};

/// Why the two colliders of a pair stopped overlapping.
pub(super) fn end_reason(
    end: &End,
    index: &ColliderIndex,
    lookup: &ColliderLookup,
    rules: &PairRules,
) -> CollisionEndReason {
    let [a, b] = end.orders.map(|order| order.entity);
    let [a_slot, b_slot] = end.slots;
    let find = |entity, slot| collider(index, lookup, entity, slot);
    match [find(a, a_slot), find(b, b_slot)] {
        [Ok(a), Ok(b)] if rules.should_collide(&a, &b) => CollisionEndReason::Separated,
        [Ok(_), Ok(_)] => CollisionEndReason::Filtered,
        [Err(reason), Err(other)] => reason.min(other),
        [Err(reason), Ok(_)] | [Ok(_), Err(reason)] => reason,
    }
}

/// The collider of an entity that had a slot in the last update, or why it is not in the index.
fn collider<'a>(
    index: &'a ColliderIndex,
    lookup: &ColliderLookup,
    entity: Entity,
    former_slot: u32,
) -> Result<ColliderEntry<'a>, CollisionEndReason> {
    match index.get(former_slot, entity) {
        Some(entry) => Ok(entry),
        None => lookup.find(index, entity).map_err(reason_for),
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
