//! The hash of each step as it was simulated last, and what a client reports in the end.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use bevy::prelude::*;
use lightyear::prelude::{LocalTimelineShift, PredictionMetrics, Rollback};

use crate::{
    duel::state::{Fighter, Match},
    hash,
    step::{CurrentStep, is_playing},
};

/// The hash of all steps so far is reported each time after this many.
const INTERVAL: u32 = 100;

#[derive(Resource, Default)]
pub struct Hashes(BTreeMap<u32, u64>);

#[derive(Resource, Default)]
struct Counts {
    replayed: u32,
    /// The ticks that lightyear skipped during the match, which no rollback makes up for.
    skipped: u32,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Hashes>()
        .init_resource::<Counts>()
        .add_systems(
            FixedLast,
            (hash::of_step.pipe(record), count_replayed).run_if(is_playing),
        )
        .add_observer(count_skipped);
}

pub fn record(In(hash): In<u64>, game: Res<Match>, mut hashes: ResMut<Hashes>) {
    hashes.0.insert(game.step, hash);
}

fn count_replayed(rollback: Option<Res<Rollback>>, mut counts: ResMut<Counts>) {
    counts.replayed += u32::from(rollback.is_some());
}

fn count_skipped(shift: On<LocalTimelineShift>, step: CurrentStep, mut counts: ResMut<Counts>) {
    if step.get() > 0 {
        counts.skipped += shift.delta.unsigned_abs();
    }
}

impl Hashes {
    /// A line for each interval, and for the last step.
    pub fn lines(&self, steps: u32) -> Vec<String> {
        let mut hasher = DefaultHasher::new();
        let mut lines = vec![];
        for (step, hash) in self.0.range(1..=steps) {
            (step, hash).hash(&mut hasher);
            if step.is_multiple_of(INTERVAL) || *step == steps {
                lines.push(format!("step {step}: {:016x}", hasher.finish()));
            }
        }
        lines
    }

    fn is_complete(&self, steps: u32) -> bool {
        self.0.range(1..=steps).count() == steps as usize
    }
}

/// Prints the hashes up to a step, and what was counted. Returns whether all steps are there.
pub fn report(app: &mut App, steps: u32, player: usize) -> bool {
    let mut fighters = app.world_mut().query::<&Fighter>();
    let fighters = fighters.iter(app.world());
    let mut scores: Vec<_> = fighters.map(|f| (f.player, f.score)).collect();
    scores.sort_unstable();
    let hashes = app.world().resource::<Hashes>();
    let counts = app.world().resource::<Counts>();
    let metrics = app.world().resource::<PredictionMetrics>();
    for line in hashes.lines(steps) {
        println!("{line}");
    }
    println!(
        "client {player}: {} steps, {} rollbacks, {} steps replayed, {} skipped, scores {scores:?}",
        hashes.0.len(),
        metrics.rollbacks,
        counts.replayed,
        counts.skipped
    );
    counts.skipped == 0 && hashes.is_complete(steps)
}
