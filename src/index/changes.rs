//! What differs from when pairs were last detected, besides the boxes that moved.

use bevy::{ecs::entity::Entity, platform::collections::HashMap};

use crate::{aabb::Aabb2d, memory};

/// What differs from when pairs were last detected.
#[derive(Default)]
pub(super) struct Changes {
    /// Whether anything differs.
    pub any: bool,
    /// The grids that were only edited.
    pub edits: Edits,
    /// The entities whose colliders were removed, or `None` if all pairs are outdated.
    pub removed: Option<Vec<Entity>>,
}

impl Changes {
    /// Pairs have been detected.
    pub fn clear(&mut self) {
        self.any = false;
        self.edits.clear();
        memory::clear(self.removed.get_or_insert_default());
    }
}

/// By their slots, the grids about which nothing but cells changed, with the area of these cells in
/// the frame of the grid: contacts far from it are as before.
#[derive(Default)]
pub(super) struct Edits(HashMap<u32, Aabb2d>);

impl Edits {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn get(&self, slot: u32) -> Option<&Aabb2d> {
        self.0.get(&slot)
    }

    pub fn insert(&mut self, slot: u32, area: Aabb2d) {
        self.0.insert(slot, area);
    }

    /// Removes a grid about which more changed.
    pub fn remove(&mut self, slot: u32) {
        if !self.is_empty() {
            self.0.remove(&slot);
        }
    }

    pub fn retain(&mut self, is_only_edited: impl Fn(u32) -> bool) {
        self.0.retain(|&slot, _| is_only_edited(slot));
    }
}
