//! Apps without a window, and a client that a bot plays.

use std::{
    process::ExitCode,
    thread::sleep,
    time::{Duration, Instant},
};

use bevy::{
    ecs::schedule::SingleThreadedExecutor, log::LogPlugin, prelude::*, state::app::StatesPlugin,
    time::TimeUpdateStrategy,
};
use lightyear::prelude::client::input::InputSystems;

use crate::{
    Options,
    client::{self, Pressed},
    duel::bots,
    protocol::TICK,
    record,
    step::{self, CurrentStep},
};

/// How long a client stays after its last step, so that the other one gets its inputs.
const LINGER: Duration = Duration::from_secs(3);
/// How much longer than its steps a match may take, with the time to connect.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn app() -> App {
    let mut app = App::new();
    // A server warns of inputs that are late for its own simulation, of which there is none here.
    let log = LogPlugin {
        filter: "warn,lightyear_debug::input=off".into(),
        ..default()
    };
    app.add_plugins((MinimalPlugins, TransformPlugin, StatesPlugin, log))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    app
}

/// Updates an app once per tick until `is_done` holds.
///
/// Updates that are late are not made up for: clocks that then run fast mislead lightyear's
/// estimate of the time of other processes.
pub fn run(app: &mut App, mut is_done: impl FnMut(&mut App) -> bool) {
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.finish();
    app.cleanup();
    let mut next = Instant::now();
    while !is_done(app) {
        app.update();
        next = (next + TICK).max(Instant::now());
        sleep(next.saturating_duration_since(Instant::now()));
    }
}

/// Plays one of two players by a bot until all steps are confirmed.
pub fn play(options: &Options, player: usize) -> ExitCode {
    let mut app = app();
    client::add(&mut app, options, player);
    let seed = options.seed;
    let press = move |step: CurrentStep, mut pressed: ResMut<Pressed>| {
        pressed.0 = bots::input(seed, player, step.get());
    };
    app.add_plugins(record::plugin).add_systems(
        FixedPreUpdate,
        press.before(InputSystems::WriteClientInputs),
    );
    let deadline = Instant::now() + TICK * options.steps + PATIENCE;
    let mut end = None;
    run(&mut app, |app| {
        let now = Instant::now();
        let confirmed = app.world_mut().run_system_cached(step::confirmed);
        if end.is_none() && confirmed.is_ok_and(|step| step >= options.steps) {
            end = Some(now + LINGER);
        }
        now > end.unwrap_or(deadline)
    });
    if record::report(&mut app, options.steps, player) && end.is_some() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
