use bevy::{
    ecs::{entity::EntityHashSet, query::QueryFilter, system::SystemParam},
    prelude::*,
};

use super::CollisionEvent;
use crate::geometry::Contact;

/// A collision that started, between an entity of one kind and an entity of another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Hit {
    /// The one that the first filter matches.
    pub a: Entity,
    /// The one that the second filter matches.
    pub b: Entity,
    /// How they overlap, seen from `a`.
    pub contact: Contact,
    /// When they met, as in [`CollisionEvent::Started`].
    pub fraction: f32,
}

/// The collisions that started since this system last asked, between entities that match the filter `A` and entities that
/// match `B`. A pair that fits both ways comes once.
///
/// The filters look at the entities as they are when the hits are read; one that was despawned meanwhile matches none.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Bullet;
/// # #[derive(Component)] struct Monster { health: i32 }
/// fn hurt(mut hits: Hits<With<Bullet>, With<Monster>>, mut monsters: Query<&mut Monster>, mut commands: Commands) {
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
    /// The hits that were not read yet, in the order of the events.
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

    /// Of the hits that were not read yet, the first of each `a`: one bullet, one victim.
    pub fn first_per_a(&mut self) -> impl Iterator<Item = Hit> {
        let mut seen = EntityHashSet::default();
        self.read().filter(move |hit| seen.insert(hit.a))
    }
}
