//! The time that moves what an engine moves in a frame.

use std::time::{Duration, Instant};

use bevy::prelude::*;

/// The time between [`start_timer`] and [`stop_timer`].
#[derive(Resource, Default)]
pub struct MoveTimer {
    start: Option<Instant>,
    /// That of the last frame.
    pub time: Duration,
}

/// Runs before an engine moves anything.
pub fn start_timer(mut timer: ResMut<MoveTimer>) {
    timer.start = Some(Instant::now());
}

/// Runs after an engine has moved everything.
pub fn stop_timer(mut timer: ResMut<MoveTimer>) {
    if let Some(start) = timer.start.take() {
        timer.time = start.elapsed();
    }
}
