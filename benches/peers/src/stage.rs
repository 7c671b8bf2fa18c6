//! An app with a scene in it, stepped and timed.

use std::time::{Duration, Instant};

use bevy::{
    app::{TaskPoolOptions, TaskPoolPlugin},
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};

#[cfg(feature = "avian")]
use crate::avian;
#[cfg(feature = "rapier")]
use crate::rapier;
use crate::{ours, scenes::Body};

/// The length of a frame.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Frames that are not measured: everything starts in them.
const WARM_UP: usize = 20;

/// A way to find collisions.
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
    /// Those that find collisions.
    pub fn all() -> Vec<Self> {
        vec![
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

/// World units per second, for everything that moves.
#[derive(Component)]
struct Velocity(Vec2);

/// What it was when it was spawned, and how long it has to live.
#[derive(Component)]
struct Mortal {
    body: Body,
    seconds_left: f32,
}

#[derive(Resource)]
struct Equip(fn(&mut EntityCommands, &Body));

/// Runs a scene with an engine; nothing comes of it if that takes too long.
pub fn measure(engine: &Engine, bodies: &[Body], effort: &Effort) -> Option<Report> {
    let begin = Instant::now();
    let mut app = stage(engine, bodies, effort);
    let mut times = Vec::with_capacity(effort.frames);
    for frame in 0..WARM_UP + effort.frames {
        if frame == WARM_UP {
            *app.world_mut().resource_mut() = Heard::default();
        }
        let time = time_frame(&mut app);
        if frame >= WARM_UP {
            times.push(time);
        }
        if begin.elapsed() > effort.patience {
            return None;
        }
    }
    times.sort_unstable();
    let store = app.world().get_resource::<DiagnosticsStore>();
    let heard = app.world().resource::<Heard>();
    Some(Report {
        median: times[times.len() / 2],
        worst: times[times.len() - 1],
        starts: heard.starts,
        ends: heard.ends,
        stages: store.map_or(default(), |store| store.iter().map(describe).collect()),
    })
}

/// An app with the scene in it.
fn stage(engine: &Engine, bodies: &[Body], effort: &Effort) -> App {
    let mut app = App::new();
    let pools = TaskPoolPlugin {
        task_pool_options: effort
            .threads
            .map_or(default(), TaskPoolOptions::with_num_threads),
    };
    app.add_plugins((pools, TimePlugin, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .insert_resource(Equip(engine.equip))
        .init_resource::<Heard>()
        .add_systems(Update, (walk, pass_away));
    (engine.install)(&mut app);
    if effort.stages {
        (engine.diagnose)(&mut app);
    }
    let mut entities = Vec::with_capacity(bodies.len());
    for body in bodies {
        let parent = body.parent.map(|number| entities[number]);
        let mut commands = app.world_mut().commands();
        entities.push(spawn(&mut commands, engine.equip, *body, parent));
    }
    app.world_mut().flush();
    app.finish();
    app.cleanup();
    app
}

/// The mean of what a diagnostic measured last.
fn describe(diagnostic: &Diagnostic) -> String {
    let average = diagnostic.average().unwrap_or_default();
    format!("{} {average:.3}{}", diagnostic.path(), diagnostic.suffix)
}

fn time_frame(app: &mut App) -> Duration {
    let start = Instant::now();
    app.update();
    start.elapsed()
}

fn spawn(
    commands: &mut Commands,
    equip: fn(&mut EntityCommands, &Body),
    body: Body,
    parent: Option<Entity>,
) -> Entity {
    let transform = Transform::from_translation(body.position.extend(0.0))
        .with_rotation(Quat::from_rotation_z(body.angle));
    let mut entity = commands.spawn(transform);
    if let Some(parent) = parent {
        entity.insert(ChildOf(parent));
    }
    if body.velocity != Vec2::ZERO {
        entity.insert(Velocity(body.velocity));
    }
    if let Some(seconds_left) = body.seconds_to_live {
        entity.insert(Mortal { body, seconds_left });
    }
    equip(&mut entity, &body);
    entity.id()
}

fn walk(mut bodies: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, velocity) in &mut bodies {
        transform.translation += (velocity.0 * seconds).extend(0.0);
    }
}

/// Those whose time is over begin again where they began first; they hang on nothing.
fn pass_away(
    mut mortals: Query<(Entity, &mut Mortal)>,
    time: Res<Time>,
    equip: Res<Equip>,
    mut commands: Commands,
) {
    for (entity, mut mortal) in &mut mortals {
        mortal.seconds_left -= time.delta_secs();
        if mortal.seconds_left < 0.0 {
            commands.entity(entity).despawn();
            spawn(&mut commands, equip.0, mortal.body, None);
        }
    }
}
