//! Edits of grids since pairs were last detected: contacts far from them are as before.

use bevy::platform::collections::HashMap;

use crate::aabb::Aabb2d;

/// By their slots, the grids about which nothing but cells changed, with the area of these cells in
/// the frame of the grid.
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
