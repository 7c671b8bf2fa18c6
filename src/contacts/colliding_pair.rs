//! Two colliders that overlap.

use bevy::ecs::entity::Entity;

use crate::geometry::Contact;

/// Two colliders that overlap. Pairs are equal if their entities and contacts are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CollidingPair {
    /// The lesser of the two entities.
    pub a: Entity,
    /// The greater of the two entities.
    pub b: Entity,
    /// How the two overlap, as seen from `a`.
    pub contact: Contact,
    /// The slots of `a` and `b` in the index.
    pub(super) slots: [u32; 2],
    /// Whether this update found the pair to overlap.
    pub(super) is_touching: bool,
}

impl PartialEq for CollidingPair {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key() && self.contact == other.contact
    }
}

impl CollidingPair {
    /// The entities, by which pairs are stored and sorted.
    pub(super) fn key(&self) -> (Entity, Entity) {
        (self.a, self.b)
    }
}
