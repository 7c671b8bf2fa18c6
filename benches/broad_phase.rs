//! The broad phase alone, on one thread: refreshing moved boxes, listing pairs, and visiting the
//! boxes that overlap one.

#[path = "../src/aabb.rs"]
#[allow(dead_code, reason = "it belongs to the library")]
mod aabb;
#[path = "../src/broad_phase/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "it belongs to the library, and its tests come along"
)]
mod broad_phase;
mod common;
#[path = "../src/parallel.rs"]
#[allow(dead_code, reason = "it belongs to the library")]
mod parallel;
#[cfg(test)]
#[path = "../src/strategies.rs"]
#[allow(dead_code, reason = "the tests of the broad phase draw from it")]
mod strategies;

use std::{
    f32::consts::TAU,
    hint::black_box,
    time::{Duration, Instant},
};

use aabb::merge;
use bevy::math::{Rot2, Vec2, bounding::Aabb2d};
use bevy_thud::geometry::Shape;
use broad_phase::{
    BoxTree, BroadPhase, BroadPhaseItems, EMPTY, OldIndex, OrientedSlab, PairSearch, PairTask,
    permute,
};
use common::{
    COUNTS, FRAMES, WARM_UP,
    scenes::{
        Body, Kind, Outline,
        among_walls::{self, RADIUS, WALLS},
    },
};
use criterion::{BenchmarkId, Criterion, Throughput};

/// The length of a frame.
const SECONDS: f32 = 1.0 / 60.0;
/// A strip is worth a test if the box is so many times as wide.
const STRIPS_PER_BOX: f32 = 4.0;
/// How many boxes visit the walls.
const VISITORS: usize = 2000;

/// Boxes, and what is in them.
#[derive(Clone, Default)]
struct Boxes {
    aabbs: Vec<Aabb2d>,
    riders: Vec<Rider>,
    taken_aabbs: Vec<Aabb2d>,
    taken_riders: Vec<Rider>,
}

/// What is in a box.
#[derive(Clone)]
struct Rider {
    /// Where it was when the scene began.
    number: usize,
    velocity: Vec2,
    strip: Option<OrientedSlab>,
    seconds_left: f32,
}

impl Boxes {
    /// Those of a scene's colliders.
    fn of(bodies: &[Body]) -> Self {
        let mut boxes = Self::default();
        for (body, shape) in colliders(bodies) {
            boxes.riders.push(Rider {
                number: boxes.aabbs.len(),
                velocity: body.velocity,
                strip: strip_of(&body, &shape),
                seconds_left: body.seconds_to_live.unwrap_or(f32::INFINITY),
            });
            boxes.aabbs.push(shape.aabb());
        }
        boxes
    }

    /// Moves a box by a frame's way; tells whether it differs.
    fn advance(&mut self, place: usize) -> bool {
        let step = self.riders[place].velocity * SECONDS;
        let aabb = &mut self.aabbs[place];
        (aabb.min, aabb.max) = (aabb.min + step, aabb.max + step);
        step != Vec2::ZERO
    }
}

impl BroadPhaseItems for Boxes {
    fn len(&self) -> usize {
        self.aabbs.len()
    }

    fn aabb(&self, place: usize) -> Aabb2d {
        self.aabbs[place]
    }

    fn slab(&self, place: usize) -> Option<OrientedSlab> {
        self.riders[place].strip
    }

    fn permute(&mut self, order: &[OldIndex]) {
        permute(&mut self.aabbs, order, &mut self.taken_aabbs);
        permute(&mut self.riders, order, &mut self.taken_riders);
    }
}

/// The bodies of a scene that are colliders, as they are in the world, with their shapes.
fn colliders(bodies: &[Body]) -> Vec<(Body, Shape)> {
    let mut in_world: Vec<Body> = Vec::with_capacity(bodies.len());
    for &body in bodies {
        in_world.push(
            body.parent
                .map_or(body, |parent| carried(body, &in_world[parent])),
        );
    }
    let with_shape = |body| Some((body, shape_of(&body)?));
    in_world.into_iter().filter_map(with_shape).collect()
}

/// A body as its parent carries it.
fn carried(body: Body, parent: &Body) -> Body {
    Body {
        position: parent.position + Rot2::radians(parent.angle) * body.position,
        angle: parent.angle + body.angle,
        velocity: parent.velocity,
        ..body
    }
}

/// The shape of a body in the world, if it is a collider.
fn shape_of(body: &Body) -> Option<Shape> {
    Some(match body.outline? {
        Outline::Circle(radius) => Shape::circle(body.position, radius),
        Outline::Rect(size) => Shape::rect(body.position, size, Rot2::radians(body.angle)),
    })
}

/// The strip around a long rectangle that rests, as the library has it.
fn strip_of(body: &Body, shape: &Shape) -> Option<OrientedSlab> {
    let Some(Outline::Rect(size)) = body.outline.filter(|_| !body.moves()) else {
        return None;
    };
    let across = if size.x < size.y { Vec2::X } else { Vec2::Y };
    let normal = Rot2::radians(body.angle) * across;
    let half_width = size.min_element() / 2.0;
    let Aabb2d { min, max } = shape.aabb();
    let is_long = (max - min).min_element() / 2.0 > STRIPS_PER_BOX * half_width;
    is_long.then_some(OrientedSlab {
        normal,
        offset: normal.dot(body.position),
        half_width,
    })
}

