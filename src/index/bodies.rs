//! Which colliders are parts of which movers.

use bevy::prelude::*;

use super::{ancestry::MoverRelation, collider_index::ColliderIndex, entry::ColliderEntry};
use crate::components::{EntityOrder, LayerMask};

/// A collider that is a part of a mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BodyPart {
    mover: Entity,
    order: EntityOrder,
    slot: u32,
}

impl ColliderIndex {
    /// The parts of a mover, sorted by entity.
    pub fn parts_of(&self, mover: Entity) -> impl Iterator<Item = ColliderEntry<'_>> {
        let start = self.parts.partition_point(|part| part.mover < mover);
        let parts = self.parts[start..].iter();
        let parts = parts.take_while(move |part| part.mover == mover);
        parts.filter_map(|part| self.at(part.slot))
    }

    /// The movers with parts, sorted.
    pub fn movers_with_parts(&self) -> impl Iterator<Item = Entity> {
        let bodies = self.parts.chunk_by(|p, q| p.mover == q.mover);
        bodies.map(|parts| parts[0].mover)
    }

    /// Lists the parts of all movers. What blocks a mover blocks its parts. `slot_of` returns the
    /// slot of a mover's collider, if it has one.
    pub(super) fn unite_bodies(&mut self, slot_of: impl Fn(Entity) -> Option<u32>) {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let attached = self.attached_to_movers.iter();
        let entries = attached.filter_map(|&slot| self.at(slot));
        let entries = entries.filter(|entry| entry.role.moved_by == MoverRelation::Part);
        parts.extend(entries.filter_map(|entry| {
            Some(BodyPart {
                mover: entry.mover()?,
                order: entry.order(),
                slot: entry.slot,
            })
        }));
        parts.sort_unstable();
        for parts in parts.chunk_by(|p, q| p.mover == q.mover) {
            let mover = parts[0].mover;
            let entry = slot_of(mover).and_then(|slot| self.get(slot, mover));
            if let Some((blocked_by, skin)) = entry.map(|entry| (entry.role.blocked_by, entry.skin))
            {
                (parts.iter()).for_each(|part| self.set_blocked_by(part.slot, blocked_by, skin));
            }
        }
        self.parts = parts;
    }

    fn set_blocked_by(&mut self, slot: u32, blocked_by: LayerMask, skin: f32) {
        let Some(index) = self.colliders.slots.index(slot) else {
            return;
        };
        let record = &mut self.colliders.records[index];
        if (record.role.blocked_by, record.skin) != (blocked_by, skin) {
            (record.role.blocked_by, record.skin) = (blocked_by, skin);
            self.mark(index);
        }
    }
}
