//! Questions about 10,000 walls, one after another on one thread.

mod common;

use std::{f32::consts::TAU, hint::black_box};

use bevy::{app::TaskPoolPlugin, ecs::system::SystemState, prelude::*, time::TimePlugin};
use bevy_thud::{geometry::Shape, prelude::*};
use common::scenes::{
    Outline,
    among_walls::{self, WALLS},
};
use criterion::{BenchmarkId, Criterion, Throughput};

/// How many different questions there are of each kind.
const QUESTIONS: usize = 4096;
/// How far rays go, in world units.
const FAR: f32 = 500.0;

/// How fast movers turn, in radians per second.
const TURN_RATE: f32 = 2.0;
/// How long a step takes.
const SECONDS: f32 = 1.0 / 60.0;
/// From then on as many movers are at walls as later.
const STEPS_UNTIL_SPREAD: u32 = 120;

/// A question: about where it is, or about the way from there.
struct Question {
    position: Vec2,
    direction: Dir2,
}

impl Question {
    fn any(dice: &mut fastrand::Rng) -> Self {
        Self {
            position: among_walls::place(dice),
            direction: Rot2::radians(dice.f32() * TAU) * Dir2::X,
        }
    }

    fn ray(&self) -> Ray2d {
        Ray2d::new(self.position, self.direction)
    }

    fn circle(&self) -> Shape {
        Shape::circle(self.position, 5.0)
    }
}

/// An app that knows the walls.
fn app_with_walls() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    for body in among_walls::walls() {
        let Some(Outline::Rect(size)) = body.outline else {
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

/// Measures one kind of question.
fn measure(
    criterion: &mut Criterion,
    name: &str,
    questions: &[Question],
    mut ask: impl FnMut(&Question),
) {
    let mut group = criterion.benchmark_group("queries");
    group.throughput(Throughput::Elements(questions.len() as u64));
    group.bench_function(BenchmarkId::new(name, WALLS), |bencher| {
        bencher.iter(|| questions.iter().for_each(&mut ask));
    });
    group.finish();
}

/// Measures all kinds.
fn main() {
    let mut criterion = common::criterion();
    let criterion = &mut criterion;
    let mut app = app_with_walls();
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let Ok(query) = state.get(app.world()) else {
        return;
    };
    let mut dice = fastrand::Rng::with_seed(QUESTIONS as u64);
    let questions: Vec<Question> = std::iter::repeat_with(|| Question::any(&mut dice))
        .take(QUESTIONS)
        .collect();
    let all = SpatialQueryFilter::default();
    let hit = questions
        .iter()
        .filter(|question| query.cast_ray(question.ray(), FAR, &all).is_some());
    println!("{} of {QUESTIONS} rays hit", hit.count());
    let (mut hits, mut entities) = (Vec::new(), Vec::new());
    measure(criterion, "cast_ray, 500 units", &questions, |question| {
        black_box(query.cast_ray(question.ray(), FAR, &all));
    });
    measure(
        criterion,
        "ray_hits_into, 500 units",
        &questions,
        |question| {
            query.ray_hits_into(question.ray(), FAR, &all, &mut hits);
            black_box(&hits);
        },
    );
    measure(
        criterion,
        "cast_shape, a circle, 500 units",
        &questions,
        |question| {
            black_box(query.cast_shape(&question.circle(), question.direction * FAR, &all));
        },
    );
    measure(
        criterion,
        "shape_intersections_into, a circle",
        &questions,
        |question| {
            query.shape_intersections_into(&question.circle(), &all, &mut entities);
            black_box(&entities);
        },
    );
    measure(
        criterion,
        "point_intersections_into",
        &questions,
        |question| {
            query.point_intersections_into(question.position, &all, &mut entities);
            black_box(&entities);
        },
    );
    measure(criterion, "project_point", &questions, |question| {
        black_box(query.project_point(question.position, f32::INFINITY, &all));
    });
    measure_steps(criterion, &query);
    criterion.final_summary();
}

/// Measures the moves of movers that walk in circles until they reach a wall.
fn measure_steps(criterion: &mut Criterion, query: &SpatialQuery) {
    let bodies = among_walls::movers(&among_walls::walls());
    let mut walkers: Vec<(Vec2, Vec2)> = (bodies.iter())
        .map(|body| (body.position, body.velocity))
        .collect();
    let all = SpatialQueryFilter::default();
    let turn = Rot2::radians(TURN_RATE * SECONDS);
    let mut step = || {
        for (place, heading) in &mut walkers {
            *heading = turn * *heading;
            let mover = Mover::with_velocity(*heading);
            let circle = Shape::circle(*place, among_walls::RADIUS);
            *place += query
                .move_and_slide(&circle, &mover, SECONDS, &all)
                .displacement;
        }
    };
    (0..STEPS_UNTIL_SPREAD).for_each(|_| step());
    let mut group = criterion.benchmark_group("queries");
    group.throughput(Throughput::Elements(bodies.len() as u64));
    group.bench_function(
        BenchmarkId::new("move_and_slide, 2 units", WALLS),
        |bencher| bencher.iter(&mut step),
    );
    group.finish();
}
