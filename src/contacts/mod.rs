//! The pairs that overlap now, and what changed about them.

mod colliding_entities;
mod crossing;
mod end_reason;
mod update;

pub use colliding_entities::CollidingEntities;
pub(crate) use colliding_entities::update_colliding_entities;
pub(crate) use update::update_contacts;

use std::sync::OnceLock;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{events::CollisionEvent, geometry::Contact};

/// Two colliders that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CollidingPair {
    /// The lesser of the two entities.
    pub a: Entity,
    /// The greater of the two entities.
    pub b: Entity,
    /// How they overlap, seen from `a`.
    pub contact: Contact,
    /// Where the index keeps the two.
    pub(crate) slots: [u32; 2],
}

impl CollidingPair {
    fn key(&self) -> (Entity, Entity) {
        (self.a, self.b)
    }
}

/// The pairs that overlapped at the end of the last run, sorted, and what changed in it.
#[derive(Resource, Default)]
pub(crate) struct Contacts {
    pairs: Vec<CollidingPair>,
    /// The places in `pairs`, sorted by the greater entity; made when first asked for.
    by_greater: OnceLock<Vec<u32>>,
    pub changes: Vec<CollisionEvent>,
    buffers: update::Buffers,
}

impl Contacts {
    /// How many pairs overlap.
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    fn find(&self, a: Entity, b: Entity) -> Option<&CollidingPair> {
        let key = (a.min(b), a.max(b));
        let place = self
            .pairs
            .binary_search_by_key(&key, CollidingPair::key)
            .ok()?;
        Some(&self.pairs[place])
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        let by_greater = self.by_greater.get_or_init(|| {
            let mut places: Vec<u32> = (0..self.pairs.len() as u32).collect();
            places.sort_by_key(|&place| self.pairs[place as usize].b);
            places
        });
        let greater_of = |place: &u32| self.pairs[*place as usize].b;
        let as_greater = equal_range(by_greater, entity, greater_of)
            .iter()
            .map(|&place| &self.pairs[place as usize])
            .map(|pair| (pair.a, pair.contact.flipped()));
        let as_lesser = equal_range(&self.pairs, entity, |pair| pair.a)
            .iter()
            .map(|pair| (pair.b, pair.contact));
        as_greater.chain(as_lesser)
    }
}

/// The part of a sorted list that has this key.
fn equal_range<T>(sorted: &[T], key: Entity, key_of: impl Fn(&T) -> Entity) -> &[T] {
    let start = sorted.partition_point(|item| key_of(item) < key);
    let end = sorted.partition_point(|item| key_of(item) <= key);
    &sorted[start..end]
}

/// The pairs that overlap now: as they were at the end of the last run of [`CollisionSystems::Detect`](crate::CollisionSystems).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Player;
/// # #[derive(Component)] struct Lava;
/// fn burn(player: Single<Entity, With<Player>>, lava: Query<(), With<Lava>>, collisions: Collisions) {
///     for (other, contact) in collisions.of(*player) {
///         if lava.contains(other) {
///             info!("the lava is {} deep", contact.depth);
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(burn);
/// ```
#[derive(SystemParam)]
pub struct Collisions<'w> {
    contacts: Res<'w, Contacts>,
}

impl Collisions<'_> {
    /// All pairs, sorted by their entities.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &CollidingPair> {
        self.contacts.pairs.iter()
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.contacts.pairs.len()
    }

    /// Whether nothing overlaps.
    pub fn is_empty(&self) -> bool {
        self.contacts.pairs.is_empty()
    }

    /// How two entities overlap, seen from the first; none, if they do not.
    pub fn get(&self, from: Entity, other: Entity) -> Option<Contact> {
        let pair = self.contacts.find(from, other)?;
        Some(if pair.a == from {
            pair.contact
        } else {
            pair.contact.flipped()
        })
    }

    /// Whether two entities overlap. The order does not matter.
    pub fn contains(&self, a: Entity, b: Entity) -> bool {
        self.contacts.find(a, b).is_some()
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        self.contacts.of(entity)
    }
}
