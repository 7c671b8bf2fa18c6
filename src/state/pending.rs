//! The events that are not reported yet.

use bevy::ecs::entity::{Entities, Entity, MapEntities};

use super::colliding_pair::by_id;
use crate::{
    components::EntityOrder,
    events::{ChangedFloor, CollisionEvent, Crushed, Landed, LeftFloor, MoverHit},
    memory,
};

/// The events that are not reported yet, in the order in which users receive them. They are
/// reported once, and cleared.
#[derive(MapEntities, Default)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PendingEvents {
    /// For each pair at most an end and a start, in that order, except for pairs that started and
    /// ended in the last update.
    #[entities]
    pub collisions: Vec<CollisionEvent>,
    /// What blocked movers in the last move, sorted by mover.
    #[entities]
    pub hits: Vec<MoverHit>,
    /// The movers that solids started to crush, sorted by entity.
    #[entities]
    pub crushed: Vec<Crushed>,
    /// The walkers that left their floors, and those that landed, each sorted by entity. For each
    /// walker at most one of each: it left first.
    #[entities]
    pub left_floor: Vec<LeftFloor>,
    #[entities]
    pub landed: Vec<Landed>,
    /// The walkers that changed floors since they landed, sorted by entity, at most one for each.
    #[entities]
    pub changed_floor: Vec<ChangedFloor>,
}

impl Clone for PendingEvents {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    /// Keeps the memory.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            collisions,
            hits,
            crushed,
            left_floor,
            landed,
            changed_floor,
        } = self;
        collisions.clone_from(&source.collisions);
        hits.clone_from(&source.hits);
        crushed.clone_from(&source.crushed);
        left_floor.clone_from(&source.left_floor);
        landed.clone_from(&source.landed);
        changed_floor.clone_from(&source.changed_floor);
    }
}

impl PendingEvents {
    /// Removes starts of earlier updates together with their ends, if these came meanwhile.
    /// The first `earlier` events are from earlier updates.
    pub fn drop_missed(&mut self, earlier: usize) {
        if earlier == 0 {
            return;
        }
        let events = &mut self.collisions;
        let mut order: Vec<usize> = (0..events.len()).collect();
        let pair = |event: &CollisionEvent| by_id(event.entities());
        order.sort_by_key(|&number| pair(&events[number]));
        let mut is_missed = vec![false; events.len()];
        for two in order.windows(2) {
            let [first, second] = [two[0], two[1]];
            let is_start = matches!(events[first], CollisionEvent::Started { .. });
            let same_pair = pair(&events[first]) == pair(&events[second]);
            if is_start && same_pair && first < earlier {
                is_missed[first] = true;
                is_missed[second] = true;
            }
        }
        let mut missed = is_missed.iter();
        events.retain(|_| missed.next() == Some(&false));
    }

    /// Drops the events of entities that are gone: nobody can receive them.
    pub fn drop_gone(&mut self, entities: &Entities) {
        self.crushed
            .retain(|event| entities.contains_spawned(event.entity));
        self.left_floor
            .retain(|event| entities.contains_spawned(event.entity));
        self.landed
            .retain(|event| entities.contains_spawned(event.entity));
        self.changed_floor
            .retain(|event| entities.contains_spawned(event.entity));
    }

    /// Takes out the change of floors of a walker that is not yet reported.
    pub fn take_change_of_floor(&mut self, walker: Entity) -> Option<ChangedFloor> {
        let events = &mut self.changed_floor;
        let position = events.iter().position(|event| event.entity == walker)?;
        Some(events.remove(position))
    }

    /// Takes out the landing of a walker that is not yet reported. Returns whether there was one.
    pub fn take_landing(&mut self, walker: Entity) -> bool {
        let events = &mut self.landed;
        let position = events.iter().position(|event| event.entity == walker);
        position.is_some_and(|position| events.remove(position).entity == walker)
    }

    /// Sorts what happened to movers and walkers, and keeps one event of a kind for each.
    pub fn sort_moves(&mut self, order: impl Fn(Entity) -> EntityOrder) {
        self.crushed
            .sort_unstable_by_key(|event| order(event.entity));
        self.crushed.dedup();
        self.left_floor.sort_by_key(|event| order(event.entity));
        self.landed.sort_by_key(|event| order(event.entity));
        self.changed_floor.sort_by_key(|event| order(event.entity));
        // Of a walker whose `Ground` was reset in between, the last.
        self.landed.dedup_by(|later, earlier| {
            let is_same = later.entity == earlier.entity;
            if is_same {
                *earlier = *later;
            }
            is_same
        });
    }

    pub fn is_empty(&self) -> bool {
        let Self {
            collisions,
            hits,
            crushed,
            left_floor,
            landed,
            changed_floor,
        } = self;
        collisions.is_empty()
            && hits.is_empty()
            && crushed.is_empty()
            && left_floor.is_empty()
            && landed.is_empty()
            && changed_floor.is_empty()
    }

    /// Moves all events to the end of `other`.
    pub fn move_to(&mut self, other: &mut Self) {
        let Self {
            collisions,
            hits,
            crushed,
            left_floor,
            landed,
            changed_floor,
        } = self;
        other.collisions.extend_from_slice(collisions);
        other.hits.extend_from_slice(hits);
        other.crushed.extend_from_slice(crushed);
        other.left_floor.extend_from_slice(left_floor);
        other.landed.extend_from_slice(landed);
        other.changed_floor.extend_from_slice(changed_floor);
        self.clear();
    }

    /// Removes all events.
    pub fn clear(&mut self) {
        memory::clear(&mut self.collisions);
        self.hits.clear();
        self.crushed.clear();
        self.left_floor.clear();
        self.landed.clear();
        self.changed_floor.clear();
    }
}
