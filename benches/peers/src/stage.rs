//! An app with a scene in it, stepped and timed.

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
        staging::{self, Outfit, time_frame},
    },
};

/// Frames that are not measured: everything starts in them.
pub const WARM_UP: usize = 20;

/// A plugin to compare, in one of its uses.
pub struct Engine {
    /// Its name in the table.
    pub name: &'static str,
    /// Adds its plugins to an app.
    pub install: fn(&mut App),
    /// Adds what measures its stages.
    pub diagnose: fn(&mut App),
    /// Adds its components to an entity.
    pub equip: fn(&mut EntityCommands, &Body),
}

impl Engine {
    /// The bare app, and those that find collisions.
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

/// How an engine is measured.
pub struct Effort {
    /// How many frames, at least one.
    pub frames: usize,
    /// How long it may take, starting included.
    pub patience: Duration,
    /// How many threads Bevy has, if not all.
    pub threads: Option<usize>,
    /// Whether its stages are measured, too.
    pub stages: bool,
}

/// What came of a scene.
#[derive(Clone)]
pub struct Report {
    /// Of the time for a frame.
    pub median: Duration,
    /// The longest frame.
    pub worst: Duration,
    /// How many collisions started.
    pub starts: u64,
    /// How many ended.
    pub ends: u64,
    /// A line for each stage, where they were measured.
    pub stages: Vec<String>,
}

/// Counts what the engine reports.
#[derive(Resource, Default)]
pub struct Heard {
    pub starts: u64,
    pub ends: u64,
}

/// Runs a scene with an engine; nothing comes of it if that takes too long.
pub fn measure(engine: &Engine, bodies: &[Body], effort: &Effort) -> Option<Report> {
    let outfit = Outfit {
        equip: engine.equip,
        propel: staging::drift,
    };
    let (app, mut times) = run(engine, bodies, outfit, effort, |app, frame| {
        if frame + 1 == WARM_UP {
            *app.world_mut().resource_mut() = Heard::default();
        }
    })?;
    times.sort_unstable();
    let heard = app.world().resource::<Heard>();
    Some(Report {
        median: times[times.len() / 2],
        worst: times[times.len() - 1],
        starts: heard.starts,
        ends: heard.ends,
        stages: describe_stages(&app),
    })
}

/// Runs a scene and times its frames, and does something after each frame, the first ones among them. Nothing comes of it if that
/// takes too long.
pub fn run(
    engine: &Engine,
    bodies: &[Body],
    outfit: Outfit,
    effort: &Effort,
    mut after_frame: impl FnMut(&mut App, usize),
) -> Option<(App, Vec<Duration>)> {
    let begin = Instant::now();
    let mut app = staging::bare_app(
        effort
            .threads
            .map_or(default(), TaskPoolOptions::with_num_threads),
    );
    app.init_resource::<Heard>();
    (engine.install)(&mut app);
    if effort.stages {
        (engine.diagnose)(&mut app);
    }
    staging::populate(&mut app, bodies, outfit);
    let mut times = Vec::with_capacity(effort.frames);
    for frame in 0..WARM_UP + effort.frames {
        let time = time_frame(&mut app);
        if frame >= WARM_UP {
            times.push(time);
        }
        after_frame(&mut app, frame);
        if begin.elapsed() > effort.patience {
            return None;
        }
    }
    Some((app, times))
}

/// A line for each stage that is measured.
pub fn describe_stages(app: &App) -> Vec<String> {
    let store = app.world().get_resource::<DiagnosticsStore>();
    store.map_or(default(), |store| store.iter().map(describe).collect())
}

/// The mean of what a diagnostic measured last.
fn describe(diagnostic: &Diagnostic) -> String {
    let average = diagnostic.average().unwrap_or_default();
    format!("{} {average:.3}{}", diagnostic.path(), diagnostic.suffix)
}
