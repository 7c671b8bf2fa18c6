//! The archetypes of the entities of started pairs when the starts were reported.

use std::ops::Range;

use bevy::{
    ecs::{archetype::ArchetypeId, entity::Entities},
    prelude::*,
};

use super::CollisionEvent;
use crate::memory;

/// The archetypes that the entities of started pairs had when the starts were reported, by message
/// id, ascending. Kept as long as Bevy keeps the messages.
#[derive(Resource, Default)]
pub(crate) struct StartArchetypes(Vec<(usize, [ArchetypeId; 2])>);

impl StartArchetypes {
    /// Writes messages, and records the archetypes of their entities.
    pub fn write(
        &mut self,
        events: &[CollisionEvent],
        messages: &mut Messages<CollisionEvent>,
        entities: &Entities,
    ) {
        let ids = messages.write_batch(events.iter().copied());
        let end = messages.oldest_message_count() + messages.len();
        let first = end - ids.len();
        // Ids restart if the game replaces the messages.
        self.retain(messages.oldest_message_count()..first);
        let archetypes = (first..).zip(events).filter_map(|(id, event)| match event {
            CollisionEvent::Started { .. } => {
                Some((id, archetypes_of(event.entities(), entities)?))
            }
            CollisionEvent::Ended { .. } => None,
        });
        self.0.extend(archetypes);
    }

    /// Removes the archetypes of messages that are gone.
    fn retain(&mut self, ids: Range<usize>) {
        self.0.retain(|(id, _)| ids.contains(id));
        let needed = self.0.len();
        memory::shrink(&mut self.0, needed);
    }

    /// The archetypes of a message, or `None` if the game wrote the message.
    pub(super) fn get(&self, id: usize) -> Option<[ArchetypeId; 2]> {
        let found = self.0.binary_search_by_key(&id, |&(id, _)| id);
        Some(self.0[found.ok()?].1)
    }
}

/// The archetypes that two entities have now, or `None` if one of them is gone.
pub(super) fn archetypes_of([a, b]: [Entity; 2], entities: &Entities) -> Option<[ArchetypeId; 2]> {
    let archetype = |entity| Some(entities.get_spawned(entity).ok()?.archetype_id);
    Some([archetype(a)?, archetype(b)?])
}
