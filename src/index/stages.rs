//! What the index keeps from stage to stage of an update.

use bevy::ecs::world::WorldId;

use super::{collider_index::ColliderIndex, work_counts::WorkCounts};
use crate::{broad_phase::BroadPhase, state::CollisionState};

impl ColliderIndex {
    /// Clears what belongs to the last update.
    pub(super) fn begin_update(&mut self) {
        self.attached_to_movers.clear();
        self.has_moving_walls = false;
        self.teleported_walls.clear();
        self.colliders.paths.clear();
        self.colliders.displacements.clear();
        self.work = WorkCounts::default();
    }

    /// Whether anything differs from when pairs were last detected.
    pub fn has_changes(&self) -> bool {
        self.has_changes
    }

    /// Whether this is the state that the last update left, and not one that was restored since.
    pub fn has_left(&self, state: &CollisionState) -> bool {
        state.has_revision(self.revision)
    }

    /// Pairs have been detected: all recorded changes are used, and states that were saved before
    /// do not fit this index any more.
    pub fn end_detection(&mut self, state: &mut CollisionState, world: WorldId) {
        self.has_changes = false;
        self.broad_phase.clear_moved();
        self.revision = state.set_new_revision(world, self.revision);
    }

    pub(super) fn refresh_broad_phase(&mut self) {
        self.colliders.margin = self.settings().margin;
        self.work.sorted_boxes += self.broad_phase.refresh(&mut self.colliders);
    }
}
