//! Whole frames of an app, with nothing but motion and with this crate; and what the stages of a run take.

mod common;

use std::{
    f32::consts::TAU,
    time::{Duration, Instant},
};

use bevy::{
    app::TaskPoolPlugin,
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_thud::{
    CollisionDiagnosticsPlugin,
    geometry::{Shape, contact},
    prelude::*,
};
use common::{
    COUNTS, FRAMES, WALLS, WARM_UP, colliders, place_among_walls,
    scenes::{Body, Kind, Outline},
};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

/// The length of a frame.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// How many movers are among the walls.
const MOVERS: usize = 2000;
/// How many movers press through a door.
const CROWD: usize = 1000;

/// The stages of a run, with their times in milliseconds.
const STAGES: [(&str, DiagnosticPath); 4] = [
    ("Sync", CollisionDiagnosticsPlugin::SYNC),
    ("Move", CollisionDiagnosticsPlugin::MOVE),
    ("Detect", CollisionDiagnosticsPlugin::DETECT),
    ("Report", CollisionDiagnosticsPlugin::REPORT),
];

/// What an app does with a scene.
#[derive(Resource, Clone, Copy, PartialEq)]
enum Task {
    /// It moves things and propagates their transforms.
    Bare,
    /// It finds collisions, too.
    Collide,
    /// It also measures its stages.
    MeasureStages,
    /// The same, and what moves is moved by the plugin.
    MoveMovers,
    /// The same, and they want to go on wherever they are stopped.
    PressMovers,
}

/// Where a mover wants to go, in world units per second.
#[derive(Component)]
struct Urge(Vec2);

/// World units per second, for what the plugin does not move.
#[derive(Component)]
struct Velocity(Vec2);

/// What it was when it was spawned, and how long it has to live.
#[derive(Component)]
struct Mortal {
    body: Body,
    seconds_left: f32,
}

/// An app with a scene in it, which begins anew from time to time.
struct Stage {
    task: Task,
    bodies: Vec<Body>,
    app: App,
    frame: usize,
}

impl Stage {
    /// The scene after its first frames.
    fn of(task: Task, bodies: Vec<Body>) -> Self {
        let app = started_app(task, &bodies);
        Self {
            task,
            bodies,
            app,
            frame: 0,
        }
    }

    /// Runs so many frames, and adds up what is measured of each.
    fn run(&mut self, frames: u64, measure: impl Fn(&mut App) -> Duration) -> Duration {
        let mut time = Duration::ZERO;
        for _ in 0..frames {
            if self.frame == FRAMES {
                self.app = started_app(self.task, &self.bodies);
                self.frame = 0;
            }
            self.frame += 1;
            time += measure(&mut self.app);
        }
        time
    }
}

/// An app with the scene in it, after its first frames.
fn started_app(task: Task, bodies: &[Body]) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .insert_resource(task)
        .add_systems(Update, (walk, press, pass_away));
    if task != Task::Bare {
        app.add_plugins(CollisionPlugin::default());
    }
    if !matches!(task, Task::Bare | Task::Collide) {
        app.add_plugins(CollisionDiagnosticsPlugin::default())
            .init_resource::<DiagnosticsStore>();
    }
    let mut entities = Vec::with_capacity(bodies.len());
    for body in bodies {
        let parent = body.parent.map(|number| entities[number]);
        let mut commands = app.world_mut().commands();
        entities.push(spawn(&mut commands, task, *body, parent));
    }
    app.world_mut().flush();
    app.finish();
    app.cleanup();
    for _ in 0..WARM_UP {
        app.update();
    }
    app
}

/// Adds a body of the scene.
fn spawn(commands: &mut Commands, task: Task, body: Body, parent: Option<Entity>) -> Entity {
    let transform = Transform::from_translation(body.position.extend(0.0))
        .with_rotation(Quat::from_rotation_z(body.angle));
    let mut entity = commands.spawn(transform);
    if let Some(parent) = parent {
        entity.insert(ChildOf(parent));
    }
    if body.velocity != Vec2::ZERO {
        if task == Task::MoveMovers {
            entity.insert(Mover {
                velocity: body.velocity,
                response: MoverResponse::Bounce,
                ..default()
            });
        } else if task == Task::PressMovers {
            entity.insert((Mover::default(), Urge(body.velocity)));
        } else {
            entity.insert(Velocity(body.velocity));
        }
    }
    if let Some(seconds_left) = body.seconds_to_live {
        entity.insert(Mortal { body, seconds_left });
    }
    if task != Task::Bare {
        equip(&mut entity, &body);
    }
    entity.id()
}

/// Makes a body a collider.
fn equip(entity: &mut EntityCommands, body: &Body) {
    if body.solid {
        entity.insert(Solid);
    }
    match body.outline {
        Some(Outline::Circle(radius)) => entity.insert(CircleCollider::new(radius)),
        Some(Outline::Rect(size)) => entity.insert(RectCollider::new(size.x, size.y)),
        None => entity,
    };
}

/// Moves what the plugin does not.
fn walk(mut bodies: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut transform, velocity) in &mut bodies {
        transform.translation += (velocity.0 * seconds).extend(0.0);
    }
}

/// Lets movers go on.
fn press(mut movers: Query<(&mut Mover, &Urge)>) {
    for (mut mover, urge) in &mut movers {
        mover.velocity = urge.0;
    }
}

/// Those whose time is over begin again where they began first; they hang on nothing.
fn pass_away(
    mut mortals: Query<(Entity, &mut Mortal)>,
    time: Res<Time>,
    task: Res<Task>,
    mut commands: Commands,
) {
    for (entity, mut mortal) in &mut mortals {
        mortal.seconds_left -= time.delta_secs();
        if mortal.seconds_left < 0.0 {
            commands.entity(entity).despawn();
            spawn(&mut commands, *task, mortal.body, None);
        }
    }
}

