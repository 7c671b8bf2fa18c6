//! Updates the lists of [`CollidingEntities`].

use bevy::prelude::*;

use crate::{
    components::EntityOrder,
    contacts::PairLookup,
    events::{CollidingEntities, CollisionEvent, PendingEvents},
    memory,
    schedule::OnMainThread,
};

/// Memory that is used again in each update.
#[derive(Default)]
pub(crate) struct ListBuffers {
    outdated: Vec<Entity>,
    others: Vec<EntityOrder>,
}

/// Updates the lists that are new or outdated, including those of hidden entities.
pub(crate) fn update_colliding_entities(
    pairs: PairLookup,
    pending: Res<PendingEvents>,
    mut lists: Query<(Entity, &mut CollidingEntities)>,
    mut buffers: Local<ListBuffers>,
    _: OnMainThread,
) {
    if lists.is_empty() {
        return;
    }
    let ListBuffers { outdated, others } = &mut *buffers;
    memory::clear(outdated);
    let new = lists
        .iter_mut()
        .filter(|(_, list)| list.is_changed() || pending.are_lists_outdated);
    outdated.extend(new.map(|(entity, _)| entity));
    let changed = (pending.collisions.iter()).flat_map(CollisionEvent::entities);
    outdated.extend(changed.filter(|entity| lists.contains(*entity)));
    outdated.sort_unstable();
    outdated.dedup();
    for &entity in outdated.iter() {
        if let Ok((_, mut list)) = lists.get_mut(entity) {
            others.clear();
            pairs.visit(entity, |pair| others.push(pair.seen_from(entity).0));
            others.sort_unstable();
            CollidingEntities::set(&mut list, others.iter().map(|other| other.entity));
        }
    }
}
