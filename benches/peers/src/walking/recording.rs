//! A section of the course as an app, and the recording of its walkers and times.

use std::time::Duration;

use bevy::{app::TaskPoolOptions, ecs::schedule::SingleThreadedExecutor, prelude::*};
use bevy_thud::geometry::{Shape, separation};

use super::{
    WalkResult, WalkingEngine,
    course::{LENGTH, Measure, Part, PlatformPath, RADIUS, Section},
};
use crate::{
    runner::{EventCounts, MeasureOptions},
    scenes::app::{self, BodySetup, TIMESTEP},
    table::median,
    timer::MoveTimer,
};

/// The number of frames before walkers appear: some engines have no walls in their first frame.
const STANDSTILL: usize = 5;
/// The number of frames in which walkers settle on the floor, before the measured ones.
const SETTLING: usize = 30;
/// The distance from the nearest surface at which a walker counts as in the air.
const AIR_GAP: f32 = 0.5;

/// The velocity along the horizon that a walker wants, in world units per second.
#[derive(Component)]
pub struct Pace(pub f32);

/// A collider of the course that moves.
#[derive(Component)]
pub struct Platform {
    path: PlatformPath,
    start: Vec2,
    seconds: f32,
    /// The velocity of the last frame.
    pub velocity: Vec2,
}

/// The shape of a collider of the course, in its frame.
#[derive(Component)]
pub struct PartGeometry(pub Shape);

/// The state of a walker after a frame.
struct Snapshot {
    /// Relative to the platform, if there is one.
    position: Vec2,
    is_in_air: bool,
    is_reported_in_air: bool,
}

/// Moves platforms as a game would: by their transform.
pub fn move_platforms(mut platforms: Query<(&mut Transform, &mut Platform)>, time: Res<Time>) {
    for (mut transform, mut platform) in &mut platforms {
        platform.seconds += time.delta_secs();
        let seconds = platform.seconds - (STANDSTILL + SETTLING) as f32 * TIMESTEP.as_secs_f32();
        let displacement = platform.path.displacement(seconds.max(0.0));
        let position = platform.start + displacement;
        platform.velocity = (position - transform.translation.xy()) / time.delta_secs();
        transform.translation = position.extend(0.0);
    }
}

/// The capsule of a walker whose center is here, grown by a margin.
pub fn capsule(center: Vec2, margin: f32) -> Shape {
    let half = Vec2::Y * (LENGTH / 2.0);
    Shape::capsule(center - half, center + half, RADIUS + margin)
}

/// Runs a section with an engine.
pub fn record(engine: &WalkingEngine, section: &Section, options: &MeasureOptions) -> WalkResult {
    let (mut app, walkers) = spawn(engine, section, options);
    for _ in 0..SETTLING {
        app.update();
    }
    for &walker in &walkers {
        app.world_mut()
            .entity_mut(walker)
            .insert(Pace(section.speed));
    }
    let mut snapshots = vec![snapshot(engine, &mut app, walkers[0])];
    let mut times = Vec::with_capacity(section.frames);
    for _ in 0..section.frames {
        app.update();
        times.push(app.world().resource::<MoveTimer>().time);
        snapshots.push(snapshot(engine, &mut app, walkers[0]));
    }
    let time_per_walker = median(times).unwrap_or_default() / walkers.len() as u32;
    result(section, &snapshots, time_per_walker)
}

