//! What differs from when pairs were last detected, besides the boxes that moved.

use bevy::ecs::entity::Entity;

use crate::memory;

/// What differs from when pairs were last detected.
#[derive(Default)]
pub(super) struct Changes {
    /// Whether anything differs.
    pub any: bool,
    /// The entities whose colliders were removed, or `None` if all pairs are outdated.
    pub removed: Option<Vec<Entity>>,
}

impl Changes {
    /// Pairs have been detected.
    pub fn clear(&mut self) {
        self.any = false;
        memory::clear(self.removed.get_or_insert_default());
    }
}
