//! Starts of collisions between entities of two kinds.

use bevy::{
    ecs::{entity::EntityHashSet, query::QueryFilter, system::SystemParam},
    prelude::*,
};

use super::CollisionEvent;
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
/// The filters apply to the entities as they are when the hits are read. A despawned entity matches
/// no filter. They apply to the entities with the colliders: a marker for a boss of many parts
/// belongs on each part, or an observer on the boss itself, to whom `CollisionStart` bubbles.
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
///         monsters.get_mut(hit.b).unwrap().health -= 1;
///         commands.entity(hit.a).despawn();
///     }
/// }
/// # bevy::ecs::system::assert_is_system(hurt);
/// ```
#[derive(SystemParam)]
pub struct Hits<'w, 's, A: QueryFilter + 'static, B: QueryFilter + 'static> {
    events: MessageReader<'w, 's, CollisionEvent>,
    matches_a: Query<'w, 's, (), A>,
    matches_b: Query<'w, 's, (), B>,
}

impl<A: QueryFilter + 'static, B: QueryFilter + 'static> Hits<'_, '_, A, B> {
    /// The unread hits, in the order of the messages.
    pub fn read(&mut self) -> impl Iterator<Item = Hit> {
        let (matches_a, matches_b) = (&self.matches_a, &self.matches_b);
        let fits = |a, b| matches_a.contains(a) && matches_b.contains(b);
        self.events.read().filter_map(move |event| match *event {
            CollisionEvent::Started {
                a,
                b,
                contact,
                fraction,
            } => {
                let hit = Hit {
                    a,
                    b,
                    contact,
                    fraction,
                };
                if fits(a, b) {
                    Some(hit)
                } else if fits(b, a) {
                    Some(Hit {
                        a: b,
                        b: a,
                        contact: contact.flipped(),
                        ..hit
                    })
                } else {
                    None
                }
            }
            CollisionEvent::Ended { .. } => None,
        })
    }

    /// The first of the unread hits of each `a`: one bullet, one victim.
    pub fn first_per_a(&mut self) -> impl Iterator<Item = Hit> {
        let mut seen = EntityHashSet::default();
        self.read().filter(move |hit| seen.insert(hit.a))
    }
}
