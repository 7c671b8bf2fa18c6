//! The game without a window: a bot plays as fast as possible, with a fixed time step.

use std::fmt;

use bevy::{
    app::AppExit, ecs::schedule::SingleThreadedExecutor, prelude::*, time::TimeUpdateStrategy,
};

use super::{
    super::{
        game::{self, STEP, Score},
        platform,
    },
    Options, audit,
    audit::Audit,
    bot,
};

const SECONDS: f32 = 90.0;
/// How many coins the bot has to bring.
const COINS: u32 = 20;

/// Plays and prints the summary. Succeeds if the course was finished and the audit is passed.
pub fn play(options: &Options) -> AppExit {
    let summary = summarize(options.seconds.unwrap_or(SECONDS));
    platform::print(&summary);
    if summary.is_passed() {
        AppExit::Success
    } else {
        AppExit::error()
    }
}

/// Lets the bot play until it reaches the goal or the time is up.
pub fn summarize(seconds: f32) -> Summary {
    let mut app = build();
    app.add_plugins((bot::plugin, audit::plugin));
    app.finish();
    app.cleanup();
    let is_over = |score: &Score| score.finished.is_some() || score.seconds > seconds;
    while !is_over(app.world().resource()) {
        app.update();
    }
    let world = app.world_mut();
    Summary {
        score: world.remove_resource().unwrap_or_default(),
        audit: world.remove_resource().unwrap_or_default(),
    }
}

/// A game that makes one step per update.
pub fn build() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .add_plugins(game::plugin);
    // The game is too small for several threads to pay off.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app
}

/// The outcome of a game.
#[derive(Debug)]
pub struct Summary {
    pub score: Score,
    pub audit: Audit,
}

impl Summary {
    pub fn is_passed(&self) -> bool {
        self.score.finished.is_some() && self.score.coins >= COINS && self.audit.is_passed()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { score, audit } = self;
        let end = score.finished.map_or("not finished", |_| "finished");
        writeln!(
            f,
            "{end} after {:.1} s, with {} of {} coins, {} stomps and {} deaths",
            score.seconds, score.coins, score.all_coins, score.stomps, score.deaths,
        )?;
        write!(
            f,
            "audit: {} steps, {} in a wall (at most {:.4} deep), {} of {} on slopes off the ground \
             (at most {:.3})",
            audit.steps,
            audit.breaches,
            audit.deepest,
            audit.lost_ground,
            audit.slope_steps,
            audit.highest,
        )?;
        for (name, ride) in &audit.rides {
            write!(f, "; {name}: {} steps, drift {:.4}", ride.steps, ride.drift)?;
        }
        write!(
            f,
            ": {}",
            if self.is_passed() { "passed" } else { "failed" }
        )
    }
}
