//! Starts of collisions between entities of two kinds.

use bevy::{
    ecs::{
        archetype::Archetypes, entity::EntityHashSet, message::MessageCursor,
        query::ArchetypeFilter, system::SystemParam,
    },
    platform::collections::HashSet,
    prelude::*,
};

use super::start_log::{Ancestor, AncestorLookup, LoggedCollider, LoggedPair, StartLog};
use crate::{components::LayerMask, events::CollisionEvent, geometry::Contact, state::by_id};

/// The start of a collision between an entity that matches the first filter of [`Hits`] and one
/// that matches the second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Hit {
    /// The entity that matches the first filter.
    pub a: Entity,
    /// The entity that matches the second filter.
    pub b: Entity,
    /// The colliders that overlap: `a` or a descendant, and `b` or a descendant.
    pub colliders: [Entity; 2],
    /// How the two colliders overlap, as seen from that of `a`.
    pub contact: Contact,
    /// The fraction of the update's motion at which the overlap started, in 0..=1, as in
    /// [`CollisionEvent::Started`].
    pub fraction: f32,
}

/// The collisions that started since this system last read them, between entities that match `A`
/// and entities that match `B`. A pair that matches in both orders is returned once.
///
/// The entity of a collider is the nearest of itself and its ancestors that matches: health on a
/// boss of five hurtboxes is found from each of them. Nothing hits its own descendants.
///
/// Two entities hit each other once until they are apart, however many colliders they have: a sword
/// of three boxes hits the boss once per swing. They are apart when none of their colliders overlap
/// at the end of an update. A despawned collider counts as apart: disable the boxes of a swing
/// instead.
///
/// A sword below a hero belongs to the hero as well, where the filter is for heroes, and a parent
/// matches [`Without`] more often than not: [`between`](Self::between) separates colliders by their
/// layers.
///
/// The filters apply to the components that the entities had when the start was reported, so that
/// the order of two systems does not matter: if one despawns a bullet because it hit a wall, the
/// other one still receives the monster that the bullet hit before. Either entity may have been
/// despawned since: get components with `if let Ok(..)`, and use
/// [`try_despawn`](EntityCommands::try_despawn) and [`try_insert`](EntityCommands::try_insert).
///
/// Filters consist of [`With`], [`Without`] and [`Or`]. Without filters, `Hits` has all colliders,
/// for [`between`](Self::between) to choose by layers.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Bullet;
/// # #[derive(Component)] struct Monster { health: i32 }
/// fn hurt(
///     mut hits: Hits<With<Bullet>, With<Monster>>,
///     mut monsters: Query<&mut Monster>,
///     mut commands: Commands,
/// ) {
///     for hit in hits.first_per_a() {
///         if let Ok(mut monster) = monsters.get_mut(hit.b) {
///             monster.health -= 1;
///         }
///         commands.entity(hit.a).try_despawn();
///     }
/// }
/// # bevy::ecs::system::assert_is_system(hurt);
/// ```
#[derive(SystemParam)]
pub struct Hits<'w, 's, A: ArchetypeFilter + 'static = (), B: ArchetypeFilter + 'static = ()> {
    messages: Res<'w, Messages<CollisionEvent>>,
    log: Res<'w, StartLog>,
    lookup: AncestorLookup<'w, 's>,
    archetypes: &'w Archetypes,
    filters: Local<'s, Filters<A, B>>,
    readers: Local<'s, Vec<Reader>>,
}

/// The ids of the components that the filters use.
struct Filters<A: ArchetypeFilter, B: ArchetypeFilter>(A::State, B::State);

impl<A: ArchetypeFilter, B: ArchetypeFilter> FromWorld for Filters<A, B> {
    fn from_world(world: &mut World) -> Self {
        Self(A::init_state(world), B::init_state(world))
    }
}

/// How far a system has read the hits between some layers.
struct Reader {
    layers: [LayerMask; 2],
    cursor: MessageCursor<CollisionEvent>,
    seen: SeenThings,
}

/// The things that overlapped before an update, or hit each other in it.
#[derive(Default)]
struct SeenThings {
    update: Option<usize>,
    things: HashSet<[Entity; 2]>,
}

/// Hits, in the order of the messages.
pub struct HitIter<I>(I);

impl<I: Iterator<Item = Hit>> Iterator for HitIter<I> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        self.0.next()
    }
}

impl<I: Iterator<Item = Hit>> HitIter<I> {
    /// The first hit of each `a`, so that one bullet hits one victim.
    pub fn first_per_a(self) -> impl Iterator<Item = Hit> {
        let mut seen = EntityHashSet::default();
        self.0.filter(move |hit| seen.insert(hit.a))
    }
}

impl<A: ArchetypeFilter, B: ArchetypeFilter> Hits<'_, '_, A, B> {
    /// The unread hits, in the order of the messages.
    pub fn read(&mut self) -> HitIter<impl Iterator<Item = Hit>> {
        self.between(LayerMask::ALL, LayerMask::ALL)
    }

    /// The first unread hit of each `a`, so that one bullet hits one victim.
    pub fn first_per_a(&mut self) -> impl Iterator<Item = Hit> {
        self.read().first_per_a()
    }

