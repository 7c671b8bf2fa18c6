//! The game without a window: bots play as fast as possible, with a fixed time step.

use std::{fmt, time::Duration};

use bevy::{
    app::AppExit, ecs::schedule::SingleThreadedExecutor, prelude::*, state::app::StatesPlugin,
    time::TimeUpdateStrategy,
};

use super::{
    super::platform, HarnessPlugin, Options, audit::Audit, stopwatch::Stopwatch, tally::Tally,
};

/// The length of a step, and the steps per second.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / STEPS_PER_SECOND);
const STEPS_PER_SECOND: u64 = 60;
const SECONDS: f32 = 20.0;

/// Plays and prints the summary. Succeeds if the audit is passed.
pub fn play(options: &Options) -> AppExit {
    let summary = summarize(options);
    platform::print(&summary);
    if summary.audit.is_passed() {
        AppExit::Success
    } else {
        AppExit::error()
    }
}

/// Plays and returns the summary.
pub fn summarize(options: &Options) -> Summary {
    let mut app = build(options);
    let seconds = options.seconds.unwrap_or(SECONDS);
    // No time passes in the first update.
    for _ in 0..=(seconds * STEPS_PER_SECOND as f32) as u64 {
        app.update();
    }
    let world = app.world_mut();
    Summary {
        seconds,
        tally: world.remove_resource().unwrap_or_default(),
        audit: world.remove_resource().unwrap_or_default(),
        watch: world.remove_resource().unwrap_or_default(),
    }
}

/// A game that makes one step per update.
pub fn build(options: &Options) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, StatesPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .add_plugins(HarnessPlugin {
            options: options.clone(),
        });
    // The game is too small for several threads to pay off.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.finish();
    app.cleanup();
    app
}

/// The outcome of a game.
pub struct Summary {
    pub seconds: f32,
    pub tally: Tally,
    pub audit: Audit,
    pub watch: Stopwatch,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally {
            distance_walked,
            wall_hits,
            shots,
            hits,
            kills,
            deaths,
            cuts,
            crushed,
            waves,
            collision_starts,
            collision_ends,
        } = self.tally;
        let Audit {
            breaches,
            imbalances,
            overlaps,
            near_overlaps,
            ..
        } = self.audit;
        let [mean, worst] =
            [self.watch.mean(), self.watch.worst].map(|time| time.as_secs_f64() * 1e6);
        writeln!(f, "played               {:>10} s", self.seconds)?;
        writeln!(f, "distance walked      {distance_walked:>10.0} units")?;
        writeln!(f, "wall hits            {wall_hits:>10}")?;
        writeln!(f, "shots, hits          {shots:>10} {hits:>10}")?;
        writeln!(f, "kills, deaths        {kills:>10} {deaths:>10}")?;
        writeln!(f, "cut, crushed         {cuts:>10} {crushed:>10}")?;
        writeln!(f, "waves                {waves:>10}")?;
        writeln!(
            f,
            "collisions           {collision_starts:>10} started {collision_ends:>10} ended"
        )?;
        let open = collision_starts.wrapping_sub(collision_ends);
        writeln!(
            f,
            "overlaps at the end  {overlaps:>10} counted ({near_overlaps} too close to call), {open} by the events"
        )?;
        writeln!(f, "imbalanced steps     {imbalances:>10}")?;
        writeln!(f, "wall breaches        {breaches:>10}")?;
        write!(
            f,
            "time per step        {mean:>10.0} µs mean {worst:>10.0} µs worst"
        )
    }
}