/// A scene with its broad phase.
struct World {
    start: Boxes,
    boxes: Boxes,
    tree: BoxTree,
    frame: usize,
    search: PairSearch,
    tasks: Vec<PairTask>,
    pairs: Vec<(u32, u32)>,
}

impl World {
    /// The scene after its first frames.
    fn of(bodies: &[Body]) -> Self {
        let mut world = Self {
            start: Boxes::of(bodies),
            boxes: Boxes::default(),
            tree: BoxTree::default(),
            frame: 0,
            search: PairSearch::default(),
            tasks: Vec::new(),
            pairs: Vec::new(),
        };
        world.begin();
        world
    }

    /// Puts everything where it was at first, and lets the first frames pass.
    fn begin(&mut self) {
        self.frame = 0;
        self.boxes.clone_from(&self.start);
        self.tree.clear();
        (0..self.boxes.len() as u32).for_each(|place| self.tree.dirty().insert(place));
        self.refresh();
        for _ in 0..WARM_UP {
            self.advance();
            self.refresh();
        }
    }

    /// Moves everything by a frame's way, and marks what moved.
    fn advance(&mut self) {
        if self.frame == WARM_UP + FRAMES {
            self.begin();
        }
        self.frame += 1;
        self.tree.clear_moved();
        for place in 0..self.boxes.len() {
            self.boxes.riders[place].seconds_left -= SECONDS;
            if self.boxes.riders[place].seconds_left < 0.0 {
                self.begin_again(place);
            } else if self.boxes.advance(place) {
                self.tree.dirty().insert(place as u32);
            }
        }
    }

    /// Puts what is at a place to where it was at first, as something new.
    fn begin_again(&mut self, place: usize) {
        let Boxes { aabbs, riders, .. } = &mut self.boxes;
        let number = riders[place].number;
        self.tree.dirty().insert(place as u32);
        self.tree.dirty().insert(aabbs.len() as u32);
        aabbs[place] = EMPTY;
        riders[place] = Rider {
            number,
            velocity: Vec2::ZERO,
            strip: None,
            seconds_left: f32::INFINITY,
        };
        aabbs.push(self.start.aabbs[number]);
        riders.push(self.start.riders[number].clone());
    }

    /// Takes in what is marked.
    fn refresh(&mut self) {
        self.tree.refresh(&mut self.boxes);
    }

    /// Lists the pairs of which one is marked.
    fn list_pairs(&mut self) {
        let Self {
            tree,
            search,
            tasks,
            pairs,
            ..
        } = self;
        tasks.clear();
        pairs.clear();
        tree.split(search, tasks);
        for task in tasks.iter() {
            tree.list_pairs(task, &self.boxes, search, pairs);
        }
        black_box(pairs);
    }
}

/// The time of `work` in so many frames, each of which is prepared before.
fn time_frames(
    frames: u64,
    world: &mut World,
    prepare: fn(&mut World),
    work: fn(&mut World),
) -> Duration {
    let mut time = Duration::ZERO;
    for _ in 0..frames {
        prepare(world);
        let start = Instant::now();
        work(world);
        time += start.elapsed();
    }
    time
}

/// Takes in what moved, and lists the pairs.
fn measure_scene(criterion: &mut Criterion, kind: Kind, count: usize) {
    let mut group = criterion.benchmark_group(format!("broad phase, {}", kind.name()));
    let mut world = None;
    group.bench_function(BenchmarkId::new("refresh", count), |bencher| {
        let world = world.get_or_insert_with(|| World::of(&kind.bodies(count)));
        bencher.iter_custom(|frames| time_frames(frames, world, World::advance, World::refresh));
    });
    let prepare = |world: &mut World| {
        world.advance();
        world.refresh();
    };
    group.bench_function(BenchmarkId::new("pairs", count), |bencher| {
        let world = world.get_or_insert_with(|| World::of(&kind.bodies(count)));
        bencher.iter_custom(|frames| time_frames(frames, world, prepare, World::list_pairs));
    });
    group.finish();
}

/// Visits walls around the ways of circles of radius 5 that go 2 units.
fn measure_visits(criterion: &mut Criterion) {
    let world = World::of(&among_walls::walls());
    let mut dice = fastrand::Rng::with_seed(VISITORS as u64);
    let areas: Vec<Aabb2d> = std::iter::repeat_with(|| {
        let circle = Shape::circle(among_walls::place(&mut dice), RADIUS);
        let way = Vec2::from_angle(dice.f32() * TAU) * 2.0;
        merge(&circle.aabb(), &circle.translated(way).aabb())
    })
    .take(VISITORS)
    .collect();
    let mut group = criterion.benchmark_group("broad phase, walls");
    group.throughput(Throughput::Elements(VISITORS as u64));
    group.bench_function(BenchmarkId::new("visit_overlapping", WALLS), |bencher| {
        bencher.iter(|| {
            for area in &areas {
                world.tree.visit_overlapping(area, |place| {
                    black_box(place);
                });
            }
        });
    });
    group.finish();
}

/// Measures all scenes, and the visits.
fn main() {
    let mut criterion = common::criterion();
    for count in COUNTS {
        for kind in Kind::ALL {
            measure_scene(&mut criterion, kind, count);
        }
    }
    measure_visits(&mut criterion);
    criterion.final_summary();
}
