//! Benchmarks of whole frames, without and with this crate, and of the stages of an update.

mod common;

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
use common::{
    COUNTS, ResetApp, WARM_UP,
    scenes::{
        Body, ColliderShape, SceneKind,
        among_walls::{self, MOVERS, WALLS},
        app::{self, BodySetup, time_frame},
    },
    time_stage,
};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

/// The number of movers that push through a door.
const CROWD_SIZE: usize = 1000;

/// The stages of an update, with the diagnostics that hold their durations in milliseconds.
const STAGES: [(&str, DiagnosticPath); 4] = [
    ("Sync", CollisionDiagnosticsPlugin::SYNC),
    ("Move", CollisionDiagnosticsPlugin::MOVE),
    ("Detect", CollisionDiagnosticsPlugin::DETECT),
    ("Report", CollisionDiagnosticsPlugin::REPORT),
];

/// What an app runs, and what it measures.
#[derive(Clone, Copy, PartialEq)]
enum Workload {
    /// Motion and transform propagation only.
    Bare,
    /// Collision detection, too.
    Collisions,
    /// Collision detection with the durations of the stages.
    Stages,
    /// `Stages`, with movers that bounce.
    BouncingMovers,
    /// `Stages`, with movers that are steered in one direction, also when they are blocked.
    SteeredMovers,
}

impl Workload {
    fn body_setup(self) -> BodySetup {
        BodySetup {
            insert_components: if self == Self::Bare {
                |_, _| {}
            } else {
                insert_collider
            },
            insert_velocity: match self {
                Self::Bare | Self::Collisions | Self::Stages => app::insert_velocity,
                Self::BouncingMovers => insert_bouncing_mover,
                Self::SteeredMovers => insert_steered_mover,
            },
        }
    }
}

/// The velocity that a mover is given in each frame, in world units per second.
#[derive(Component)]
struct DesiredVelocity(Vec2);

/// An app with a scene that is reset.
fn scene_app(workload: Workload, bodies: Vec<Body>) -> ResetApp<impl Fn() -> App> {
    ResetApp::new(move || warmed_up_app(workload, &bodies))
}

/// An app with the scene, after the warm-up.
fn warmed_up_app(workload: Workload, bodies: &[Body]) -> App {
    let mut app = app::bare_app(default());
    app.add_systems(Update, apply_desired_velocity);
    if workload != Workload::Bare {
        app.add_plugins(CollisionPlugin::default());
    }
    if !matches!(workload, Workload::Bare | Workload::Collisions) {
        app.add_plugins(CollisionDiagnosticsPlugin::default())
            .init_resource::<DiagnosticsStore>();
    }
    app::spawn_scene(&mut app, bodies, workload.body_setup());
    for _ in 0..WARM_UP {
        app.update();
    }
    app
}

fn insert_collider(entity: &mut EntityCommands, body: &Body) {
    if body.solid {
        entity.insert(Solid);
    }
    match body.shape {
        Some(ColliderShape::Circle(radius)) => entity.insert(CircleCollider::new(radius)),
        Some(ColliderShape::Rect(size)) => entity.insert(RectCollider::new(size.x, size.y)),
        None => entity,
    };
}

fn insert_bouncing_mover(entity: &mut EntityCommands, body: &Body) {
    entity.insert(Mover {
        velocity: body.velocity,
        response: MoverResponse::Bounce,
        ..default()
    });
}

fn insert_steered_mover(entity: &mut EntityCommands, body: &Body) {
    entity.insert((Mover::default(), DesiredVelocity(body.velocity)));
}

fn apply_desired_velocity(mut movers: Query<(&mut Mover, &DesiredVelocity)>) {
    for (mut mover, desired_velocity) in &mut movers {
        mover.velocity = desired_velocity.0;
    }
}

