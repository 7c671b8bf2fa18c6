//! Benchmarks of polygons with many vertices.

use std::{f32::consts::TAU, hint::black_box, time::Duration};

use bevy::math::{Affine2, Vec2};
use bevy_thud::{
    Collider, PolygonCollider,
    geometry::{Shape, cast_ray, contact, contains_point, separation},
};
use criterion::{Criterion, Throughput};

/// The numbers of vertices of the polygons that are queried.
const QUERY_SIZES: [usize; 4] = [10, 100, 1000, 10_000];
/// The numbers of vertices of the polygons that are created.
const CREATION_SIZES: [usize; 4] = [100, 1000, 5000, 20_000];
/// The number of different inputs for each query.
const INPUTS: usize = 256;
/// The approximate length of an edge, in world units.
const EDGE_LENGTH: f32 = 8.0;
/// The radius of the circles near the outlines, in world units.
const RADIUS: f32 = 5.0;
/// The maximum distance of rays, in world units.
const MAX_DISTANCE: f32 = 500.0;

/// A kind of outline.
#[derive(Clone, Copy)]
enum Outline {
    /// A round island with bays.
    Island,
    /// The space between a rough floor and a rough ceiling.
    Tunnel,
    /// Long teeth, one above another.
    Comb,
    /// A coiled band.
    Spiral,
    /// A plate with square holes: many outlines.
    Sieve,
}

/// The input of a query: a circle at the outline, and the displacement of a ray from its center.
struct QueryInput {
    circle: Shape,
    displacement: Vec2,
}

impl Outline {
    const ALL: [Self; 5] = [
        Self::Island,
        Self::Tunnel,
        Self::Comb,
        Self::Spiral,
        Self::Sieve,
    ];

    /// The name in the list of benchmarks.
    fn name(self) -> &'static str {
        match self {
            Self::Island => "island",
            Self::Tunnel => "tunnel",
            Self::Comb => "comb",
            Self::Spiral => "spiral",
            Self::Sieve => "sieve",
        }
    }

    /// The collider with these vertices.
    fn polygon(self, vertices: &[Vec2]) -> Option<PolygonCollider> {
        let outlines = match self {
            Self::Sieve => vertices.chunks(4),
            _ => vertices.chunks(vertices.len()),
        };
        let points = outlines.map(|outline| outline.iter().copied());
        PolygonCollider::from_outlines(points).ok()
    }

    /// The vertices: about `count` of them.
    fn vertices(self, count: usize) -> Vec<Vec2> {
        let mut rng = fastrand::Rng::with_seed(count as u64);
        let (half, length) = (count / 2, count as f32 * EDGE_LENGTH);
        match self {
            Self::Island => (0..count)
                .map(|i| {
                    let angle = i as f32 / count as f32 * TAU;
                    let bays = (angle * (count as f32 / 30.0).round()).sin();
                    Vec2::from_angle(angle) * length / TAU * (1.0 + bays * 40.0 / length)
                })
                .collect(),
            Self::Tunnel => {
                let floor = rough_line(half, &mut rng);
                let ceiling = rough_line(half, &mut rng);
                let clearance = Vec2::new(0.0, 120.0);
                (floor.into_iter())
                    .chain(ceiling.into_iter().rev().map(|vertex| vertex + clearance))
                    .collect()
            }
            Self::Comb => {
                let teeth = (0..count / 4).flat_map(|tooth| {
                    let y = tooth as f32 * EDGE_LENGTH * 2.0;
                    [
                        (200.0, y),
                        (200.0, y + EDGE_LENGTH),
                        (10.0, y + EDGE_LENGTH),
                        (10.0, y + EDGE_LENGTH * 2.0),
                    ]
                    .map(Vec2::from)
                });
                let back = [Vec2::new(0.0, count as f32 * EDGE_LENGTH), Vec2::ZERO];
                teeth.chain(back).collect()
            }
            Self::Spiral => {
                let arm = |inset: f32| {
                    // Each turn is four bands farther out than the previous one.
                    (0..half).map(move |i| {
                        let angle = (i as f32 * EDGE_LENGTH * TAU / 30.0).sqrt();
                        Vec2::from_angle(angle) * (angle * 60.0 / TAU + 60.0 - inset)
                    })
                };
                arm(0.0).chain(arm(15.0).rev()).collect()
            }
            Self::Sieve => {
                let square = |corner: Vec2, size: f32| {
                    [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y].map(|unit| corner + unit * size)
                };
                let side = (count as f32 / 4.0 - 1.0).max(1.0).sqrt().round() as usize;
                let holes = (0..side * side).map(|number| {
                    let cell = Vec2::new((number % side) as f32, (number / side) as f32);
                    (cell * 2.0 + 1.0) * EDGE_LENGTH
                });
                let plate = square(Vec2::ZERO, (side * 2 + 1) as f32 * EDGE_LENGTH);
                let holes = holes.flat_map(|corner| square(corner, EDGE_LENGTH));
                plate.into_iter().chain(holes).collect()
            }
        }
    }

    /// The polygon, rotated and translated, with inputs at its outline.
    fn scene(self, count: usize) -> Option<(Shape, Vec<QueryInput>)> {
        let mut rng = fastrand::Rng::with_seed(7);
        let vertices = self.vertices(count);
        let pose = Affine2::from_angle_translation(0.4, Vec2::new(300.0, -200.0));
        let shape = self.polygon(&vertices)?.shape();
        let input = |_| {
            let vertex = vertices[rng.usize(..vertices.len())];
            let offset = Vec2::from_angle(rng.f32() * TAU) * rng.f32() * 2.0 * RADIUS;
            QueryInput {
                circle: Shape::circle(pose.transform_point2(vertex + offset), RADIUS),
                displacement: Vec2::from_angle(rng.f32() * TAU) * MAX_DISTANCE,
            }
        };
        let inputs = (0..INPUTS).map(input).collect();
        Some((shape.transformed(&pose), inputs))
    }
}

