//! The events of an update, until they are reported.

use bevy::prelude::*;

use super::{ChangedFloor, CollisionEvent, Crushed, Landed, LeftFloor, MoverHit};
use crate::memory;

/// The events of an update, in the order in which users receive them.
#[derive(Resource, Default)]
pub(crate) struct PendingEvents {
    pub collisions: Vec<CollisionEvent>,
    /// What blocked movers, sorted by mover, as everything below is.
    pub hits: Vec<MoverHit>,
    /// The movers that solids started to crush.
    pub crushed: Vec<Crushed>,
    /// The walkers that left their floors, that landed, and that changed floors.
    pub left_floor: Vec<LeftFloor>,
    pub landed: Vec<Landed>,
    pub changed_floor: Vec<ChangedFloor>,
    /// Whether the lists of all [`CollidingEntities`](crate::CollidingEntities) may differ from the
    /// pairs, beyond these events: another state was restored, or keys changed.
    pub are_lists_outdated: bool,
}

impl PendingEvents {
    /// Removes all events.
    pub fn clear(&mut self) {
        let Self {
            collisions,
            hits,
            crushed,
            left_floor,
            landed,
            changed_floor,
            are_lists_outdated,
        } = self;
        memory::clear(collisions);
        hits.clear();
        crushed.clear();
        left_floor.clear();
        landed.clear();
        changed_floor.clear();
        *are_lists_outdated = false;
    }
}
