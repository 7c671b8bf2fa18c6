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
    index::{Parents, Registration, TableLayers, every_entity, is_ancestor, visit_ancestors},
    memory,
    state::{CollisionState, by_id},
};

/// The pairs that started in the updates whose messages Bevy keeps, and earlier pairs of the same
/// entities.
#[derive(Resource, Default)]
pub(crate) struct StartLog {
    /// Those that started, by message id, ascending.
    starts: Vec<LoggedPair>,
    /// Those that overlapped before an update in which others below the same ancestors started, by
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
    /// The pairs that started, if one of the two has relatives.
    started: HashSet<[Entity; 2]>,
    /// The separate roots of each of them.
    roots: HashSet<[Entity; 2]>,
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
}

impl AncestorLookup<'_, '_> {
    /// Builds the parameter so that ancestors include hidden entities.
    pub fn of_every_entity() -> impl SystemParamBuilder<Self> + Send + Sync + 'static {
        AncestorLookupBuilder {
            entities: ParamBuilder,
            parents: every_entity(),
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
        // No collider has parents in a cycle.
        let _ = visit_ancestors(self.parent(entity), |ancestor| {
            let archetype = self.archetype(ancestor);
            ancestors.extend(archetype.map(|archetype| (ancestor, archetype)));
            self.parent(ancestor)
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

    fn parent(&self, entity: Entity) -> Option<Entity> {
        self.parents.get(entity).ok().map(ChildOf::parent)
    }

    /// The topmost of an entity and its ancestors that is not above another entity, or `None` if
    /// the entity itself is.
    fn separate_root(&self, entity: Entity, other: Entity) -> Option<Entity> {
        let mut root = None;
        let _ = visit_ancestors(Some(entity), |current| {
            if current == other || is_ancestor(current, other, &self.parents) {
                return None;
            }
            root = Some(current);
            self.parent(current)
        });
        root
    }
}

/// The world that the log is written from.
#[derive(SystemParam)]
#[system_param(builder)]
pub(crate) struct LogSource<'w, 's> {
    state: Res<'w, CollisionState>,
    ancestors: AncestorLookup<'w, 's>,
    children: Query<'w, 's, &'static Children>,
    colliders: Query<'w, 's, (), With<Registration>>,
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
            children: every_entity(),
            colliders: every_entity(),
            layers: every_entity(),
        }
    }

    fn memberships(&self, entity: Entity) -> LayerMask {
        let (own, of_table) = self.layers.get(entity).unwrap_or_default();
        let layers = own.copied().or_else(|| Some(of_table?.0));
        layers.unwrap_or_default().memberships
    }

    /// The separate roots of two colliders. All entities that hit each other as these overlap are
    /// at or below them. `None` if one is above the other: then there are no such entities.
    fn roots(&self, [a, b]: [Entity; 2]) -> Option<[Entity; 2]> {
        let lookup = &self.ancestors;
        Some([lookup.separate_root(a, b)?, lookup.separate_root(b, a)?])
    }

    /// Whether there may be other colliders below a root: not if all that a collider has are a few
    /// sprites.
    fn has_relatives(&self, collider: Entity, root: Entity) -> bool {
        const FEW: usize = 16;
        let may_be_above_one =
            |child| self.colliders.contains(child) || self.children.contains(child);
        let may_have_one =
            |children: &Children| children.len() > FEW || children.iter().any(may_be_above_one);
        root != collider || self.children.get(collider).is_ok_and(may_have_one)
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
        let Buffers { started, roots } = &mut self.buffers;
        started.clear();
        roots.clear();
        let first = self.starts.partition_point(|pair| pair.update < update);
        for LoggedPair { colliders, .. } in &self.starts[first..] {
            let pair = colliders.each_ref().map(|collider| collider.entity);
            if let Some([a, b]) = source.roots(pair)
                && (source.has_relatives(pair[0], a) || source.has_relatives(pair[1], b))
            {
                started.insert(by_id(pair));
                roots.insert(by_id([a, b]));
            }
        }
        if roots.is_empty() {
            return;
        }
        // The ends of earlier pairs come before all starts.
        let ended = events.iter().take_while(|event| !event.is_start());
        let ended = ended.map(CollisionEvent::entities);
        let lasting = source.state.pairs.unsorted().map(|pair| [pair.a, pair.b]);
        let is_below = |pair| (source.roots(pair)).is_some_and(|pair| roots.contains(&by_id(pair)));
        let earlier = (ended.chain(lasting))
            .filter(|&pair| !started.contains(&by_id(pair)) && is_below(pair));
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
