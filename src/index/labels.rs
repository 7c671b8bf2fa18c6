//! Labels of the schedules and systems that others are ordered by.

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};

/// The system that updates the index. Shapes are read before it.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SyncIndex;

/// The schedule of [`refresh_colliders`](crate::refresh_colliders).
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RefreshColliders;
