//! What each question about a pair of shapes takes.

use std::{f32::consts::TAU, hint::black_box, time::Duration};

use bevy::math::{Affine2, Rot2, Vec2};
use bevy_thud::geometry::{Shape, cast_ray, cast_shape, contact, contains_point, separation};
use criterion::{Criterion, Throughput};

/// How many different pairs each question is asked about.
const CASES: usize = 512;
/// How far the middles of a pair are apart along each axis, at most.
const REACH: f32 = 16.0;

/// What a shape is like.
#[derive(Clone, Copy)]
enum Outline {
    /// A circle of radius zero, of which only the middle is used.
    Point,
    /// A circle of radius 3 to 7.
    Circle,
    /// A rectangle of 6 to 14 by 6 to 14; half of them are turned.
    Rect,
    /// A capsule of radius 3 to 5 around a segment of 2 to 8, turned anyhow.
    Capsule,
    /// A convex polygon of five corners, 3 to 7 from its middle, turned anyhow.
    Polygon,
    /// A star of five points, of 3 and 7, turned anyhow.
    Star,
}

/// The pairs that questions about two shapes are asked about.
const SHAPES: [[Outline; 2]; 10] = [
    [Outline::Circle, Outline::Circle],
    [Outline::Circle, Outline::Rect],
    [Outline::Rect, Outline::Rect],
    [Outline::Circle, Outline::Capsule],
    [Outline::Capsule, Outline::Rect],
    [Outline::Capsule, Outline::Capsule],
    [Outline::Circle, Outline::Polygon],
    [Outline::Rect, Outline::Polygon],
    [Outline::Polygon, Outline::Polygon],
    [Outline::Circle, Outline::Star],
];

/// The pairs that questions about a point and a shape are asked about.
const POINTS: [[Outline; 2]; 2] = [
    [Outline::Point, Outline::Circle],
    [Outline::Point, Outline::Rect],
];

/// Two shapes, and a way of the first one.
struct Case {
    a: Shape,
    b: Shape,
    way: Vec2,
}

impl Outline {
    /// Its name in the list of benchmarks.
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

    /// One of its shapes.
    fn shape(self, center: Vec2, dice: &mut fastrand::Rng) -> Shape {
        match self {
            Self::Point => Shape::circle(center, 0.0),
            Self::Circle => Shape::circle(center, between(3.0, 7.0, dice)),
            Self::Rect => {
                let size = Vec2::new(between(6.0, 14.0, dice), between(6.0, 14.0, dice));
                let angle = between(0.0, TAU, dice);
                let turn = if dice.bool() { angle } else { 0.0 };
                Shape::rect(center, size, Rot2::radians(turn))
            }
            Self::Capsule => {
                let along = Vec2::from_angle(between(0.0, TAU, dice)) * between(1.0, 4.0, dice);
                Shape::capsule(center - along, center + along, between(3.0, 5.0, dice))
            }
            Self::Polygon => {
                let radii: Vec<f32> = (0..5).map(|_| between(6.0, 7.0, dice)).collect();
                polygon(center, &radii, dice)
            }
            Self::Star => polygon(center, &[7.0, 3.0].repeat(5), dice),
        }
    }
}

impl Case {
    /// Two nearby shapes, the first of which moves toward the second: not always far or straight
    /// enough to hit it.
    fn any(outlines: [Outline; 2], dice: &mut fastrand::Rng) -> Self {
        let middle = near(Vec2::ZERO, 1000.0, dice);
        let a = outlines[0].shape(middle, dice);
        let b = outlines[1].shape(near(middle, REACH, dice), dice);
        let target = near(b.center(), REACH / 2.0, dice);
        let way = (target - middle) * between(0.5, 1.5, dice);
        Self { a, b, way }
    }

    /// Pairs that all overlap, or all do not.
    fn all(outlines: [Outline; 2], overlapping: bool) -> Vec<Self> {
        let mut dice = fastrand::Rng::with_seed(CASES as u64);
        std::iter::repeat_with(|| Self::any(outlines, &mut dice))
            .filter(|case| contact(&case.a, &case.b).is_some() == overlapping)
            .take(CASES)
            .collect()
    }
}

/// A polygon with vertices at these distances from its center, in evenly spaced directions.
fn polygon(center: Vec2, radii: &[f32], dice: &mut fastrand::Rng) -> Shape {
    let (turn, step) = (between(0.0, TAU, dice), TAU / radii.len() as f32);
    let corner = |(i, radius): (usize, &f32)| Vec2::from_angle(i as f32 * step) * *radius;
    let polygon = Shape::polygon(radii.iter().enumerate().map(corner));
    let pose = Affine2::from_angle_translation(turn, center);
    polygon.map_or(Shape::circle(center, 5.0), |polygon| {
        polygon.transformed(&pose)
    })
}

/// A point of the square around `middle`.
fn near(middle: Vec2, reach: f32, dice: &mut fastrand::Rng) -> Vec2 {
    middle + Vec2::new(between(-reach, reach, dice), between(-reach, reach, dice))
}

/// A number of a range.
fn between(low: f32, high: f32, dice: &mut fastrand::Rng) -> f32 {
    low + (high - low) * dice.f32()
}

/// Asks one question about all pairs of such outlines.
fn measure<Answer>(
    criterion: &mut Criterion,
    question: &str,
    pairs: &[[Outline; 2]],
    ask: impl Fn(&Case) -> Answer,
) {
    let mut group = criterion.benchmark_group(question);
    group.throughput(Throughput::Elements(CASES as u64));
    for &outlines in pairs {
        for (how, overlapping) in [("overlapping", true), ("apart", false)] {
            let cases = Case::all(outlines, overlapping);
            let [a, b] = outlines.map(Outline::name);
            group.bench_function(format!("{a} and {b}, {how}"), |bencher| {
                bencher.iter(|| {
                    for case in &cases {
                        black_box(ask(black_box(case)));
                    }
                });
            });
        }
    }
    group.finish();
}

/// Measures all questions.
fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .nresamples(10_000)
        .configure_from_args();
    let criterion = &mut criterion;
    measure(criterion, "contact", &SHAPES, |case| {
        contact(&case.a, &case.b)
    });
    measure(criterion, "distance", &SHAPES, |case| {
        separation(&case.a, &case.b)
    });
    measure(criterion, "cast_shape", &SHAPES, |case| {
        cast_shape(&case.a, case.way, &case.b)
    });
    measure(criterion, "cast_ray", &POINTS, |case| {
        cast_ray(&case.b, case.a.center(), case.way)
    });
    measure(criterion, "contains_point", &POINTS, |case| {
        contains_point(&case.b, case.a.center())
    });
    criterion.final_summary();
}
