//! An app with a scene in it, stepped and timed.

use std::time::{Duration, Instant};

use bevy::{
    app::{TaskPoolOptions, TaskPoolPlugin},
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};

use crate::{
    bare, ours,
    scenes::Body,
};

/// The length of a frame.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Frames that are not measured: everything starts in them.
const WARM_UP: usize = 20;

/// A way to find collisions.
pub struct Engine {
    pub name: &'static str,
    /// Adds its plugins to an app.
    pub install: fn(&mut App),
    /// Adds its components to an entity.
    pub equip: fn(&mut EntityCommands, &Body),
}

impl Engine {
    /// The first one finds none.
    pub fn all() -> Vec<Self> {
        vec![bare::engine(), ours::engine()]
    }
}

/// What came of a scene.
pub struct Report {
    pub median: Duration,
    pub worst: Duration,
    pub starts: u64,
    pub ends: u64,
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

/// Runs a scene with an engine.
pub fn measure(engine: &Engine, bodies: &[Body], frames: usize, threads: Option<usize>) -> Report {
    let mut app = App::new();
    let pools = TaskPoolPlugin {
        task_pool_options: threads.map_or(default(), TaskPoolOptions::with_num_threads),
    };
    app.add_plugins((pools, TimePlugin, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .insert_resource(Equip(engine.equip))
        .init_resource::<Heard>()
        .add_systems(Update, (walk, pass_away));
    (engine.install)(&mut app);
    for body in bodies {
        spawn(&mut app.world_mut().commands(), engine.equip, *body);
    }
    app.world_mut().flush();
    app.finish();
    app.cleanup();
    for _ in 0..WARM_UP {
        app.update();
    }
    *app.world_mut().resource_mut() = Heard::default();
    let mut times: Vec<Duration> = (0..frames).map(|_| time_frame(&mut app)).collect();
    times.sort_unstable();
    if let Some(store) = app.world().get_resource::<DiagnosticsStore>() {
        for diagnostic in store.iter() {
            println!("    {diagnostic}", diagnostic = describe(diagnostic));
        }
    }
    let heard = app.world().resource::<Heard>();
    Report {
        median: times[times.len() / 2],
        worst: times[times.len() - 1],
        starts: heard.starts,
        ends: heard.ends,
    }
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

fn spawn(commands: &mut Commands, equip: fn(&mut EntityCommands, &Body), body: Body) {
    let transform = Transform::from_translation(body.position.extend(0.0))
        .with_rotation(Quat::from_rotation_z(body.angle));
    let mut entity = commands.spawn(transform);
    if body.velocity != Vec2::ZERO {
        entity.insert(Velocity(body.velocity));
    }
    if let Some(seconds_left) = body.seconds_to_live {
        entity.insert(Mortal { body, seconds_left });
    }
    equip(&mut entity, &body);
}

fn walk(mut bodies: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, velocity) in &mut bodies {
        transform.translation += (velocity.0 * seconds).extend(0.0);
    }
}

/// Those whose time is over begin again where they began first.
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
            spawn(&mut commands, equip.0, mortal.body);
        }
    }
}
