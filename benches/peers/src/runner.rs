//! Engines, and the measurement of their frames in a scene.

use std::time::{Duration, Instant};

use bevy::{
    app::TaskPoolOptions,
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
};

#[cfg(feature = "avian")]
use crate::avian;
#[cfg(feature = "rapier")]
use crate::rapier;
use crate::{
    bare, ours,
    scenes::{
        Body,
        app::{self, BodySetup, time_frame},
    },
};

/// The number of frames before the measured ones: all pairs of the initial state start in them.
pub const WARM_UP: usize = 20;

/// A plugin in one configuration.
pub struct Engine {
    /// The name in the table.
    pub name: &'static str,
    /// Adds the plugins to an app.
    pub install: fn(&mut App),
    /// Adds the diagnostics of the stages.
    pub install_diagnostics: fn(&mut App),
    /// Inserts the components of a body.
    pub insert_components: fn(&mut EntityCommands, &Body),
}

impl Engine {
    /// The bare app and all engines that detect collisions.
    pub fn all() -> Vec<Self> {
        vec![
            bare::engine(),
            ours::engine(),
            #[cfg(feature = "avian")]
            avian::all(),
            #[cfg(feature = "avian")]
            avian::movers(),
            #[cfg(feature = "rapier")]
            rapier::bodies(),
            #[cfg(feature = "rapier")]
            rapier::bare(),
            #[cfg(feature = "rapier")]
            rapier::movers(),
        ]
    }
}

/// How to measure an engine.
pub struct MeasureOptions {
    /// The number of measured frames, at least one.
    pub frames: usize,
    /// The maximum duration, including the warm-up.
    pub time_limit: Duration,
    /// The number of threads of Bevy, or `None` for all.
    pub threads: Option<usize>,
    /// Whether to measure the stages, too.
    pub stages: bool,
}

/// The results of an engine in a scene.
#[derive(Clone)]
pub struct Report {
    /// The median duration of a frame.
    pub median: Duration,
    /// The longest frame.
    pub worst: Duration,
    /// The number of collisions that started.
    pub starts: u64,
    /// The number of collisions that ended.
    pub ends: u64,
    /// A line for each measured stage.
    pub stages: Vec<String>,
}

/// Counts of the collision events that an engine sends.
#[derive(Resource, Default)]
pub struct EventCounts {
    pub starts: u64,
    pub ends: u64,
}

/// Runs a scene with an engine. Returns `None` if it exceeds the time limit.
pub fn measure(engine: &Engine, bodies: &[Body], options: &MeasureOptions) -> Option<Report> {
    let setup = BodySetup {
        insert_components: engine.insert_components,
        insert_velocity: app::insert_velocity,
    };
    let (app, mut times) = run(engine, bodies, setup, options, |app, frame| {
        if frame + 1 == WARM_UP {
            *app.world_mut().resource_mut() = EventCounts::default();
        }
    })?;
    times.sort_unstable();
    let counts = app.world().resource::<EventCounts>();
    Some(Report {
        median: times[times.len() / 2],
        worst: times[times.len() - 1],
        starts: counts.starts,
        ends: counts.ends,
        stages: describe_stages(&app),
    })
}

/// Runs a scene and times its frames. Calls `after_frame` after each frame, including the warm-up.
/// Returns `None` if that exceeds the time limit.
pub fn run(
    engine: &Engine,
    bodies: &[Body],
    setup: BodySetup,
    options: &MeasureOptions,
    mut after_frame: impl FnMut(&mut App, usize),
) -> Option<(App, Vec<Duration>)> {
    let start = Instant::now();
    let mut app = app::bare_app(
        options
            .threads
            .map_or(default(), TaskPoolOptions::with_num_threads),
    );
    app.init_resource::<EventCounts>();
    (engine.install)(&mut app);
    if options.stages {
        (engine.install_diagnostics)(&mut app);
    }
    app::spawn_scene(&mut app, bodies, setup);
    let mut times = Vec::with_capacity(options.frames);
    for frame in 0..WARM_UP + options.frames {
        let time = time_frame(&mut app);
        if frame >= WARM_UP {
            times.push(time);
        }
        after_frame(&mut app, frame);
        if start.elapsed() > options.time_limit {
            return None;
        }
    }
    Some((app, times))
}

/// A line for each measured stage.
pub fn describe_stages(app: &App) -> Vec<String> {
    let store = app.world().get_resource::<DiagnosticsStore>();
    store.map_or(default(), |store| store.iter().map(describe).collect())
}

/// The path and the average of a diagnostic.
fn describe(diagnostic: &Diagnostic) -> String {
    let average = diagnostic.average().unwrap_or_default();
    format!("{} {average:.3}{}", diagnostic.path(), diagnostic.suffix)
}
