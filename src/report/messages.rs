//! Writes messages.

use bevy::{ecs::entity::Entities, prelude::*};

use crate::{
    events::{
        ChangedFloor, CollisionEvent, Crushed, Landed, LeftFloor, MoverHit, PendingEvents,
        StartArchetypes,
    },
    schedule::OnMainThread,
};

/// Writes the pending events as messages.
pub(crate) fn write_messages(
    pending: Res<PendingEvents>,
    entities: &Entities,
    mut collisions: ResMut<Messages<CollisionEvent>>,
    mut starts: ResMut<StartArchetypes>,
    mut hits: MessageWriter<MoverHit>,
    mut crushed: MessageWriter<Crushed>,
    mut left_floor: MessageWriter<LeftFloor>,
    mut landed: MessageWriter<Landed>,
    mut changed_floor: MessageWriter<ChangedFloor>,
    _: OnMainThread,
) {
    starts.write(&pending.collisions, &mut collisions, entities);
    hits.write_batch(pending.hits.iter().copied());
    crushed.write_batch(pending.crushed.iter().copied());
    left_floor.write_batch(pending.left_floor.iter().copied());
    landed.write_batch(pending.landed.iter().copied());
    changed_floor.write_batch(pending.changed_floor.iter().copied());
}