    /// The hits between colliders in these layers that this system has not yet read between these
    /// layers. Colliders are in layers by their memberships; those in messages that a game writes
    /// itself are in all.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Component, Reflect)] enum Layer { Shot, Foe, Hero }
    /// # impl CollisionLayer for Layer {}
    /// fn despawn(mut hits: Hits, mut commands: Commands) {
    ///     for hit in hits.between(Layer::Shot, [Layer::Foe, Layer::Hero]) {
    ///         commands.entity(hit.a).try_despawn();
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(despawn);
    /// ```
    pub fn between(
        &mut self,
        a: impl Into<LayerMask>,
        b: impl Into<LayerMask>,
    ) -> HitIter<impl Iterator<Item = Hit>> {
        let Self {
            messages,
            log,
            lookup,
            archetypes,
            filters,
            readers,
        } = self;
        let layers = [a.into(), b.into()];
        let Reader { cursor, seen, .. } = reader_of(readers, layers);
        let matching = Matching::<A, B> {
            filters,
            archetypes,
            layers,
        };
        HitIter(
            cursor
                .read_with_id(messages)
                .filter_map(move |(event, id)| {
                    let start = Hit::of(event)?;
                    let Some(pair) = log.start(id.id) else {
                        // A game may write messages of its own, such as in tests.
                        let mut ancestors = vec![];
                        let mut collider =
                            |entity| lookup.collider(entity, LayerMask::ALL, &mut ancestors);
                        let colliders = [collider(start.a)?, collider(start.b)?];
                        return Some(start.between(matching.things(&colliders, &ancestors)?));
                    };
                    let things =
                        |pair: &LoggedPair| matching.things(&pair.colliders, log.ancestors());
                    let hit = things(pair)?;
                    if seen.update != Some(pair.update) {
                        seen.update = Some(pair.update);
                        seen.things.clear();
                        let earlier = log.earlier(pair.update).iter().filter_map(things);
                        seen.things.extend(earlier.map(Things::ids));
                    }
                    seen.things.insert(hit.ids()).then(|| start.between(hit))
                }),
        )
    }
}

/// What has been read between some layers.
fn reader_of(readers: &mut Vec<Reader>, layers: [LayerMask; 2]) -> &mut Reader {
    let known = readers.iter().position(|reader| reader.layers == layers);
    let index = known.unwrap_or(readers.len());
    if known.is_none() {
        readers.push(Reader {
            layers,
            cursor: MessageCursor::default(),
            seen: SeenThings::default(),
        });
    }
    &mut readers[index]
}

/// What two colliders belong to.
#[derive(Clone, Copy)]
struct Things {
    a: Entity,
    b: Entity,
    /// Whether `a` is that of the second collider.
    is_flipped: bool,
}

impl Things {
    fn ids(self) -> [Entity; 2] {
        by_id([self.a, self.b])
    }
}

/// What things have to match.
struct Matching<'a, A: ArchetypeFilter, B: ArchetypeFilter> {
    filters: &'a Filters<A, B>,
    archetypes: &'a Archetypes,
    layers: [LayerMask; 2],
}

impl<A: ArchetypeFilter, B: ArchetypeFilter> Matching<'_, A, B> {
    /// The things of two colliders, or `None` if they do not match. `ancestors` has those of both.
    fn things(&self, [p, q]: &[LoggedCollider; 2], ancestors: &[Ancestor]) -> Option<Things> {
        let pair = |p: &LoggedCollider, q: &LoggedCollider| {
            let Filters(a, b) = self.filters;
            let a = self.thing::<A>(p, a, self.layers[0], ancestors)?;
            let b = self.thing::<B>(q, b, self.layers[1], ancestors)?;
            // Nothing hits its own descendants.
            let is_above = |thing, collider: &LoggedCollider| {
                (collider.with_ancestors(ancestors)).any(|(entity, _)| entity == thing)
            };
            (!is_above(a, q) && !is_above(b, p)).then_some([a, b])
        };
        let in_order = pair(p, q);
        let is_flipped = in_order.is_none();
        let [a, b] = in_order.or_else(|| pair(q, p))?;
        Some(Things { a, b, is_flipped })
    }

    /// The nearest of a collider and its ancestors that matches a filter.
    fn thing<F: ArchetypeFilter>(
        &self,
        collider: &LoggedCollider,
        filter: &F::State,
        layers: LayerMask,
        ancestors: &[Ancestor],
    ) -> Option<Entity> {
        let matches = |id| {
            let archetype = self.archetypes.get(id);
            archetype.is_some_and(|archetype| {
                F::matches_component_set(filter, &|component| archetype.contains(component))
            })
        };
        let is_in_layers = layers == LayerMask::ALL || layers.intersects(collider.memberships);
        let mut line = collider.with_ancestors(ancestors).filter(|_| is_in_layers);
        Some(line.find(|&(_, archetype)| matches(archetype))?.0)
    }
}

impl Hit {
    /// The hit of a started collision, or `None` for another event.
    fn of(event: &CollisionEvent) -> Option<Self> {
        match *event {
            CollisionEvent::Started {
                a,
                b,
                contact,
                fraction,
            } => Some(Self {
                a,
                b,
                colliders: [a, b],
                contact,
                fraction,
            }),
            CollisionEvent::Ended { .. } => None,
        }
    }

    /// The hit of two colliders as one of their things.
    fn between(self, things: Things) -> Self {
        let Things { a, b, is_flipped } = things;
        let [p, q] = self.colliders;
        if is_flipped {
            Self {
                a,
                b,
                colliders: [q, p],
                contact: self.contact.flipped(),
                ..self
            }
        } else {
            Self { a, b, ..self }
        }
    }
}
