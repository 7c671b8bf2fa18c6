//! The games without a window: a bot plays as fast as possible, one step per update.

use std::fmt;

use bevy::{
    app::AppExit, ecs::schedule::SingleThreadedExecutor, prelude::*, state::app::StatesPlugin,
    time::TimeUpdateStrategy,
};

use super::{
    audit::{self, Audit},
    bots,
    games::{Game, GamesPlugin, Record, Tally},
    options::Options,
    platform,
};

const SECONDS: f32 = 60.0;
const STEPS_PER_SECOND: f32 = 64.0;

/// Plays and prints the summary. Succeeds if the audit is passed.
pub fn play(options: &Options) -> AppExit {
    let seconds = options.seconds.unwrap_or(SECONDS);
    let summary = summarize(options.game, options.seed, seconds);
    platform::print(&summary);
    if summary.audit.is_passed() {
        AppExit::Success
    } else {
        AppExit::error()
    }
}

/// Lets the bot play, and returns the summary.
pub fn summarize(game: Game, seed: u64, seconds: f32) -> Summary {
    let mut app = build(game, seed);
    app.add_plugins(bots::plugin);
    start(&mut app);
    for _ in 0..(seconds * STEPS_PER_SECOND) as u32 {
        app.update();
    }
    let world = app.world_mut();
    let mut record: Record = world.remove_resource().unwrap_or_default();
    record.add(world.resource::<Tally>());
    Summary {
        game,
        seconds,
        record,
        tally: world.remove_resource().unwrap_or_default(),
        audit: world.remove_resource().unwrap_or_default(),
    }
}

/// A game that makes one step per update. Nobody plays it.
pub fn build(first: Game, seed: u64) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, StatesPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_plugins((GamesPlugin { first, seed }, audit::plugin));
    app
}

/// Makes the first update, in which no time passes.
pub fn start(app: &mut App) {
    // The games are too small for several threads to pay off.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.finish();
    app.cleanup();
    app.update();
}

/// The outcome of a run.
pub struct Summary {
    pub game: Game,
    pub seconds: f32,
    /// Of all rounds.
    pub record: Record,
    /// Of the last round.
    pub tally: Tally,
    pub audit: Audit,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Record {
            rounds,
            score,
            level,
        } = self.record;
        let (name, seconds, lives) = (self.game.name(), self.seconds, self.tally.lives);
        let rounds = if rounds == 1 {
            "1 round".into()
        } else {
            format!("{rounds} rounds")
        };
        writeln!(
            f,
            "{name}: {score} points in {rounds}, at most level {level}, {lives} lives left after \
             {seconds} s"
        )?;
        let Audit {
            steps,
            deepest,
            faults,
            ..
        } = &self.audit;
        write!(
            f,
            "audit: {steps} steps, at most {deepest:.4} deep in a wall: "
        )?;
        match faults.first() {
            None => write!(f, "passed"),
            Some(first) => write!(f, "{} faults, the first one {first}", faults.len()),
        }
    }
}