/// Measures whole frames, bare and with the plugin.
fn measure_frames(criterion: &mut Criterion, kind: SceneKind, count: usize) {
    let mut group = criterion.benchmark_group(format!("frames, {}", kind.name()));
    group.sampling_mode(SamplingMode::Flat);
    let workloads = [
        ("bare", Workload::Bare),
        ("bevy_thud", Workload::Collisions),
    ];
    for (name, workload) in workloads {
        let mut scene = None;
        group.bench_function(BenchmarkId::new(name, count), |bencher| {
            let scene = scene.get_or_insert_with(|| scene_app(workload, kind.bodies(count)));
            bencher.iter_custom(|frames| scene.run(frames, time_frame));
        });
    }
    group.finish();
}

/// Measures each stage of an update.
fn measure_stages(criterion: &mut Criterion, kind: SceneKind, count: usize) {
    let mut group = criterion.benchmark_group(format!("stages, {}", kind.name()));
    group.sampling_mode(SamplingMode::Flat);
    let mut scene = None;
    for (name, path) in &STAGES {
        group.bench_function(BenchmarkId::new(*name, count), |bencher| {
            let workload = Workload::Stages;
            let scene = scene.get_or_insert_with(|| scene_app(workload, kind.bodies(count)));
            bencher.iter_custom(|frames| scene.run(frames, |app| time_stage(app, path)));
        });
    }
    group.finish();
}

/// A wall with a door three movers wide, and a dense crowd of solid movers that push through it.
fn crowd_at_door() -> Vec<Body> {
    let body = |position: Vec2, shape, velocity| Body {
        parent: None,
        position,
        angle: 0.0,
        shape: Some(shape),
        solid: true,
        velocity,
        seconds_to_live: None,
    };
    let walls = [-1.0, 1.0].map(|sign| {
        let size = Vec2::new(40.0, 1000.0);
        body(
            Vec2::new(0.0, sign * 524.0),
            ColliderShape::Rect(size),
            Vec2::ZERO,
        )
    });
    let movers = (0..CROWD_SIZE).map(|index| {
        let (column, row) = ((index % 25) as f32, (index / 25) as f32);
        let position = Vec2::new(-30.0 - 17.0 * column, 17.0 * (row - 19.5));
        let direction = (Vec2::new(300.0, 0.0) - position).normalize();
        body(position, ColliderShape::Circle(8.0), direction * 160.0)
    });
    walls.into_iter().chain(movers).collect()
}

/// Measures the stage `Move` with a crowd that pushes through a door.
fn measure_crowd(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a crowd at a door");
    group.sampling_mode(SamplingMode::Flat);
    let mut scene = None;
    group.bench_function(BenchmarkId::new("Move", CROWD_SIZE), |bencher| {
        let scene =
            scene.get_or_insert_with(|| scene_app(Workload::SteeredMovers, crowd_at_door()));
        let path = &CollisionDiagnosticsPlugin::MOVE;
        bencher.iter_custom(|frames| scene.run(frames, |app| time_stage(app, path)));
    });
    group.finish();
}

/// Measures the stage `Move` for each mover.
fn measure_movers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("movers among walls");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(MOVERS as u64));
    let mut scene = None;
    group.bench_function(BenchmarkId::new("Move", WALLS), |bencher| {
        let scene = scene.get_or_insert_with(|| {
            let mut bodies = among_walls::walls();
            bodies.append(&mut among_walls::movers(&bodies));
            scene_app(Workload::BouncingMovers, bodies)
        });
        let path = &CollisionDiagnosticsPlugin::MOVE;
        bencher.iter_custom(|frames| scene.run(frames, |app| time_stage(app, path)));
    });
    group.finish();
}

fn main() {
    let mut criterion = common::criterion();
    for count in COUNTS {
        for kind in SceneKind::ALL {
            measure_frames(&mut criterion, kind, count);
        }
        for kind in [SceneKind::Moving, SceneKind::OnePercent] {
            measure_stages(&mut criterion, kind, count);
        }
    }
    measure_movers(&mut criterion);
    measure_crowd(&mut criterion);
    criterion.final_summary();
}
