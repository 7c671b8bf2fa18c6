//! The pairs that [`Hits`](super::Hits) reads: those that started, with the ancestors of their
//! colliders, as they were when the starts were reported.

use std::ops::Range;

use bevy::{
    ecs::{
        archetype::ArchetypeId,
        entity::Entities,
        system::{ParamBuilder, SystemParam, SystemParamBuilder},
    },
    platform::collections::HashSet,
    prelude::*,
};
use smallvec::SmallVec;

use crate::{
    components::LayerMask,
    contacts::PairLookup,
    events::CollisionEvent,
    index::{Parents, every_entity, visit_ancestors},
    memory,
    state::by_id,
};

/// The pairs of the updates whose messages Bevy keeps.
#[derive(Resource, Default)]
pub(crate) struct StartLog {
    /// Those that started, by message id, ascending.
    starts: Vec<LoggedPair>,
    /// Those that overlapped before an update in which others of the same hierarchies started, by
    /// update, ascending.
    earlier: Vec<LoggedPair>,
    buffers: Buffers,
}

/// Sets that are filled anew in each update.
#[derive(Default)]
struct Buffers {
    started: HashSet<[Entity; 2]>,
    /// The topmost ancestors of pairs that started, where one of the two has relatives.
    hierarchies: HashSet<[Entity; 2]>,
}

/// A pair of colliders.
pub(super) struct LoggedPair {
    /// The id of the message, or that of the first message of the update.
    id: usize,
    /// The id of the first message of the update.
    pub update: usize,
    pub colliders: [LoggedCollider; 2],
}

/// A collider.
pub(super) struct LoggedCollider {
    pub memberships: LayerMask,
    /// The entity and its ancestors, nearest first, with their archetypes.
    pub line: SmallVec<[(Entity, ArchetypeId); 4]>,
}

/// The hierarchy as it is now, including hidden entities if it is built by
/// [`of_every_entity`](Self::of_every_entity).
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct Lines<'w, 's> {
    entities: &'w Entities,
    parents: Parents<'w, 's>,
    with_children: Query<'w, 's, (), With<Children>>,
}

impl Lines<'_, '_> {
    /// Builds the parameter so that ancestors include hidden entities.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        LinesBuilder {
            entities: ParamBuilder,
            parents: every_entity(),
            with_children: every_entity(),
        }
    }

    /// A collider of these layers, or `None` if it is gone.
    pub(super) fn collider(
        &self,
        entity: Entity,
        memberships: LayerMask,
    ) -> Option<LoggedCollider> {
        let mut line = SmallVec::new();
        // No collider has parents in a cycle.
        let _ = visit_ancestors(Some(entity), |entity| {
            let location = self.entities.get_spawned(entity).ok()?;
            line.push((entity, location.archetype_id));
            self.parents.get(entity).ok().map(ChildOf::parent)
        });
        (!line.is_empty()).then_some(LoggedCollider { memberships, line })
    }

    fn root(&self, entity: Entity) -> Entity {
        let mut root = entity;
        let _ = visit_ancestors(Some(entity), |entity| {
            root = entity;
            self.parents.get(entity).ok().map(ChildOf::parent)
        });
        root
    }

    fn roots(&self, pair: [Entity; 2]) -> [Entity; 2] {
        by_id(pair.map(|entity| self.root(entity)))
    }

    fn has_relatives(&self, entity: Entity) -> bool {
        self.parents.contains(entity) || self.with_children.contains(entity)
    }
}

impl StartLog {
    /// Writes the messages of an update, and logs what started.
    pub fn write(
        &mut self,
        events: &[CollisionEvent],
        messages: &mut Messages<CollisionEvent>,
        pairs: &PairLookup,
        lines: &Lines,
    ) {
        let ids = messages.write_batch(events.iter().copied());
        let end = messages.oldest_message_count() + messages.len();
        let update = end - ids.len();
        // Ids restart if the game replaces the messages.
        self.retain(messages.oldest_message_count()..update);
        let log = |id: usize, entities: [Entity; 2]| {
            let collider = |entity| {
                let memberships = pairs.memberships(entity);
                lines.collider(entity, memberships)
            };
            Some(LoggedPair {
                id,
                update,
                colliders: [collider(entities[0])?, collider(entities[1])?],
            })
        };
        let starts = (update..).zip(events).filter(|(_, event)| event.is_start());
        let starts = starts.map(|(id, event)| (id, event.entities()));
        self.starts
            .extend(starts.clone().filter_map(|(id, pair)| log(id, pair)));

        let Buffers {
            started,
            hierarchies,
        } = &mut self.buffers;
        started.clear();
        hierarchies.clear();
        for (_, pair) in starts {
            started.insert(by_id(pair));
            if pair.iter().any(|&entity| lines.has_relatives(entity)) {
                hierarchies.insert(lines.roots(pair));
            }
        }
        if hierarchies.is_empty() {
            return;
        }
        // The ends of earlier pairs come before all starts.
        let ended = events.iter().take_while(|event| !event.is_start());
        let ended = ended.map(CollisionEvent::entities);
        let lasting = pairs.state.pairs.unsorted().map(|pair| [pair.a, pair.b]);
        let earlier = ended.chain(lasting).filter(|&pair| {
            !started.contains(&by_id(pair)) && hierarchies.contains(&lines.roots(pair))
        });
        let earlier = earlier.filter_map(|pair| log(update, pair));
        self.earlier.extend(earlier);
    }

    /// Removes the pairs of messages that are gone.
    fn retain(&mut self, ids: Range<usize>) {
        for pairs in [&mut self.starts, &mut self.earlier] {
            pairs.retain(|pair| ids.contains(&pair.id));
            let needed = pairs.len();
            memory::shrink(pairs, needed);
        }
    }

    /// The pair of a message, or `None` if the game wrote the message.
    pub(super) fn start(&self, id: usize) -> Option<&LoggedPair> {
        let found = self.starts.binary_search_by_key(&id, |pair| pair.id);
        Some(&self.starts[found.ok()?])
    }

    /// The pairs that overlapped before an update, as far as they may be of the same things as
    /// pairs that started in it.
    pub(super) fn earlier(&self, update: usize) -> &[LoggedPair] {
        let first = self.earlier.partition_point(|pair| pair.update < update);
        let end = self.earlier.partition_point(|pair| pair.update <= update);
        &self.earlier[first..end]
    }
}
