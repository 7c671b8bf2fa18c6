//! Measures how long the plugin takes for a step.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};
use bevy_thud::prelude::*;

/// For systems that run between two stages of the plugin: the watch is stopped meanwhile.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct WatchStopped;

/// The time that the plugin's systems took: the mean and the longest step.
#[derive(Resource, Default)]
pub struct Stopwatch {
    running_since: Option<Instant>,
    step: Duration,
    pub worst: Duration,
    total: Duration,
    steps: u32,
}

impl Stopwatch {
    /// The mean time per step.
    pub fn mean(&self) -> Duration {
        self.total.checked_div(self.steps).unwrap_or_default()
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Stopwatch>()
        .add_systems(
            PostUpdate,
            (
                start.before(CollisionSystems::Sync),
                stop.after(CollisionSystems::Detect).before(WatchStopped),
                start.after(WatchStopped).before(CollisionSystems::Report),
                (stop, note_step).chain().after(CollisionSystems::Report),
            ),
        )
        .configure_sets(
            PostUpdate,
            WatchStopped
                .after(CollisionSystems::Detect)
                .before(CollisionSystems::Report),
        );
}

fn start(mut watch: ResMut<Stopwatch>) {
    watch.running_since = Some(Instant::now());
}

fn stop(mut watch: ResMut<Stopwatch>) {
    if let Some(start) = watch.running_since.take() {
        watch.step += start.elapsed();
    }
}

fn note_step(mut watch: ResMut<Stopwatch>) {
    let step = std::mem::take(&mut watch.step);
    watch.total += step;
    watch.worst = watch.worst.max(step);
    watch.steps += 1;
}
