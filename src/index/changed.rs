//! Which colliders changed since pairs were last detected.

use bevy::ecs::entity::Entity;

use super::{collider_index::ColliderIndex, colliders::ColliderRecord, entry::ColliderEntry};
use crate::{
    aabb::{Aabb2d, merge},
    broad_phase::{BroadPhase, DirtySet},
    geometry::{Contact, Shape},
};

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

    /// The area of all cells that changed about a collider since pairs were last detected, if this
    /// is its new shape; `None` if more changed.
    pub(super) fn edited_area(&mut self, index: usize, shape: &Shape) -> Option<Aabb2d> {
        let area = self.colliders.shapes[index].as_ref()?.edited_area(shape)?;
        if let Some(earlier) = self.changes.edits.get(self.colliders.records[index].slot) {
            return Some(merge(earlier, &area));
        }
        let index = index as u32;
        let has_changed =
            self.broad_phase.dirty().contains(index) || self.broad_phase.moved().contains(index);
        (!has_changed).then_some(area)
    }

    /// Removes the edits of grids that moved as well.
    pub(super) fn remove_edits_of_moved(&mut self) {
        if !self.changes.edits.is_empty() {
            let (slots, pending) = (&self.colliders.slots, self.broad_phase.dirty());
            self.changes.edits.retain(|slot| {
                (slots.index(slot)).is_some_and(|index| !pending.contains(index as u32))
            });
        }
    }

    /// Whether any grid was only edited since pairs were last detected.
    pub fn has_edits(&self) -> bool {
        !self.changes.edits.is_empty()
    }

    /// Whether the contact of two colliders is as it was when pairs were last detected, because all
    /// that changed about them are cells far away.
    pub fn is_contact_unchanged(
        &self,
        contact: &Contact,
        [a, b]: [&ColliderEntry; 2],
        margin: f32,
    ) -> bool {
        let is_independent = |grid: &ColliderEntry, other: &ColliderEntry| {
            self.changes.edits.get(grid.slot).is_some_and(|area| {
                self.rests(other.slot)
                    && contact.is_independent_of(area, [grid.shape, other.shape], margin)
            })
        };
        is_independent(a, b) || is_independent(b, a)
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
