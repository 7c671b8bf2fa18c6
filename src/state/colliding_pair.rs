//! Two colliders that overlap.

use bevy::ecs::entity::Entity;

use crate::{components::EntityOrder, geometry::Contact};

/// Two colliders that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CollidingPair {
    /// The lesser of the two entities, by their [`StableKey`](crate::StableKey)s if they have any.
    pub a: Entity,
    /// The greater of the two entities.
    pub b: Entity,
    /// How the two overlap, as seen from `a`.
    pub contact: Contact,
}

/// A pair with what the next update needs of it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StoredPair {
    pub a: Entity,
    pub b: Entity,
    /// As seen from `a`.
    pub contact: Contact,
    /// The keys of its two entities.
    pub keys: [u64; 2],
}

impl StoredPair {
    /// The entities in an order that depends on no key, by which pairs are found.
    pub fn ids(&self) -> [Entity; 2] {
        by_id([self.a, self.b])
    }

    /// What the two are sorted by.
    pub fn orders(&self) -> [EntityOrder; 2] {
        let [a, b] = self.keys;
        [(a, self.a), (b, self.b)].map(|(key, entity)| EntityOrder { key, entity })
    }

    /// The entity that one of the two overlaps, and the contact as seen from that one.
    pub fn seen_from(&self, entity: Entity) -> (EntityOrder, Contact) {
        let [a, b] = self.orders();
        if entity == a.entity {
            (b, self.contact)
        } else {
            (a, self.contact.flipped())
        }
    }

    /// This pair with other entities.
    pub(super) fn with_entities(self, [a, b]: [Entity; 2]) -> Self {
        let pair = Self { a, b, ..self };
        let [first, second] = pair.orders();
        if first < second {
            return pair;
        }
        let [a_key, b_key] = self.keys;
        Self {
            a: b,
            b: a,
            contact: self.contact.flipped(),
            keys: [b_key, a_key],
        }
    }
}

impl From<&StoredPair> for CollidingPair {
    fn from(stored: &StoredPair) -> Self {
        let &StoredPair { a, b, contact, .. } = stored;
        Self { a, b, contact }
    }
}

/// The entities of a pair in an order that depends on no key.
pub(crate) fn by_id([a, b]: [Entity; 2]) -> [Entity; 2] {
    [a.min(b), a.max(b)]
}
