//! Updates the lists of [`CollidingEntities`].

use bevy::prelude::*;

use crate::{
    components::EntityOrder,
    events::{CollidingEntities, CollisionEvent},
    index::ColliderIndex,
    memory,
    schedule::OnMainThread,
    state::CollisionState,
};

/// Memory that is used again in each update.
#[derive(Default)]
pub(crate) struct ListBuffers {
    outdated: Vec<Entity>,
    others: Vec<EntityOrder>,
}

/// Updates the lists that are new or have pending events, including those of hidden entities.
/// Updates all lists if keys changed, or if the state was restored, even without a sync since.
pub(crate) fn update_colliding_entities(
    mut state: ResMut<CollisionState>,
    index: Res<ColliderIndex>,
    mut lists: Query<(Entity, &mut CollidingEntities)>,
    mut buffers: Local<ListBuffers>,
    _: OnMainThread,
) {
    let is_restored = !index.is_synced_with(&state);
    let are_current = std::mem::replace(&mut state.has_current_lists, true) && !is_restored;
    if lists.is_empty() {
        return;
    }
    let ListBuffers { outdated, others } = &mut *buffers;
    memory::clear(outdated);
    let new = lists
        .iter_mut()
        .filter(|(_, list)| list.is_changed() || !are_current);
    outdated.extend(new.map(|(entity, _)| entity));
    let changed = (state.pending.collisions.iter()).flat_map(CollisionEvent::entities);
    outdated.extend(changed.filter(|entity| lists.contains(*entity)));
    outdated.sort_unstable();
    outdated.dedup();
    for &entity in outdated.iter() {
        if let Ok((_, mut list)) = lists.get_mut(entity) {
            state.pairs.others_into(entity, others);
            CollidingEntities::set(&mut list, others.iter().map(|other| other.entity));
        }
    }
}
