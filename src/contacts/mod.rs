//! The pairs that overlap now, and what changed about them.

mod collider_lookup;
mod end_reason;
mod explain;
mod pair_bucket;
mod pair_store;
mod rules;
mod update;
mod views;

pub use explain::{Absence, Blocking, Explanation, Verdict};
pub(crate) use update::update_contacts;

use bevy::{ecs::system::SystemParam, prelude::*};

use self::{
    explain::Explainer,
    pair_bucket::PairBucket,
    views::{Adjacency, Lazy, SortedPairs},
};
use crate::{geometry::Contact, settings::CollisionSettings};

/// Two colliders that overlap.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CollidingPair {
    /// The lesser of the two entities.
    pub a: Entity,
    /// The greater of the two entities.
    pub b: Entity,
    /// How they overlap, seen from `a`.
    pub contact: Contact,
    /// Where the index keeps the two.
    slots: [u32; 2],
    /// Whether it was found again in the last run.
    is_touching: bool,
}

/// The same pair with the same contact, whenever it was found.
impl PartialEq for CollidingPair {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key() && self.contact == other.contact
    }
}

impl CollidingPair {
    fn key(&self) -> (Entity, Entity) {
        (self.a, self.b)
    }
}

/// The pairs that overlapped at the end of the last run.
#[derive(Resource, Default)]
pub(crate) struct Contacts {
    buckets: Vec<PairBucket>,
    sorted: Lazy<SortedPairs>,
    adjacency: Lazy<Adjacency>,
    /// The rules of the last run.
    settings: CollisionSettings,
    buffers: update::Buffers,
}

impl Contacts {
    /// How many pairs overlap.
    pub fn count(&self) -> usize {
        let buckets = self.buckets.iter();
        buckets.map(|region| region.store.as_slice().len()).sum()
    }

    /// All pairs, sorted by their entities.
    fn iter(&self) -> impl ExactSizeIterator<Item = &CollidingPair> {
        let buckets = &self.buckets;
        let sorted = self.sorted.get_or_make(|sorted| sorted.sort(buckets));
        sorted.0.iter().map(|place| place.pair(buckets))
    }

    /// How two entities overlap, seen from the first.
    fn find(&self, from: Entity, other: Entity) -> Option<Contact> {
        let adjacency = self.adjacency();
        let endpoints = adjacency.of(from, &self.buckets);
        let place = endpoints
            .binary_search_by_key(&other, |side| side.entities(&self.buckets).1)
            .ok()?;
        Some(endpoints[place].contact(&self.buckets))
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        let buckets = &self.buckets;
        let endpoints = self.adjacency().of(entity, buckets).iter();
        endpoints.map(|side| (side.entities(buckets).1, side.contact(buckets)))
    }

    fn adjacency(&self) -> &Adjacency {
        let buckets = &self.buckets;
        self.adjacency
            .get_or_make(|adjacency| adjacency.group(buckets))
    }

    fn invalidate_views(&mut self) {
        self.sorted.reset();
        self.adjacency.reset();
    }
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
pub struct Collisions<'w, 's> {
    contacts: Res<'w, Contacts>,
    explainer: Explainer<'w, 's>,
}

impl Collisions<'_, '_> {
    /// All pairs, sorted by their entities.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &CollidingPair> {
        self.contacts.iter()
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.contacts.count()
    }

    /// Whether nothing overlaps.
    pub fn is_empty(&self) -> bool {
        self.contacts.count() == 0
    }

    /// How two entities overlap, seen from the first; none, if they do not.
    pub fn get(&self, from: Entity, other: Entity) -> Option<Contact> {
        self.contacts.find(from, other)
    }

    /// Whether two entities overlap. The order does not matter.
    pub fn contains(&self, a: Entity, b: Entity) -> bool {
        self.contacts.find(a, b).is_some()
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        self.contacts.of(entity)
    }

    /// Why two entities collide, or why they do not, and whether one stops the other. It speaks of the last run, as everything here
    /// does: two that were a pair then [collide](Verdict::Collide), whatever happened to them since. Of others it tells if one of them
    /// has been despawned or disabled since.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Component)] struct Bullet;
    /// # #[derive(Component)] struct Monster;
    /// fn why_not(bullet: Single<Entity, With<Bullet>>, monster: Single<Entity, With<Monster>>, collisions: Collisions) {
    ///     // 12v0 and 7v0 do not collide: 12v0 looks for none of the layers that 7v0 is in (2). Add one of them to …
    ///     info!("{}", collisions.explain(*bullet, *monster));
    /// }
    /// # bevy::ecs::system::assert_is_system(why_not);
    /// ```
    ///
    /// [`Explanation::verdict`] tells the same as data, [`Explanation::named`] with the names of the entities.
    pub fn explain(&self, a: Entity, b: Entity) -> Explanation {
        self.explainer.explain(&self.contacts, a, b)
    }
}
