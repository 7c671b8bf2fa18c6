//! A number for each collider that stays the same while the broad phase reorders the colliders.

use bevy::ecs::entity::Entity;

/// The slot of a collider that is not in the index.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// Where in the arrays the collider of each slot is. Slots are reused.
#[derive(Default)]
pub(super) struct Slots {
    /// By slot; a placeholder for free ones.
    entities: Vec<Entity>,
    /// By slot; means nothing for free ones.
    indices: Vec<u32>,
    free: Vec<u32>,
}

impl Slots {
    /// The number of slots that are taken.
    pub fn count(&self) -> usize {
        self.entities.len() - self.free.len()
    }

    /// Where in the arrays the collider at a slot is.
    #[inline]
    pub fn index(&self, slot: u32) -> Option<usize> {
        let entity = *self.entities.get(slot as usize)?;
        (entity != Entity::PLACEHOLDER).then(|| self.indices[slot as usize] as usize)
    }

    /// Like [`index`](Self::index), if the slot is still (or already) that of `entity`.
    #[inline]
    pub fn index_of(&self, slot: u32, entity: Entity) -> Option<usize> {
        let is_same = self.entities.get(slot as usize) == Some(&entity);
        is_same.then(|| self.indices[slot as usize] as usize)
    }

    /// Records that the colliders were reordered.
    pub fn set_index(&mut self, slot: u32, index: u32) {
        self.indices[slot as usize] = index;
    }

    /// Returns a slot for the collider of `entity` at `index`.
    pub fn take(&mut self, entity: Entity, index: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entities.push(Entity::PLACEHOLDER);
            self.indices.push(0);
            self.entities.len() as u32 - 1
        });
        self.entities[slot as usize] = entity;
        self.indices[slot as usize] = index;
        slot
    }

    /// Frees a slot.
    pub fn release(&mut self, slot: u32) {
        self.entities[slot as usize] = Entity::PLACEHOLDER;
        self.free.push(slot);
    }
}
