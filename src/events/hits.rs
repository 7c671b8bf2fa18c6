//! Starts of collisions between entities of two kinds.

use bevy::{
    ecs::{
        archetype::{Archetype, Archetypes},
        entity::{Entities, EntityHashSet},
        query::ArchetypeFilter,
        system::SystemParam,
    },
    prelude::*,
};

use super::{
    CollisionEvent,
    start_archetypes::{StartArchetypes, archetypes_of},
};
use crate::geometry::Contact;

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
    /// How the two overlap, as seen from `a`.
    pub contact: Contact,
    /// The fraction of the update's motion at which the overlap started, in 0..=1, as in
    /// [`CollisionEvent::Started`].
    pub fraction: f32,
}

/// The collisions that started since this system last read them, between entities that match `A`
/// and entities that match `B`. A pair that matches both ways is returned once.
///
/// The filters apply to the components that the entities had when the start was reported, so that
/// the order of two systems does not matter: if one despawns a bullet because it hit a wall, the
/// other one still receives the monster that the bullet hit before. Either entity may have been
/// despawned since: get components with `if let Ok(..)`, and use
/// [`try_despawn`](EntityCommands::try_despawn) and [`try_insert`](EntityCommands::try_insert).
///
/// The filters apply to the entities with the colliders: a marker for a boss of many parts belongs
/// on each part, or an observer on the boss itself, to which `CollisionStart` bubbles. Filters
/// consist of [`With`], [`Without`] and [`Or`].
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
pub struct Hits<'w, 's, A: ArchetypeFilter + 'static, B: ArchetypeFilter + 'static> {
    events: MessageReader<'w, 's, CollisionEvent>,
    start_archetypes: Res<'w, StartArchetypes>,
    archetypes: &'w Archetypes,
    entities: &'w Entities,
    a_filter: Local<'s, FilterState<A>>,
    b_filter: Local<'s, FilterState<B>>,
}

/// The ids of the components that a filter uses.
struct FilterState<F: ArchetypeFilter>(F::State);

impl<F: ArchetypeFilter> FromWorld for FilterState<F> {
    fn from_world(world: &mut World) -> Self {
        Self(F::init_state(world))
    }
}

impl<F: ArchetypeFilter> FilterState<F> {
    fn matches(&self, archetype: &Archetype) -> bool {
        F::matches_component_set(&self.0, &|component| archetype.contains(component))
    }
}

impl<A: ArchetypeFilter, B: ArchetypeFilter> Hits<'_, '_, A, B> {
    /// The unread hits, in the order of the messages.
    pub fn read(&mut self) -> impl Iterator<Item = Hit> {
        let Self {
            events,
            start_archetypes,
            archetypes: all,
            entities,
            a_filter,
            b_filter,
        } = self;
        let fits = |[a, b]: [&Archetype; 2]| a_filter.matches(a) && b_filter.matches(b);
        events.read_with_id().filter_map(move |(event, id)| {
            let hit = Hit::of(event)?;
            // A game may write messages of its own, such as in tests.
            let reported = start_archetypes.get(id.id);
            let [a, b] = reported.or_else(|| archetypes_of([hit.a, hit.b], entities))?;
            let (a, b) = (all.get(a)?, all.get(b)?);
            if fits([a, b]) {
                Some(hit)
            } else {
                fits([b, a]).then(|| hit.flipped())
            }
        })
    }

    /// The first unread hit of each `a`, so that one bullet hits one victim.
    pub fn first_per_a(&mut self) -> impl Iterator<Item = Hit> {
        let mut seen = EntityHashSet::default();
        self.read().filter(move |hit| seen.insert(hit.a))
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
                contact,
                fraction,
            }),
            CollisionEvent::Ended { .. } => None,
        }
    }

    /// Returns the hit with `a` and `b` swapped.
    fn flipped(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            contact: self.contact.flipped(),
            ..self
        }
    }
}
