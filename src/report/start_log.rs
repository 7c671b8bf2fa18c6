//! The pairs that [`Hits`](super::Hits) reads: those that started, with the ancestors of their
//! colliders, as they were when the starts were reported.

use std::{iter::once, ops::Range};

use bevy::{
    ecs::{
        archetype::ArchetypeId,
        entity::Entities,
        system::{ParamBuilder, SystemParam, SystemParamBuilder},
    },
    platform::collections::HashSet,
    prelude::*,
};

use crate::{
    components::{CollisionLayers, LayerMask},
    events::CollisionEvent,
    index::{Parents, TableLayers, every_entity, visit_ancestors},
    memory,
    state::{CollisionState, by_id},
};

/// The pairs of the updates whose messages Bevy keeps.
#[derive(Resource, Default)]
pub(crate) struct StartLog {
    /// Those that started, by message id, ascending.
    starts: Vec<LoggedPair>,
    /// Those that overlapped before an update in which others of the same hierarchies started, by
    /// update, ascending.
    earlier: Vec<LoggedPair>,
    /// Those of all colliders, in the order of the updates.
    ancestors: Vec<Ancestor>,
    buffers: Buffers,
}

/// An entity above a collider.
pub(super) type Ancestor = (Entity, ArchetypeId);

/// Sets that are filled anew in each update.
#[derive(Default)]
struct Buffers {
    /// The pairs that started of which one has relatives.
    started: HashSet<[Entity; 2]>,
    /// The topmost ancestors of each of them.
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
    entity: Entity,
    archetype: ArchetypeId,
    pub memberships: LayerMask,
    /// Where its ancestors are in the list of all, nearest first.
    ancestors: Range<u32>,
}

impl LoggedCollider {
    /// The entity and its ancestors, nearest first, with their archetypes.
    pub fn with_ancestors(&self, all: &[Ancestor]) -> impl Iterator<Item = (Entity, ArchetypeId)> {
        let Range { start, end } = self.ancestors;
        let ancestors = all[start as usize..end as usize].iter().copied();
        once((self.entity, self.archetype)).chain(ancestors)
    }
}

/// The hierarchy as it is now, including hidden entities if it is built by
/// [`of_every_entity`](Self::of_every_entity).
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct AncestorLookup<'w, 's> {
    entities: &'w Entities,
    parents: Parents<'w, 's>,
    with_children: Query<'w, 's, (), With<Children>>,
}

impl AncestorLookup<'_, '_> {
    /// Builds the parameter so that ancestors include hidden entities.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        AncestorLookupBuilder {
            entities: ParamBuilder,
            parents: every_entity(),
            with_children: every_entity(),
        }
    }

    /// A collider of these layers, or `None` if it is gone. Adds its ancestors to the list.
    pub(super) fn collider(
        &self,
        entity: Entity,
        memberships: LayerMask,
        ancestors: &mut Vec<Ancestor>,
    ) -> Option<LoggedCollider> {
        let archetype = self.archetype(entity)?;
        let start = ancestors.len() as u32;
        self.visit_ancestors(entity, |ancestor| {
            let archetype = self.archetype(ancestor);
            ancestors.extend(archetype.map(|archetype| (ancestor, archetype)));
        });
        Some(LoggedCollider {
            entity,
            archetype,
            memberships,
            ancestors: start..ancestors.len() as u32,
        })
    }

    fn archetype(&self, entity: Entity) -> Option<ArchetypeId> {
        let location = self.entities.get_spawned(entity).ok()?;
        Some(location.archetype_id)
    }

    fn visit_ancestors(&self, entity: Entity, mut visit: impl FnMut(Entity)) {
        let parent = |entity| self.parents.get(entity).ok().map(ChildOf::parent);
        // No collider has parents in a cycle.
        let _ = visit_ancestors(parent(entity), |ancestor| {
            visit(ancestor);
            parent(ancestor)
        });
    }

    /// The topmost ancestors of two entities.
    fn roots(&self, pair: [Entity; 2]) -> [Entity; 2] {
        by_id(pair.map(|entity| {
            let mut root = entity;
            self.visit_ancestors(entity, |ancestor| root = ancestor);
            root
        }))
    }

    fn has_relatives(&self, collider: &LoggedCollider) -> bool {
        !collider.ancestors.is_empty() || self.with_children.contains(collider.entity)
    }
}

