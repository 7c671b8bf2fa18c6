//! Why pairs ended.

use super::{collider_lookup::ColliderLookup, pair_bucket::End};
use crate::{
    events::CollisionEndReason,
    index::{ColliderIndex, PairRules, Reason},
};

/// Why the two colliders of a pair stopped overlapping.
pub(super) fn end_reason(
    end: &End,
    index: &ColliderIndex,
    lookup: &ColliderLookup,
    rules: &PairRules,
) -> CollisionEndReason {
    let find = |side: usize| {
        let entity = end.orders[side].entity;
        // Most are where they were.
        (index.get(end.slots[side], entity)).map_or_else(|| lookup.find(index, entity), Ok)
    };
    match [find(0), find(1)] {
        [Ok(a), Ok(b)] if rules.should_collide(&a, &b) => CollisionEndReason::Separated,
        [Ok(_), Ok(_)] => CollisionEndReason::Filtered,
        [Err(reason), Err(other)] => kind_of(reason).min(kind_of(other)),
        [Err(reason), Ok(_)] | [Ok(_), Err(reason)] => kind_of(reason),
    }
}

/// What a game is told about a collider that is absent.
fn kind_of(absence: Reason) -> CollisionEndReason {
    match absence {
        Reason::NoSuchEntity => CollisionEndReason::Despawned,
        Reason::NoCollider | Reason::MoverWithoutCollider => CollisionEndReason::ColliderRemoved,
        Reason::NotFinite | Reason::NotFiniteInWorld | Reason::ParentCycle => {
            CollisionEndReason::Invalid
        }
        Reason::NoSolidCell => CollisionEndReason::Separated,
        _ => CollisionEndReason::Disabled,
    }
}