/// The app of a section, and its walkers.
fn spawn(
    engine: &WalkingEngine,
    section: &Section,
    options: &MeasureOptions,
) -> (App, Vec<Entity>) {
    let task_pool_options = (options.threads).map_or(default(), TaskPoolOptions::with_num_threads);
    let mut app = app::bare_app(task_pool_options);
    app.init_resource::<MoveTimer>()
        .init_resource::<EventCounts>()
        .add_systems(Update, move_platforms);
    (engine.install)(&mut app);
    let mut commands = app.world_mut().commands();
    for part in &section.parts {
        spawn_part(&mut commands, engine, part);
    }
    let no_bodies = BodySetup {
        insert_components: |_, _| {},
        insert_velocity: |_, _| {},
    };
    app::spawn_scene(&mut app, &[], no_bodies);
    run_on_one_thread(&mut app);
    for _ in 0..STANDSTILL {
        app.update();
    }
    let mut commands = app.world_mut().commands();
    let walkers = section.starts.iter().map(|start| {
        let mut walker =
            commands.spawn((Pace(0.0), Transform::from_translation(start.extend(0.0))));
        (engine.insert_walker)(&mut walker, section.step_height);
        walker.id()
    });
    let walkers = walkers.collect();
    app.world_mut().flush();
    (app, walkers)
}

/// Runs one system after another. Otherwise the time of one walker is mostly that of handing
/// systems from thread to thread.
fn run_on_one_thread(app: &mut App) {
    let run = |schedule: &mut Schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    };
    app.edit_schedule(PreUpdate, run)
        .edit_schedule(Update, run)
        .edit_schedule(PostUpdate, run);
}

fn spawn_part(commands: &mut Commands, engine: &WalkingEngine, part: &Part) {
    let transform = Transform::from_translation(part.position.extend(0.0));
    let mut entity = commands.spawn((transform, PartGeometry(part.shape.geometry())));
    if let Some(path) = part.path {
        entity.insert(Platform {
            path,
            start: part.position,
            seconds: 0.0,
            velocity: Vec2::ZERO,
        });
    }
    (engine.insert_part)(&mut entity, part);
}

fn snapshot(engine: &WalkingEngine, app: &mut App, walker: Entity) -> Snapshot {
    let world = app.world_mut();
    let position = |transform: &Transform| transform.translation.xy();
    let center = world.get::<Transform>(walker).map_or(Vec2::NAN, position);
    let shape = capsule(center, 0.0);
    let mut parts = world.query::<(&PartGeometry, &Transform)>();
    let distances = parts.iter(world).map(|(part, transform)| {
        separation(&shape, &part.0.translated(position(transform))).distance
    });
    let distance = distances.fold(f32::INFINITY, f32::min);
    let mut platforms = world.query_filtered::<&Transform, With<Platform>>();
    let platform = platforms.iter(world).next().map_or(Vec2::ZERO, position);
    Snapshot {
        position: center - platform,
        is_in_air: distance > AIR_GAP,
        is_reported_in_air: !(engine.is_on_floor)(world.entity(walker)),
    }
}

/// The result from the snapshots before the first measured frame and after each.
fn result(section: &Section, snapshots: &[Snapshot], time_per_walker: Duration) -> WalkResult {
    let start = snapshots[0].position;
    let end = snapshots[section.frames].position;
    let drift = |snapshot: &Snapshot| snapshot.position.distance(start);
    let seconds = section.frames as f64 * TIMESTEP.as_secs_f64();
    let walked = match &section.measure {
        Measure::AlongSurface(surface) => {
            length_until(surface, end.x) - length_until(surface, start.x)
        }
        Measure::AlongHorizon | Measure::Drift => end.x - start.x,
    };
    let measured = &snapshots[1..];
    WalkResult {
        progress: f64::from(walked) / (f64::from(section.speed) * seconds),
        max_drift: measured.iter().map(drift).fold(0.0, f32::max),
        final_drift: end.distance(start),
        frames_in_air: measured.iter().filter(|shot| shot.is_in_air).count(),
        frames_reported_in_air: measured
            .iter()
            .filter(|shot| shot.is_reported_in_air)
            .count(),
        time_per_walker,
    }
}

/// The length of a polyline, which goes to the right, up to `x`.
fn length_until(surface: &[Vec2], x: f32) -> f32 {
    let lengths = surface.windows(2).map(|edge| {
        let fraction = (x - edge[0].x) / (edge[1].x - edge[0].x);
        fraction.clamp(0.0, 1.0) * edge[0].distance(edge[1])
    });
    lengths.sum()
}
