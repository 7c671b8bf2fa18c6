//! Which step of the match a tick is.

use bevy::{ecs::system::SystemParam, prelude::*};
use lightyear::prelude::{LastConfirmedInput, LocalTimeline, Tick};

use crate::protocol::MatchStart;

/// The step that is simulated, or was simulated last.
#[derive(SystemParam)]
pub struct CurrentStep<'w, 's> {
    start: Option<Single<'w, 's, &'static MatchStart>>,
    timeline: Res<'w, LocalTimeline>,
}

impl CurrentStep<'_, '_> {
    /// The first one is 1. It is 0 before the match.
    pub fn get(&self) -> u32 {
        self.of(self.timeline.tick())
    }

    fn of(&self, tick: Tick) -> u32 {
        let start = self.start.as_ref();
        start.map_or(0, |start| (tick - start.0).max(0) as u32)
    }
}

/// Whether the match has begun.
pub fn is_playing(step: CurrentStep) -> bool {
    step.get() > 0
}

/// The last step that no input can change any more, or 0 before the first one.
pub fn confirmed(step: CurrentStep, confirmed: Res<LastConfirmedInput>) -> u32 {
    let tick = step.timeline.tick();
    confirmed
        .get()
        .map_or(0, |confirmed| step.of(confirmed.min(tick)))
}
