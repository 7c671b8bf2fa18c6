//! Where colliders were in the last update, if they were refreshed since.
//!
//! A refresh between two updates syncs the index, and the next update still has to sweep colliders
//! from where they were in the last one.

use bevy::{platform::collections::HashMap, prelude::*};

use super::ancestry::Ancestry;
use crate::geometry::Shape;

/// The pose of a collider in the last update.
#[derive(Clone)]
pub(super) struct PreviousPose {
    /// Its shape then, in world space.
    pub shape: Shape,
    /// With other ancestors, its motion does not count.
    pub ancestry: Option<Ancestry>,
}

/// The poses in the last update of colliders that a refresh has changed since.
#[derive(Default)]
pub(super) struct PreviousPoses {
    /// Whether the index is refreshed between two updates.
    pub is_refresh: bool,
    /// `None` for colliders that were not there.
    poses: HashMap<Entity, Option<PreviousPose>>,
}

impl PreviousPoses {
    /// The recorded pose of an entity, or `current` if none was recorded.
    pub fn get_or(
        &self,
        entity: Entity,
        current: impl FnOnce() -> Option<PreviousPose>,
    ) -> Option<PreviousPose> {
        (self.poses.get(&entity).cloned()).unwrap_or_else(current)
    }

    /// Records a pose before it changes, unless an earlier one is recorded.
    pub fn record(&mut self, entity: Entity, pose: Option<PreviousPose>) {
        self.poses.entry(entity).or_insert(pose);
    }

    /// Records a collider that a refresh removes: it may come back before the next update.
    pub fn record_removal(&mut self, entity: Entity, is_tracked: bool, pose: Option<PreviousPose>) {
        if let Some(None) = self.poses.get(&entity) {
            self.poses.remove(&entity);
        } else if is_tracked {
            self.record(entity, pose);
        }
    }

    /// An update has used all of them.
    pub fn clear(&mut self) {
        self.poses.clear();
    }
}
