//! Which colliders are parts of which movers.

use bevy::prelude::*;

use super::entry::ColliderEntry;
use crate::components::EntityOrder;

/// The parts of all movers.
#[derive(Default)]
pub(super) struct Bodies {
    /// Sorted by mover, then by entity.
    parts: Vec<BodyPart>,
}

/// A collider that is a part of a mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BodyPart {
    mover: Entity,
    order: EntityOrder,
    slot: u32,
}

impl Bodies {
    pub fn clear(&mut self) {
        self.parts.clear();
    }

    pub fn extend<'a>(&mut self, parts: impl Iterator<Item = ColliderEntry<'a>>) {
        self.parts.extend(parts.filter_map(|entry| {
            Some(BodyPart {
                mover: entry.mover()?,
                order: entry.order(),
                slot: entry.slot,
            })
        }));
        self.parts.sort_unstable();
    }

    /// The slots of the parts of a mover, sorted by entity.
    pub fn parts_of(&self, mover: Entity) -> impl Iterator<Item = u32> {
        let start = self.parts.partition_point(|part| part.mover < mover);
        let parts = self.parts[start..].iter();
        let parts = parts.take_while(move |part| part.mover == mover);
        parts.map(|part| part.slot)
    }

    /// The movers with parts, sorted.
    pub fn movers(&self) -> impl Iterator<Item = Entity> {
        let bodies = self.parts.chunk_by(|p, q| p.mover == q.mover);
        bodies.map(|parts| parts[0].mover)
    }
}
