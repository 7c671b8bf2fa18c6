//! Whole frames of an app, with motion only and with this crate, and the stages of an update.

mod common;

use std::time::Duration;

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
use common::{
    COUNTS, FRAMES, WARM_UP,
    scenes::{
        Body, Kind, Outline,
        among_walls::{self, MOVERS, WALLS},
        staging::{self, Outfit, time_frame},
    },
};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

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
#[derive(Clone, Copy, PartialEq)]
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

impl Task {
    fn outfit(self) -> Outfit {
        Outfit {
            equip: if self == Self::Bare { |_, _| {} } else { equip },
            propel: match self {
                Self::Bare | Self::Collide | Self::MeasureStages => staging::drift,
                Self::MoveMovers => bounce,
                Self::PressMovers => urge,
            },
        }
    }
}

/// Where a mover wants to go, in world units per second.
#[derive(Component)]
struct Urge(Vec2);

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
    let mut app = staging::bare_app(default());
    app.add_systems(Update, press);
    if task != Task::Bare {
        app.add_plugins(CollisionPlugin::default());
    }
    if !matches!(task, Task::Bare | Task::Collide) {
        app.add_plugins(CollisionDiagnosticsPlugin::default())
            .init_resource::<DiagnosticsStore>();
    }
    staging::populate(&mut app, bodies, task.outfit());
    for _ in 0..WARM_UP {
        app.update();
    }
    app
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

/// Makes a body a mover that goes on for ever.
fn bounce(entity: &mut EntityCommands, body: &Body) {
    entity.insert(Mover {
        velocity: body.velocity,
        response: MoverResponse::Bounce,
        ..default()
    });
}

/// Makes a body a mover that wants to go on wherever it is stopped.
fn urge(entity: &mut EntityCommands, body: &Body) {
    entity.insert((Mover::default(), Urge(body.velocity)));
}

/// Lets movers go on.
fn press(mut movers: Query<(&mut Mover, &Urge)>) {
    for (mut mover, urge) in &mut movers {
        mover.velocity = urge.0;
    }
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

/// A wall with a door that is three movers wide, and a dense crowd of solid movers pushing through.
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
            let mut bodies = among_walls::walls();
            bodies.append(&mut among_walls::movers(&bodies));
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
