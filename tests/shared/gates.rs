//! Run conditions on the plugin's sets.

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};
use bevy_thud::prelude::*;

/// The sets of the plugin that are enabled, in an app with [`gate_sets`].
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Gates {
    pub sync: bool,
    pub moves: bool,
    pub detect: bool,
    pub report: bool,
}

impl Gates {
    pub const ALL: Self = Self {
        sync: true,
        moves: true,
        detect: true,
        report: true,
    };
}

/// Adds run conditions to the plugin's sets in a schedule. All are enabled until the resource
/// [`Gates`] changes.
pub fn gate_sets(app: &mut App, schedule: impl ScheduleLabel) {
    app.insert_resource(Gates::ALL).configure_sets(
        schedule,
        (
            CollisionSystems::Sync.run_if(|gates: Res<Gates>| gates.sync),
            CollisionSystems::Move.run_if(|gates: Res<Gates>| gates.moves),
            CollisionSystems::Detect.run_if(|gates: Res<Gates>| gates.detect),
            CollisionSystems::Report.run_if(|gates: Res<Gates>| gates.report),
        ),
    );
}
