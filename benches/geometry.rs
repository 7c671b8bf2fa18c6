//! Benchmarks of each geometric query for a pair of shapes.

use std::{f32::consts::TAU, hint::black_box, time::Duration};

use bevy::math::{Affine2, Rot2, Vec2};
use bevy_thud::geometry::{Shape, cast_ray, cast_shape, contact, contains_point, separation};
use criterion::{Criterion, Throughput};

/// The number of different pairs for each query.
const CASES: usize = 512;
/// The maximum offset between the centers of a pair along each axis, in world units.
const MAX_OFFSET: f32 = 16.0;

/// A kind of shape.
#[derive(Clone, Copy)]
enum ShapeKind {
    /// A circle of radius zero, of which only the center is used.
    Point,
    /// A circle of radius 3 to 7.
    Circle,
    /// A rectangle of 6 to 14 by 6 to 14; half of them are rotated.
    Rect,
    /// A capsule of radius 3 to 5 around a segment of 2 to 8, at a random angle.
    Capsule,
    /// A convex polygon of five vertices, 6 to 7 from its center, at a random angle.
    Polygon,
    /// A star of five points, with radii 3 and 7, at a random angle.
    Star,
}

/// The pairs for queries of two shapes.
const SHAPE_PAIRS: [[ShapeKind; 2]; 10] = [
    [ShapeKind::Circle, ShapeKind::Circle],
    [ShapeKind::Circle, ShapeKind::Rect],
    [ShapeKind::Rect, ShapeKind::Rect],
    [ShapeKind::Circle, ShapeKind::Capsule],
    [ShapeKind::Capsule, ShapeKind::Rect],
    [ShapeKind::Capsule, ShapeKind::Capsule],
    [ShapeKind::Circle, ShapeKind::Polygon],
    [ShapeKind::Rect, ShapeKind::Polygon],
    [ShapeKind::Polygon, ShapeKind::Polygon],
    [ShapeKind::Circle, ShapeKind::Star],
];

/// The pairs for queries of a point and a shape.
const POINT_PAIRS: [[ShapeKind; 2]; 2] = [
    [ShapeKind::Point, ShapeKind::Circle],
    [ShapeKind::Point, ShapeKind::Rect],
];

/// Two shapes, and a displacement of the first one.
struct Case {
    a: Shape,
    b: Shape,
    displacement: Vec2,
}

impl ShapeKind {
    /// The name in the list of benchmarks.
    fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Circle => "circle",
            Self::Rect => "rect",
            Self::Capsule => "capsule",
            Self::Polygon => "polygon",
            Self::Star => "star",
        }
    }

    /// A random shape of this kind.
    fn shape(self, center: Vec2, rng: &mut fastrand::Rng) -> Shape {
        match self {
            Self::Point => Shape::circle(center, 0.0),
            Self::Circle => Shape::circle(center, uniform(3.0, 7.0, rng)),
            Self::Rect => {
                let size = Vec2::new(uniform(6.0, 14.0, rng), uniform(6.0, 14.0, rng));
                let random_angle = uniform(0.0, TAU, rng);
                let angle = if rng.bool() { random_angle } else { 0.0 };
                Shape::rect(center, size, Rot2::radians(angle))
            }
            Self::Capsule => {
                let half = Vec2::from_angle(uniform(0.0, TAU, rng)) * uniform(1.0, 4.0, rng);
                Shape::capsule(center - half, center + half, uniform(3.0, 5.0, rng))
            }
            Self::Polygon => {
                let radii: Vec<f32> = (0..5).map(|_| uniform(6.0, 7.0, rng)).collect();
                polygon(center, &radii, rng)
            }
            Self::Star => polygon(center, &[7.0, 3.0].repeat(5), rng),
        }
    }
}

impl Case {
    /// Two nearby shapes, the first of which moves toward the second, but not always far or
    /// straight enough to hit it.
    fn random(kinds: [ShapeKind; 2], rng: &mut fastrand::Rng) -> Self {
        let center = random_point_near(Vec2::ZERO, 1000.0, rng);
        let a = kinds[0].shape(center, rng);
        let b = kinds[1].shape(random_point_near(center, MAX_OFFSET, rng), rng);
        let target = random_point_near(b.center(), MAX_OFFSET / 2.0, rng);
        let displacement = (target - center) * uniform(0.5, 1.5, rng);
        Self { a, b, displacement }
    }

    /// Random cases, either all overlapping or all separate.
    fn all(kinds: [ShapeKind; 2], overlapping: bool) -> Vec<Self> {
        let mut rng = fastrand::Rng::with_seed(CASES as u64);
        std::iter::repeat_with(|| Self::random(kinds, &mut rng))
            .filter(|case| contact(&case.a, &case.b).is_some() == overlapping)
            .take(CASES)
            .collect()
    }
}

/// A polygon with vertices at these distances from its center, in evenly spaced directions.
fn polygon(center: Vec2, radii: &[f32], rng: &mut fastrand::Rng) -> Shape {
    let (angle, step) = (uniform(0.0, TAU, rng), TAU / radii.len() as f32);
    let vertex = |(i, radius): (usize, &f32)| Vec2::from_angle(i as f32 * step) * *radius;
    let polygon = Shape::polygon(radii.iter().enumerate().map(vertex));
    let pose = Affine2::from_angle_translation(angle, center);
    polygon.map_or(Shape::circle(center, 5.0), |polygon| {
        polygon.transformed(&pose)
    })
}

/// A random point at most `max_offset` from `center` along each axis.
fn random_point_near(center: Vec2, max_offset: f32, rng: &mut fastrand::Rng) -> Vec2 {
    let x = uniform(-max_offset, max_offset, rng);
    let y = uniform(-max_offset, max_offset, rng);
    center + Vec2::new(x, y)
}

/// A uniformly distributed number between `low` and `high`.
fn uniform(low: f32, high: f32, rng: &mut fastrand::Rng) -> f32 {
    low + (high - low) * rng.f32()
}

/// Measures one query for all pairs of these kinds.
fn measure<Output>(
    criterion: &mut Criterion,
    query: &str,
    pairs: &[[ShapeKind; 2]],
    run: impl Fn(&Case) -> Output,
) {
    let mut group = criterion.benchmark_group(query);
    group.throughput(Throughput::Elements(CASES as u64));
    for &kinds in pairs {
        for (state, overlapping) in [("overlapping", true), ("apart", false)] {
            let cases = Case::all(kinds, overlapping);
            let [a, b] = kinds.map(ShapeKind::name);
            group.bench_function(format!("{a} and {b}, {state}"), |bencher| {
                bencher.iter(|| {
                    for case in &cases {
                        black_box(run(black_box(case)));
                    }
                });
            });
        }
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .nresamples(10_000)
        .configure_from_args();
    let criterion = &mut criterion;
    measure(criterion, "contact", &SHAPE_PAIRS, |case| {
        contact(&case.a, &case.b)
    });
    measure(criterion, "separation", &SHAPE_PAIRS, |case| {
        separation(&case.a, &case.b)
    });
    measure(criterion, "cast_shape", &SHAPE_PAIRS, |case| {
        cast_shape(&case.a, case.displacement, &case.b)
    });
    measure(criterion, "cast_ray", &POINT_PAIRS, |case| {
        cast_ray(&case.b, case.a.center(), case.displacement)
    });
    measure(criterion, "contains_point", &POINT_PAIRS, |case| {
        contains_point(&case.b, case.a.center())
    });
    criterion.final_summary();
}
