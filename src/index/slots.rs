//! A number for each collider that stays the same while the broad phase reorders the colliders.

use bevy::ecs::entity::Entity;

/// The slot of a collider that is not in the index.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// Where in the arrays the collider of each slot is. Slots are used again.
#[derive(Default)]
pub(super) struct Slots {
    /// By slot; `None` for a free one.
    taken: Vec<Option<Taken>>,
    free: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Taken {
    entity: Entity,
    index: u32,
}

impl Slots {
    /// The number of slots, including free ones.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// The number of slots that are taken.
    pub fn count(&self) -> usize {
        self.taken.len() - self.free.len()
    }

    fn get(&self, slot: u32) -> Option<&Taken> {
        self.taken.get(slot as usize)?.as_ref()
    }

    /// Where in the arrays the collider at a slot is.
    #[inline]
    pub fn index(&self, slot: u32) -> Option<usize> {
        self.get(slot).map(|taken| taken.index as usize)
    }

    /// The same, if the slot is still (or already) that of `entity`.
    #[inline]
    pub fn index_of(&self, slot: u32, entity: Entity) -> Option<usize> {
        let taken = self.get(slot).filter(|taken| taken.entity == entity)?;
        Some(taken.index as usize)
    }

    /// Records that the colliders were reordered.
    pub fn set_index(&mut self, slot: u32, index: u32) {
        if let Some(taken) = &mut self.taken[slot as usize] {
            taken.index = index;
        }
    }

    /// Returns a slot for the collider of `entity` at `index`.
    pub fn take(&mut self, entity: Entity, index: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.taken.push(None);
            self.taken.len() as u32 - 1
        });
        self.taken[slot as usize] = Some(Taken { entity, index });
        slot
    }

    /// Frees a slot.
    pub fn release(&mut self, slot: u32) {
        self.taken[slot as usize] = None;
        self.free.push(slot);
    }
}
