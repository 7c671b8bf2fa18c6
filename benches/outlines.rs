//! What polygons of many vertices take.

use std::{f32::consts::TAU, hint::black_box, time::Duration};

use bevy::math::{Affine2, Vec2};
use bevy_thud::geometry::{Shape, cast_ray, contact, contains_point, separation};
use criterion::{Criterion, Throughput};

/// How many vertices the polygons have that questions are asked about.
const SIZES: [usize; 4] = [10, 100, 1000, 10_000];
/// How many vertices the polygons have that are made.
const MADE_SIZES: [usize; 4] = [100, 1000, 5000, 20_000];
/// How many different places questions are asked at.
const PLACES: usize = 256;
/// About how long a side is, in world units.
const SIDE: f32 = 8.0;
/// The radius of the circles near the outlines.
const RADIUS: f32 = 5.0;
/// How far rays go, in world units.
const FAR: f32 = 500.0;

/// What an outline is like.
#[derive(Clone, Copy)]
enum Outline {
    /// A round island with bays.
    Island,
    /// The air between a rough floor and a rough ceiling.
    Tunnel,
    /// Long teeth, one above the other.
    Comb,
    /// A band wound up.
    Spiral,
}

/// A circle at the outline, and a way from its middle.
struct Place {
    circle: Shape,
    way: Vec2,
}

impl Outline {
    const ALL: [Self; 4] = [Self::Island, Self::Tunnel, Self::Comb, Self::Spiral];

    /// Its name in the list of benchmarks.
    fn name(self) -> &'static str {
        match self {
            Self::Island => "island",
            Self::Tunnel => "tunnel",
            Self::Comb => "comb",
            Self::Spiral => "spiral",
        }
    }

    /// Its vertices, this many or two more.
    fn points(self, count: usize) -> Vec<Vec2> {
        let mut dice = fastrand::Rng::with_seed(count as u64);
        let (half, length) = (count / 2, count as f32 * SIDE);
        match self {
            Self::Island => (0..count)
                .map(|i| {
                    let angle = i as f32 / count as f32 * TAU;
                    let bays = (angle * (count as f32 / 30.0).round()).sin();
                    Vec2::from_angle(angle) * length / TAU * (1.0 + bays * 40.0 / length)
                })
                .collect(),
            Self::Tunnel => {
                let floor = rough(half, &mut dice);
                let ceiling = rough(half, &mut dice);
                let air = Vec2::new(0.0, 120.0);
                (floor.into_iter())
                    .chain(ceiling.into_iter().rev().map(|point| point + air))
                    .collect()
            }
            Self::Comb => {
                let teeth = (0..count / 4).flat_map(|tooth| {
                    let y = tooth as f32 * SIDE * 2.0;
                    [
                        (200.0, y),
                        (200.0, y + SIDE),
                        (10.0, y + SIDE),
                        (10.0, y + SIDE * 2.0),
                    ]
                    .map(Vec2::from)
                });
                let back = [Vec2::new(0.0, count as f32 * SIDE), Vec2::ZERO];
                teeth.chain(back).collect()
            }
            Self::Spiral => {
                let arm = |inset: f32| {
                    // A turn is four bands further out than the one before.
                    (0..half).map(move |i| {
                        let turned = (i as f32 * SIDE * TAU / 30.0).sqrt();
                        Vec2::from_angle(turned) * (turned * 60.0 / TAU + 60.0 - inset)
                    })
                };
                arm(0.0).chain(arm(15.0).rev()).collect()
            }
        }
    }

    /// The polygon, turned and moved, with places at its outline.
    fn scene(self, count: usize) -> Option<(Shape, Vec<Place>)> {
        let mut dice = fastrand::Rng::with_seed(7);
        let points = self.points(count);
        let pose = Affine2::from_angle_translation(0.4, Vec2::new(300.0, -200.0));
        let shape = Shape::polygon(points.iter().copied()).ok()?;
        let place = |_| {
            let vertex = points[dice.usize(..points.len())];
            let aside = Vec2::from_angle(dice.f32() * TAU) * dice.f32() * 2.0 * RADIUS;
            Place {
                circle: Shape::circle(pose.transform_point2(vertex + aside), RADIUS),
                way: Vec2::from_angle(dice.f32() * TAU) * FAR,
            }
        };
        let places = (0..PLACES).map(place).collect();
        Some((shape.transformed(&pose), places))
    }
}

/// Points from left to right, up and down at random.
fn rough(count: usize, dice: &mut fastrand::Rng) -> Vec<Vec2> {
    let mut height = 0f32;
    (0..count)
        .map(|i| {
            height = (height + (dice.f32() - 0.5) * 16.0).clamp(-50.0, 50.0);
            Vec2::new(i as f32 * SIDE, height)
        })
        .collect()
}

/// Asks one question at all places at the outlines.
fn measure<Answer>(
    criterion: &mut Criterion,
    question: &str,
    ask: impl Fn(&Shape, &Place) -> Answer,
) {
    let mut group = criterion.benchmark_group(question);
    group.throughput(Throughput::Elements(PLACES as u64));
    for outline in Outline::ALL {
        for count in SIZES {
            let Some((shape, places)) = outline.scene(count) else {
                continue;
            };
            group.bench_function(format!("{} of {count}", outline.name()), |bencher| {
                bencher.iter(|| {
                    for place in &places {
                        black_box(ask(black_box(&shape), black_box(place)));
                    }
                });
            });
        }
    }
    group.finish();
}

/// Makes polygons.
fn measure_making(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outline, made");
    group.sample_size(10);
    for outline in Outline::ALL {
        for count in MADE_SIZES {
            let points = outline.points(count);
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(format!("{} of {count}", outline.name()), |bencher| {
                bencher.iter(|| Shape::polygon(black_box(&points).iter().copied()));
            });
        }
    }
    group.finish();
}

/// Measures all questions.
fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
        .nresamples(1000)
        .configure_from_args();
    let criterion = &mut criterion;
    measure(criterion, "outline, contact", |shape, place| {
        contact(&place.circle, shape)
    });
    measure(criterion, "outline, distance", |shape, place| {
        separation(&place.circle.translated(place.way / 10.0), shape)
    });
    measure(criterion, "outline, ray", |shape, place| {
        cast_ray(shape, place.circle.center(), place.way)
    });
    measure(criterion, "outline, point", |shape, place| {
        contains_point(shape, place.circle.center())
    });
    measure(criterion, "outline, box", |shape, _| shape.aabb());
    measure_making(criterion);
    criterion.final_summary();
}
