//! Benchmarks of spatial queries among 10,000 walls, in sequence on one thread.

mod common;

use std::{f32::consts::TAU, hint::black_box};

use bevy::{app::TaskPoolPlugin, ecs::system::SystemState, prelude::*, time::TimePlugin};
use bevy_thud::{geometry::Shape, prelude::*};
use common::scenes::{
    ColliderShape,
    among_walls::{self, WALLS},
};
use criterion::{BenchmarkId, Criterion, Throughput};

/// The number of different inputs for each query.
const INPUTS: usize = 4096;
/// The maximum distance of rays and shape casts, in world units.
const MAX_DISTANCE: f32 = 500.0;

/// The angular velocity of movers, in radians per second.
const TURN_RATE: f32 = 2.0;
/// The simulated duration of a step of a mover.
const DELTA_SECS: f32 = 1.0 / 60.0;
/// The number of steps until a constant fraction of the movers is at walls.
const WARM_UP_STEPS: u32 = 120;

/// The input of a query: a position, and a direction for casts.
struct QueryInput {
    position: Vec2,
    direction: Dir2,
}

impl QueryInput {
    fn random(rng: &mut fastrand::Rng) -> Self {
        Self {
            position: among_walls::random_position(rng),
            direction: Rot2::radians(rng.f32() * TAU) * Dir2::X,
        }
    }

    fn ray(&self) -> Ray2d {
        Ray2d::new(self.position, self.direction)
    }

    fn circle(&self) -> Shape {
        Shape::circle(self.position, 5.0)
    }
}

/// An app with the walls in its index.
fn app_with_walls() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    for body in among_walls::walls() {
        let Some(ColliderShape::Rect(size)) = body.shape else {
            continue;
        };
        let transform = Transform::from_translation(body.position.extend(0.0))
            .with_rotation(Quat::from_rotation_z(body.angle));
        app.world_mut()
            .spawn((RectCollider::new(size.x, size.y), Solid, transform));
    }
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Measures one query with all inputs.
fn measure(
    criterion: &mut Criterion,
    name: &str,
    inputs: &[QueryInput],
    mut run: impl FnMut(&QueryInput),
) {
    let mut group = criterion.benchmark_group("queries");
    group.throughput(Throughput::Elements(inputs.len() as u64));
    group.bench_function(BenchmarkId::new(name, WALLS), |bencher| {
        bencher.iter(|| inputs.iter().for_each(&mut run));
    });
    group.finish();
}

fn main() {
    let mut criterion = common::criterion();
    let criterion = &mut criterion;
    let mut app = app_with_walls();
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let Ok(query) = state.get(app.world()) else {
        return;
    };
    let mut rng = fastrand::Rng::with_seed(INPUTS as u64);
    let inputs: Vec<QueryInput> = std::iter::repeat_with(|| QueryInput::random(&mut rng))
        .take(INPUTS)
        .collect();
    let all = SpatialQueryFilter::default();
    let rays_that_hit = inputs
        .iter()
        .filter(|input| query.cast_ray(input.ray(), MAX_DISTANCE, &all).is_some());
    println!("{} of {INPUTS} rays hit", rays_that_hit.count());
    measure(criterion, "cast_ray, 500 units", &inputs, |input| {
        black_box(query.cast_ray(input.ray(), MAX_DISTANCE, &all));
    });
    measure(criterion, "ray_hits, 500 units", &inputs, |input| {
        black_box(query.ray_hits(input.ray(), MAX_DISTANCE, &all));
    });
    measure(
        criterion,
        "cast_shape, a circle, 500 units",
        &inputs,
        |input| {
            black_box(query.cast_shape(&input.circle(), input.direction * MAX_DISTANCE, &all));
        },
    );
    measure(
        criterion,
        "shape_intersections, a circle",
        &inputs,
        |input| {
            black_box(query.shape_intersections(&input.circle(), &all));
        },
    );
    measure(criterion, "point_intersections", &inputs, |input| {
        black_box(query.point_intersections(input.position, &all));
    });
    measure(criterion, "project_point", &inputs, |input| {
        black_box(query.project_point(input.position, f32::INFINITY, &all));
    });
    measure_move_and_slide(criterion, &query);
    criterion.final_summary();
}

/// Measures `move_and_slide` of movers that are steered in circles among the walls.
fn measure_move_and_slide(criterion: &mut Criterion, query: &SpatialQuery) {
    let bodies = among_walls::movers(&among_walls::walls());
    let mut movers: Vec<(Vec2, Vec2)> = (bodies.iter())
        .map(|body| (body.position, body.velocity))
        .collect();
    let all = SpatialQueryFilter::default();
    let rotation = Rot2::radians(TURN_RATE * DELTA_SECS);
    let mut step = || {
        for (position, velocity) in &mut movers {
            *velocity = rotation * *velocity;
            let mover = Mover::with_velocity(*velocity);
            let circle = Shape::circle(*position, among_walls::RADIUS);
            *position += query
                .move_and_slide(&circle, &mover, DELTA_SECS, &all)
                .displacement;
        }
    };
    (0..WARM_UP_STEPS).for_each(|_| step());
    let mut group = criterion.benchmark_group("queries");
    group.throughput(Throughput::Elements(bodies.len() as u64));
    group.bench_function(
        BenchmarkId::new("move_and_slide, 2 units", WALLS),
        |bencher| bencher.iter(&mut step),
    );
    group.finish();
}
