//! Writes messages.

use bevy::prelude::*;

use crate::{
    events::{CollisionEvent, Crushed, Landed, LeftFloor, MoverHit},
    schedule::OnMainThread,
    state::CollisionState,
};

/// Writes the pending events as messages.
pub(crate) fn write_messages(
    state: Res<CollisionState>,
    mut collisions: MessageWriter<CollisionEvent>,
    mut hits: MessageWriter<MoverHit>,
    mut crushed: MessageWriter<Crushed>,
    mut left_floor: MessageWriter<LeftFloor>,
    mut landed: MessageWriter<Landed>,
    _: OnMainThread,
) {
    let pending = &state.pending;
    collisions.write_batch(pending.collisions.iter().copied());
    hits.write_batch(pending.hits.iter().copied());
    crushed.write_batch(pending.crushed.iter().copied());
    left_floor.write_batch(pending.left_floor.iter().copied());
    landed.write_batch(pending.landed.iter().copied());
}
