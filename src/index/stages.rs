//! What the index keeps from stage to stage of an update.

use bevy::ecs::world::WorldId;

use super::{
    collider_index::{ColliderIndex, Pending},
    work_counts::WorkCounts,
};
use crate::{
    broad_phase::BroadPhase,
    state::{CollisionState, PreviousPoses},
};

impl ColliderIndex {
    /// Whether anything differs from when pairs were last detected.
    pub fn has_changes(&self) -> bool {
        self.changes.any
    }

    /// Clears what belongs to the last update.
    pub(super) fn begin_update(&mut self) {
        self.clear_paths();
        self.refreshed_poses.clear();
        self.attached_to_movers.clear();
        self.pending = Pending::MoveAndDetect;
        self.work = WorkCounts::default();
    }

    /// Whether the last sync was with this state, and not with one that was replaced since.
    pub fn is_synced_with(&self, state: &CollisionState) -> bool {
        state.has_revision(self.revision)
    }

    /// A stage of an update has changed the index and the state of a world: states that were saved
    /// before do not fit this index any more.
    pub fn end_stage(&mut self, state: &mut CollisionState, world: WorldId) {
        self.revision = state.set_new_revision(world, self.revision);
    }

    /// Begins to move the movers. Clears the recorded paths if movers have moved since the last
    /// sync, or if pairs were detected.
    pub fn begin_moves(&mut self) {
        if self.pending != Pending::MoveAndDetect {
            self.clear_paths();
        }
        self.pending = Pending::Detect;
    }

    /// Pairs have been detected: all recorded changes are used, and paths begin at the current
    /// positions.
    pub fn end_detection(&mut self, poses: &mut PreviousPoses) {
        self.pending = Pending::Nothing;
        self.changes.clear();
        self.broad_phase.clear_moved();
        for (entity, pose) in self.refreshed_poses.drain() {
            match pose {
                // Not of those that were teleported since.
                Some(pose) => poses.replace(entity, pose),
                None => poses.remove(entity),
            }
        }
    }

    /// Clears the paths of all colliders.
    pub(super) fn clear_paths(&mut self) {
        self.has_moving_walls = false;
        self.teleported_walls.clear();
        self.colliders.paths.clear();
        self.colliders.displacements.clear();
    }

    pub(super) fn refresh_broad_phase(&mut self) {
        self.colliders.margin = self.settings().margin;
        self.work.sorted_boxes += self.broad_phase.refresh(&mut self.colliders);
    }
}