/// Vertices from left to right, at random heights.
fn rough_line(count: usize, rng: &mut fastrand::Rng) -> Vec<Vec2> {
    let mut height = 0f32;
    (0..count)
        .map(|i| {
            height = (height + (rng.f32() - 0.5) * 16.0).clamp(-50.0, 50.0);
            Vec2::new(i as f32 * EDGE_LENGTH, height)
        })
        .collect()
}

/// Measures one query with all inputs, for all outlines.
fn measure<Output>(
    criterion: &mut Criterion,
    query: &str,
    run: impl Fn(&Shape, &QueryInput) -> Output,
) {
    let mut group = criterion.benchmark_group(query);
    group.throughput(Throughput::Elements(INPUTS as u64));
    for outline in Outline::ALL {
        for count in QUERY_SIZES {
            let Some((shape, inputs)) = outline.scene(count) else {
                continue;
            };
            group.bench_function(format!("{} of {count}", outline.name()), |bencher| {
                bencher.iter(|| {
                    for input in &inputs {
                        black_box(run(black_box(&shape), black_box(input)));
                    }
                });
            });
        }
    }
    group.finish();
}

/// Measures the creation of polygons.
fn measure_creation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outline, creation");
    group.sample_size(10);
    for outline in Outline::ALL {
        for count in CREATION_SIZES {
            let vertices = outline.vertices(count);
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(format!("{} of {count}", outline.name()), |bencher| {
                bencher.iter(|| outline.polygon(black_box(&vertices)));
            });
        }
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
        .nresamples(1000)
        .configure_from_args();
    let criterion = &mut criterion;
    measure(criterion, "outline, contact", |shape, input| {
        contact(&input.circle, shape)
    });
    measure(criterion, "outline, separation", |shape, input| {
        separation(&input.circle.translated(input.displacement / 10.0), shape)
    });
    measure(criterion, "outline, ray", |shape, input| {
        cast_ray(shape, input.circle.center(), input.displacement)
    });
    measure(criterion, "outline, point", |shape, input| {
        contains_point(shape, input.circle.center())
    });
    measure(criterion, "outline, aabb", |shape, _| shape.aabb());
    measure_creation(criterion);
    criterion.final_summary();
}