/// The world that the log is written from.
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct LogSource<'w, 's> {
    state: Res<'w, CollisionState>,
    ancestors: AncestorLookup<'w, 's>,
    layers: Query<
        'w,
        's,
        (
            Option<&'static CollisionLayers>,
            Option<&'static TableLayers>,
        ),
    >,
}

impl LogSource<'_, '_> {
    /// Builds the parameter so that ancestors include hidden entities.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        LogSourceBuilder {
            state: ParamBuilder,
            ancestors: AncestorLookup::of_every_entity(),
            layers: every_entity(),
        }
    }

    fn memberships(&self, entity: Entity) -> LayerMask {
        let (own, of_table) = self.layers.get(entity).unwrap_or_default();
        let layers = own.copied().or_else(|| Some(of_table?.0));
        layers.unwrap_or_default().memberships
    }

    /// A pair as it is now, or `None` if one of the two is gone.
    fn pair(
        &self,
        id: usize,
        update: usize,
        [a, b]: [Entity; 2],
        ancestors: &mut Vec<Ancestor>,
    ) -> Option<LoggedPair> {
        let mut collider = |entity| {
            let memberships = self.memberships(entity);
            self.ancestors.collider(entity, memberships, ancestors)
        };
        Some(LoggedPair {
            id,
            update,
            colliders: [collider(a)?, collider(b)?],
        })
    }
}

impl StartLog {
    /// Writes the messages of an update, and logs what started.
    pub fn write(
        &mut self,
        events: &[CollisionEvent],
        messages: &mut Messages<CollisionEvent>,
        source: &LogSource,
    ) {
        let ids = messages.write_batch(events.iter().copied());
        let end = messages.oldest_message_count() + messages.len();
        let update = end - ids.len();
        // Ids restart if the game replaces the messages.
        self.retain(messages.oldest_message_count()..update);
        let starts = (update..).zip(events).filter(|(_, event)| event.is_start());
        let logged = starts.filter_map(|(id, event)| {
            source.pair(id, update, event.entities(), &mut self.ancestors)
        });
        self.starts.extend(logged);
        self.log_earlier(update, events, source);
    }

    /// Logs the pairs that overlapped before an update.
    fn log_earlier(&mut self, update: usize, events: &[CollisionEvent], source: &LogSource) {
        let Buffers {
            started,
            hierarchies,
        } = &mut self.buffers;
        started.clear();
        hierarchies.clear();
        let lookup = &source.ancestors;
        let first = self.starts.partition_point(|pair| pair.update < update);
        for LoggedPair { colliders, .. } in &self.starts[first..] {
            if colliders
                .iter()
                .any(|collider| lookup.has_relatives(collider))
            {
                let pair = colliders.each_ref().map(|collider| collider.entity);
                started.insert(by_id(pair));
                hierarchies.insert(lookup.roots(pair));
            }
        }
        if hierarchies.is_empty() {
            return;
        }
        // The ends of earlier pairs come before all starts.
        let ended = events.iter().take_while(|event| !event.is_start());
        let ended = ended.map(CollisionEvent::entities);
        let lasting = source.state.pairs.unsorted().map(|pair| [pair.a, pair.b]);
        let earlier = ended.chain(lasting).filter(|&pair| {
            !started.contains(&by_id(pair)) && hierarchies.contains(&lookup.roots(pair))
        });
        let ancestors = &mut self.ancestors;
        let logged = earlier.filter_map(|pair| source.pair(update, update, pair, ancestors));
        self.earlier.extend(logged);
    }

    /// Removes the pairs of messages that are gone.
    fn retain(&mut self, ids: Range<usize>) {
        for pairs in [&mut self.starts, &mut self.earlier] {
            pairs.retain(|pair| ids.contains(&pair.id));
            let needed = pairs.len();
            memory::shrink(pairs, needed);
        }
        let Self {
            starts,
            earlier,
            ancestors,
            ..
        } = self;
        let first = |pairs: &[LoggedPair]| Some(pairs.first()?.colliders[0].ancestors.start);
        let kept = [first(starts), first(earlier)].into_iter().flatten().min();
        let gone = kept.unwrap_or(ancestors.len() as u32);
        ancestors.drain(..gone as usize);
        let needed = ancestors.len();
        memory::shrink(ancestors, needed);
        let pairs = starts.iter_mut().chain(earlier);
        for collider in pairs.flat_map(|pair| &mut pair.colliders) {
            collider.ancestors.start -= gone;
            collider.ancestors.end -= gone;
        }
    }

    /// The ancestors of all colliders.
    pub(super) fn ancestors(&self) -> &[Ancestor] {
        &self.ancestors
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
