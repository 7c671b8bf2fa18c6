//! Benchmarks of walkers on tiles with slopes, beside movers that slide along the same floor.

mod common;

use std::time::Duration;

use bevy::{diagnostic::DiagnosticsStore, prelude::*};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
use common::{
    ResetApp, WARM_UP,
    scenes::app::{self, BodySetup, time_frame},
    time_stage,
};
use criterion::{Criterion, SamplingMode, Throughput};

/// The number of levels, and of capsules on each.
const LEVELS: usize = 20;
const CAPSULES: usize = 100;
/// The distances between levels and between capsules, in world units.
const LEVEL_HEIGHT: f32 = 100.0;
const SPACING: f32 = 40.0;
/// The width and height of a tile.
const TILE: f32 = 16.0;
/// The width of a floor until it repeats: five tiles, a slope up, a higher tile and a slope down.
const PERIOD: f32 = 10.0 * TILE;
const RADIUS: f32 = 6.0;
const LENGTH: f32 = 12.0;
/// In world units per second.
const SPEED: f32 = 100.0;
/// In world units per second squared.
const GRAVITY: f32 = 900.0;

/// What moves the capsules.
#[derive(Clone, Copy)]
enum Kind {
    Mover,
    Walker,
}

fn warmed_up_app(kind: Kind) -> App {
    let mut app = app::bare_app(default());
    app.add_plugins((
        CollisionPlugin::default(),
        CollisionDiagnosticsPlugin::default(),
    ))
    .init_resource::<DiagnosticsStore>()
    .add_systems(Update, walk);
    let mut commands = app.world_mut().commands();
    for level in 0..LEVELS {
        let height = LEVEL_HEIGHT * level as f32;
        spawn_floor(&mut commands, height);
        spawn_capsules(&mut commands, height, kind);
    }
    let no_bodies = BodySetup {
        insert_components: |_, _| {},
        insert_velocity: |_, _| {},
    };
    app::spawn_scene(&mut app, &[], no_bodies);
    for _ in 0..WARM_UP {
        app.update();
    }
    app
}

/// A floor with slopes of 27°, longer than the path of the last capsule.
fn spawn_floor(commands: &mut Commands, height: f32) {
    let slope = |sign: f32| {
        let outline = [(-TILE, -TILE), (TILE, -TILE), (TILE, TILE), (-TILE, 0.0)];
        let outline = outline.map(|(x, y)| Vec2::new(sign * x, y));
        PolygonCollider::new(outline).expect("the outline is simple")
    };
    let (up, down) = (slope(1.0), slope(-1.0));
    let length = CAPSULES as f32 * SPACING + 2.0 * PERIOD;
    for period in 0..(length / PERIOD) as usize {
        let left = PERIOD * period as f32;
        let at = |x: f32, y: f32| Transform::from_xyz(left + x, height + y, 0.0);
        for tile in 0..5 {
            let position = at(TILE * (tile as f32 + 0.5), -TILE / 2.0);
            commands.spawn((RectCollider::new(TILE, TILE), Solid, position));
        }
        commands.spawn((up.clone(), Solid, at(6.0 * TILE, 0.0)));
        let top = RectCollider::new(TILE, 2.0 * TILE);
        commands.spawn((top, Solid, at(7.5 * TILE, 0.0)));
        commands.spawn((down.clone(), Solid, at(9.0 * TILE, 0.0)));
    }
}

/// Capsules above the floor, onto which they fall while the scene warms up.
fn spawn_capsules(commands: &mut Commands, height: f32, kind: Kind) {
    for index in 0..CAPSULES {
        let x = SPACING * (index as f32 + 0.5);
        let surface = floor_height(x % PERIOD);
        let capsule = CapsuleCollider::new(RADIUS, LENGTH);
        let transform = Transform::from_xyz(x, height + surface + LENGTH / 2.0 + RADIUS + 2.0, 0.0);
        let mut entity = commands.spawn((capsule, Mover::default(), transform));
        if matches!(kind, Kind::Walker) {
            entity.insert(Walker::default());
        }
    }
}

/// The height of the floor at `x` in its period.
fn floor_height(x: f32) -> f32 {
    let from_top = (x - 7.5 * TILE).abs() - TILE / 2.0;
    (TILE - from_top / 2.0).clamp(0.0, TILE)
}

/// Steers movers and walkers alike: to the right, and down.
fn walk(mut movers: Query<&mut Mover>, time: Res<Time>) {
    for mut mover in &mut movers {
        mover.velocity.x = SPEED;
        mover.velocity.y -= GRAVITY * time.delta_secs();
    }
}

/// Measures whole frames and the stage `Move`, each with movers and with walkers.
fn main() {
    let mut criterion: Criterion = common::criterion();
    let measures: [(&str, fn(&mut App) -> Duration); 2] = [
        ("frames", time_frame),
        ("Move", |app| {
            time_stage(app, &CollisionDiagnosticsPlugin::MOVE)
        }),
    ];
    for (name, measure) in measures {
        let mut group = criterion.benchmark_group(format!("walkers, {name}"));
        group.sampling_mode(SamplingMode::Flat);
        group.throughput(Throughput::Elements((LEVELS * CAPSULES) as u64));
        for (name, kind) in [("movers", Kind::Mover), ("walkers", Kind::Walker)] {
            let mut scene = None;
            group.bench_function(name, |bencher| {
                let scene = scene.get_or_insert_with(|| ResetApp::new(move || warmed_up_app(kind)));
                bencher.iter_custom(|frames| scene.run(frames, measure));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