/// The time of a whole frame.
fn time_frame(app: &mut App) -> Duration {
    let start = Instant::now();
    app.update();
    start.elapsed()
}

/// The time of a stage in a frame.
fn time_stage(app: &mut App, stage: &DiagnosticPath) -> Duration {
    app.update();
    let diagnostic = app.world().resource::<DiagnosticsStore>().get(stage);
    let milliseconds = diagnostic.and_then(|diagnostic| diagnostic.value());
    Duration::from_secs_f64(milliseconds.expect("it is measured in each frame") / 1e3)
}

/// Whole frames, bare and with the plugin.
fn measure_frames(criterion: &mut Criterion, kind: Kind, count: usize) {
    let mut group = criterion.benchmark_group(format!("frames, {}", kind.name()));
    group.sampling_mode(SamplingMode::Flat);
    for (name, task) in [("bare", Task::Bare), ("bevy_thud", Task::Collide)] {
        let mut stage = None;
        group.bench_function(BenchmarkId::new(name, count), |bencher| {
            let stage = stage.get_or_insert_with(|| Stage::of(task, kind.bodies(count)));
            bencher.iter_custom(|frames| stage.run(frames, time_frame));
        });
    }
    group.finish();
}

/// Each stage of a run.
fn measure_stages(criterion: &mut Criterion, kind: Kind, count: usize) {
    let mut group = criterion.benchmark_group(format!("stages, {}", kind.name()));
    group.sampling_mode(SamplingMode::Flat);
    let mut stage = None;
    for (name, path) in &STAGES {
        group.bench_function(BenchmarkId::new(*name, count), |bencher| {
            let task = Task::MeasureStages;
            let stage = stage.get_or_insert_with(|| Stage::of(task, kind.bodies(count)));
            bencher.iter_custom(|frames| stage.run(frames, |app| time_stage(app, path)));
        });
    }
    group.finish();
}

/// Circles of radius 5 among the walls, in none of them, at 120 units per second.
fn movers(walls: &[Body]) -> Vec<Body> {
    let walls = colliders(walls);
    let mut dice = fastrand::Rng::with_seed(MOVERS as u64);
    let mut free_place = || {
        loop {
            let place = place_among_walls(&mut dice);
            let circle = Shape::circle(place, 5.0);
            if !walls
                .iter()
                .any(|(_, wall)| contact(wall, &circle).is_some())
            {
                return (place, TAU * dice.f32());
            }
        }
    };
    let mover = |_| {
        let (position, heading) = free_place();
        Body {
            parent: None,
            position,
            angle: 0.0,
            outline: Some(Outline::Circle(5.0)),
            solid: false,
            velocity: Vec2::from_angle(heading) * 120.0,
            seconds_to_live: None,
        }
    };
    (0..MOVERS).map(mover).collect()
}

/// A wall with a door that is three movers wide, and a dense crowd of solid ones that all want to go through.
fn crowd_at_door() -> Vec<Body> {
    let body = |position: Vec2, outline, velocity| Body {
        parent: None,
        position,
        angle: 0.0,
        outline: Some(outline),
        solid: true,
        velocity,
        seconds_to_live: None,
    };
    let walls = [-1.0, 1.0].map(|side| {
        let size = Vec2::new(40.0, 1000.0);
        body(
            Vec2::new(0.0, side * 524.0),
            Outline::Rect(size),
            Vec2::ZERO,
        )
    });
    let movers = (0..CROWD).map(|number| {
        let (column, row) = ((number % 25) as f32, (number / 25) as f32);
        let place = Vec2::new(-30.0 - 17.0 * column, 17.0 * (row - 19.5));
        let towards = (Vec2::new(300.0, 0.0) - place).normalize();
        body(place, Outline::Circle(8.0), towards * 160.0)
    });
    walls.into_iter().chain(movers).collect()
}

/// The stage that moves movers, with a crowd that presses through a door.
fn measure_crowd(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a crowd at a door");
    group.sampling_mode(SamplingMode::Flat);
    let mut stage = None;
    group.bench_function(BenchmarkId::new("Move", CROWD), |bencher| {
        let stage = stage.get_or_insert_with(|| Stage::of(Task::PressMovers, crowd_at_door()));
        let path = &CollisionDiagnosticsPlugin::MOVE;
        bencher.iter_custom(|frames| stage.run(frames, |app| time_stage(app, path)));
    });
    group.finish();
}

/// The stage that moves movers, for each of them.
fn measure_movers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("movers among walls");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(MOVERS as u64));
    let mut stage = None;
    group.bench_function(BenchmarkId::new("Move", WALLS), |bencher| {
        let stage = stage.get_or_insert_with(|| {
            let mut bodies = common::walls();
            bodies.append(&mut movers(&bodies));
            Stage::of(Task::MoveMovers, bodies)
        });
        let path = &CollisionDiagnosticsPlugin::MOVE;
        bencher.iter_custom(|frames| stage.run(frames, |app| time_stage(app, path)));
    });
    group.finish();
}

/// Measures all scenes, the stages of two of them, and the movers.
fn main() {
    let mut criterion = common::criterion();
    for count in COUNTS {
        for kind in Kind::ALL {
            measure_frames(&mut criterion, kind, count);
        }
        for kind in [Kind::Moving, Kind::OnePercent] {
            measure_stages(&mut criterion, kind, count);
        }
    }
    measure_movers(&mut criterion);
    measure_crowd(&mut criterion);
    criterion.final_summary();
}
