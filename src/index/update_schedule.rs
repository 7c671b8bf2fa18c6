//! The schedule of the plugin, for systems that may be added before the plugin is.

use bevy::{ecs::schedule::InternedScheduleLabel, prelude::*};

type AddSystems = Box<dyn FnOnce(&mut App, InternedScheduleLabel) + Send + Sync>;

/// The schedule in which collisions are updated, once the plugin is added.
#[derive(Resource, Default)]
pub(crate) struct UpdateSchedule {
    known: Option<InternedScheduleLabel>,
    /// Adds the systems that were added before the plugin.
    pending: Vec<AddSystems>,
}

impl UpdateSchedule {
    /// Calls `add` with the schedule: now, or as soon as it is known.
    pub fn when_known(
        app: &mut App,
        add: impl FnOnce(&mut App, InternedScheduleLabel) + Send + Sync + 'static,
    ) {
        let mut schedule = app.world_mut().get_resource_or_init::<Self>();
        match schedule.known {
            Some(known) => add(app, known),
            None => schedule.pending.push(Box::new(add)),
        }
    }

    /// Sets the schedule, and adds all systems that were added earlier.
    pub fn set(app: &mut App, schedule: InternedScheduleLabel) {
        let mut update = app.world_mut().get_resource_or_init::<Self>();
        update.known = Some(schedule);
        let pending = std::mem::take(&mut update.pending);
        for add in pending {
            add(app, schedule);
        }
    }
}
