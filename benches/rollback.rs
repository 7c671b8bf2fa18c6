//! Benchmarks of rollback: saving, restoring and hashing the state of collisions, and eight updates
//! after a restore.

mod common;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_thud::prelude::*;
use common::{
    WARM_UP,
    scenes::app::{self, BodySetup, time_frame},
};
use criterion::{Criterion, SamplingMode};

/// The number of colliders. They overlap in half as many pairs.
const COUNT: usize = 10_000;
/// The distance between neighbors, in world units.
const SPACING: f32 = 8.86;
/// How many updates follow a restore.
const UPDATES: usize = 8;

/// In world units per second.
#[derive(Component, Clone, Copy)]
struct Velocity(Vec2);

fn warmed_up_app() -> App {
    let mut app = app::bare_app(default());
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Update, walk);
    let mut rng = fastrand::Rng::with_seed(COUNT as u64);
    let side = SPACING * (COUNT as f32).sqrt();
    for key in 0..COUNT as u64 {
        let position = Vec2::new(rng.f32(), rng.f32()) * side;
        let velocity = Vec2::from_angle(rng.f32() * 7.0) * 60.0;
        app.world_mut().spawn((
            CircleCollider::new(2.5),
            Transform::from_translation(position.extend(0.0)),
            Velocity(velocity),
            StableKey(key),
        ));
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

fn walk(mut bodies: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    for (mut transform, velocity) in &mut bodies {
        transform.translation += (velocity.0 * time.delta_secs()).extend(0.0);
    }
}

/// All that the scene depends on.
struct Saved {
    transforms: Vec<(Entity, Transform)>,
    state: CollisionState,
}

fn save(world: &mut World) -> Saved {
    let mut transforms = world.query::<(Entity, &Transform)>();
    let transforms = transforms.iter(world).map(|(entity, at)| (entity, *at));
    Saved {
        transforms: transforms.collect(),
        state: world.resource::<CollisionState>().clone(),
    }
}

fn restore(world: &mut World, saved: &Saved) {
    for &(entity, transform) in &saved.transforms {
        if let Some(mut current) = world.get_mut::<Transform>(entity) {
            current.set_if_neq(transform);
        }
    }
    (world.resource_mut::<CollisionState>()).clone_from(&saved.state);
}

/// Measures what is done to the state between two updates.
fn measure_state(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rollback, state of 10,000 colliders");
    let mut app = warmed_up_app();
    let mut collisions = SystemState::<Collisions>::new(app.world_mut());
    let collisions = collisions.get(app.world()).expect("the plugin is there");
    println!("{} pairs", collisions.len());
    let state = app.world().resource::<CollisionState>();
    group.bench_function("save", |bencher| bencher.iter(|| state.clone()));
    let mut restored = state.clone();
    group.bench_function("restore", |bencher| {
        bencher.iter(|| black_box(&mut restored).clone_from(state));
    });
    group.bench_function("hash the state", |bencher| bencher.iter(|| state.hash()));
    group.bench_function("hash the poses", |bencher| {
        bencher.iter(|| collisions.hash_of_poses());
    });
    group.finish();
}

/// Eight updates of a scene that nobody has restored since the last one.
fn straight_on(app: &mut App, saved: &Saved) -> Duration {
    restore(app.world_mut(), saved);
    app.update();
    time_updates(app)
}

/// The restoring, and eight updates.
fn after_a_restore(app: &mut App, saved: &Saved) -> Duration {
    let start = Instant::now();
    restore(app.world_mut(), saved);
    start.elapsed() + time_updates(app)
}

fn time_updates(app: &mut App) -> Duration {
    (0..UPDATES).map(|_| time_frame(app)).sum()
}

fn measure_updates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rollback, eight updates");
    group.sampling_mode(SamplingMode::Flat);
    let measures: [(&str, fn(&mut App, &Saved) -> Duration); 2] = [
        ("straight on", straight_on),
        ("after a restore", after_a_restore),
    ];
    for (name, measure) in measures {
        let mut app = warmed_up_app();
        let saved = save(app.world_mut());
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| measure(&mut app, &saved)).sum());
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = common::criterion();
    measure_state(&mut criterion);
    measure_updates(&mut criterion);
    criterion.final_summary();
}
