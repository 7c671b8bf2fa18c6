//! Updates the lists of [`CollidingEntities`].

use bevy::prelude::*;

use crate::{
    events::{CollidingEntities, CollisionEvent},
    index::ColliderIndex,
    schedule::OnMainThread,
    state::CollisionState,
};

/// Updates the lists that are new and those of the pending events, of hidden entities as well; all
/// of them if the state was restored, even without a sync since, or if keys changed.
pub(crate) fn update_colliding_entities(
    mut state: ResMut<CollisionState>,
    index: Res<ColliderIndex>,
    mut lists: Query<(Entity, &mut CollidingEntities)>,
    _: OnMainThread,
) {
    let is_restored = !index.is_synced_with(&state);
    let are_current = std::mem::replace(&mut state.has_current_lists, true) && !is_restored;
    let others = |entity| state.pairs.of(entity).map(|(other, _)| other);
    for (entity, mut list) in &mut lists {
        if list.is_changed() || !are_current {
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
