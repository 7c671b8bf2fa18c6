//! Updates the lists of [`CollidingEntities`].

use bevy::prelude::*;

use crate::{
    events::{CollidingEntities, CollisionEvent},
    schedule::OnMainThread,
    state::CollisionState,
};

/// Updates the lists that are new and those of the pending events, of hidden entities as well.
pub(crate) fn update_colliding_entities(
    state: Res<CollisionState>,
    mut lists: Query<(Entity, &mut CollidingEntities)>,
    _: OnMainThread,
) {
    let others = |entity| state.pairs.of(entity).map(|(other, _)| other);
    for (entity, mut list) in &mut lists {
        if list.is_changed() {
            CollidingEntities::set(&mut list, || others(entity));
        }
    }
    if lists.is_empty() {
        return;
    }
    let changed = (state.pending.collisions.iter()).flat_map(CollisionEvent::entities);
    for entity in changed {
        if let Ok((_, mut list)) = lists.get_mut(entity) {
            CollidingEntities::set(&mut list, || others(entity));
        }
    }
}
