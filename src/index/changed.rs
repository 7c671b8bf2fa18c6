//! Which colliders changed since pairs were last detected.

use bevy::ecs::entity::Entity;

use super::{collider_index::ColliderIndex, colliders::ColliderRecord};
use crate::broad_phase::{BroadPhase, DirtySet};

/// The colliders that changed since pairs were last detected.
#[derive(Clone, Copy)]
pub(crate) struct ChangedColliders<'a> {
    moved: &'a DirtySet,
    records: &'a [ColliderRecord],
    removed: &'a [Entity],
}

impl<'a> ChangedColliders<'a> {
    pub fn len(self) -> usize {
        self.moved.count() + self.removed.len()
    }

    /// The entities. Some may come twice.
    pub fn entities(self) -> impl Iterator<Item = Entity> + 'a {
        let moved = self.moved.iter();
        let moved = moved.map(move |index| self.records[index as usize].entity);
        moved.chain(self.removed.iter().copied())
    }
}

impl ColliderIndex {
    /// The colliders that changed since pairs were last detected, or `None` if that may be all.
    pub fn changed_colliders(&self) -> Option<ChangedColliders<'_>> {
        Some(ChangedColliders {
            moved: self.broad_phase.moved(),
            records: &self.colliders.records,
            removed: self.changes.removed.as_deref()?,
        })
    }

    /// Records a removed collider for the next detection. If that does not come, and more are
    /// removed than there are, it will visit all pairs.
    pub(super) fn record_removed(&mut self, entity: Entity) {
        let limit = self.colliders.shapes.len();
        let removed = &mut self.changes.removed;
        *removed = removed.take().filter(|removed| removed.len() <= limit);
        if let Some(removed) = removed {
            removed.push(entity);
        }
    }
}
