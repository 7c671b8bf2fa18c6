//! Benchmarks of the broad phase alone, on one thread: refreshing moved boxes, listing pairs, and
//! area queries.

#[path = "../src/aabb.rs"]
#[allow(dead_code, unused_imports, reason = "a module of the library")]
mod aabb;
#[path = "../src/broad_phase/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "a module of the library, included with its tests"
)]
mod broad_phase;
mod common;
#[path = "../src/parallel.rs"]
#[allow(dead_code, reason = "a module of the library")]
mod parallel;
#[cfg(test)]
#[path = "../src/strategies.rs"]
#[allow(dead_code, reason = "used by the tests of the broad phase")]
mod strategies;

use std::{
    f32::consts::TAU,
    hint::black_box,
    time::{Duration, Instant},
};

use aabb::{Aabb2d, merge};
use bevy::math::{Rot2, Vec2};
use bevy_thud::geometry::Shape;
use broad_phase::{
    BoxTree, BroadPhase, BroadPhaseItems, EMPTY, OldIndex, OrientedSlab, PairSearch, PairTask,
    permute,
};
use common::{
    COUNTS, FRAMES, WARM_UP,
    scenes::{
        Body, ColliderShape, SceneKind,
        among_walls::{self, RADIUS, WALLS},
    },
};
use criterion::{BenchmarkId, Criterion, Throughput};

/// The simulated duration of a frame.
const DELTA_SECS: f32 = 1.0 / 60.0;
/// A rectangle has a slab if both sides of its box are this many times as wide as the slab.
const SLABS_PER_BOX: f32 = 4.0;
/// The number of area queries among the walls.
const QUERY_AREAS: usize = 2000;

/// The items of the broad phase.
#[derive(Clone, Default)]
struct SceneItems {
    aabbs: Vec<Aabb2d>,
    states: Vec<ItemState>,
    spare_aabbs: Vec<Aabb2d>,
    spare_states: Vec<ItemState>,
}

/// An item apart from its box.
#[derive(Clone)]
struct ItemState {
    /// The index of the item in the initial state of the scene.
    initial_index: usize,
    velocity: Vec2,
    slab: Option<OrientedSlab>,
    seconds_left: f32,
}

impl SceneItems {
    /// The colliders of a scene.
    fn of(bodies: &[Body]) -> Self {
        let mut items = Self::default();
        for (body, shape) in colliders(bodies) {
            items.states.push(ItemState {
                initial_index: items.aabbs.len(),
                velocity: body.velocity,
                slab: slab_of(&body, &shape),
                seconds_left: body.seconds_to_live.unwrap_or(f32::INFINITY),
            });
            items.aabbs.push(shape.aabb());
        }
        items
    }

    /// Moves a box by the displacement of a frame, and returns whether it has changed.
    fn advance(&mut self, index: usize) -> bool {
        let displacement = self.states[index].velocity * DELTA_SECS;
        let aabb = &mut self.aabbs[index];
        (aabb.min, aabb.max) = (aabb.min + displacement, aabb.max + displacement);
        displacement != Vec2::ZERO
    }
}

impl BroadPhaseItems for SceneItems {
    fn len(&self) -> usize {
        self.aabbs.len()
    }

    fn aabb(&self, index: usize) -> Aabb2d {
        self.aabbs[index]
    }

    fn slab(&self, index: usize) -> Option<OrientedSlab> {
        self.states[index].slab
    }

    fn permute(&mut self, order: &[OldIndex]) {
        permute(&mut self.aabbs, order, &mut self.spare_aabbs);
        permute(&mut self.states, order, &mut self.spare_states);
    }
}

/// The bodies of a scene that have colliders, in world space, with their shapes.
fn colliders(bodies: &[Body]) -> Vec<(Body, Shape)> {
    let mut in_world: Vec<Body> = Vec::with_capacity(bodies.len());
    for &body in bodies {
        in_world.push(
            body.parent
                .map_or(body, |parent| in_world_space(body, &in_world[parent])),
        );
    }
    let with_shape = |body| Some((body, shape_of(&body)?));
    in_world.into_iter().filter_map(with_shape).collect()
}

/// A child in world space.
fn in_world_space(body: Body, parent: &Body) -> Body {
    Body {
        position: parent.position + Rot2::radians(parent.angle) * body.position,
        angle: parent.angle + body.angle,
        velocity: parent.velocity,
        ..body
    }
}

/// The shape of a body in world space, or `None` if it has no collider.
fn shape_of(body: &Body) -> Option<Shape> {
    Some(match body.shape? {
        ColliderShape::Circle(radius) => Shape::circle(body.position, radius),
        ColliderShape::Rect(size) => Shape::rect(body.position, size, Rot2::radians(body.angle)),
    })
}

/// The slab around a long resting rectangle, as in the library.
fn slab_of(body: &Body, shape: &Shape) -> Option<OrientedSlab> {
    let Some(ColliderShape::Rect(size)) = body.shape.filter(|_| !body.moves()) else {
        return None;
    };
    let across = if size.x < size.y { Vec2::X } else { Vec2::Y };
    let normal = Rot2::radians(body.angle) * across;
    let half_width = size.min_element() / 2.0;
    let Aabb2d { min, max } = shape.aabb();
    let is_long = (max - min).min_element() / 2.0 > SLABS_PER_BOX * half_width;
    is_long.then_some(OrientedSlab {
        normal,
        offset: normal.dot(body.position),
        half_width,
    })
}

/// A scene with its broad phase.
struct Scene {
    initial_items: SceneItems,
    items: SceneItems,
    tree: BoxTree,
    frame: usize,
    search: PairSearch,
    tasks: Vec<PairTask>,
    pairs: Vec<(u32, u32)>,
}

impl Scene {
    /// The scene after the warm-up.
    fn new(bodies: &[Body]) -> Self {
        let mut scene = Self {
            initial_items: SceneItems::of(bodies),
            items: SceneItems::default(),
            tree: BoxTree::default(),
            frame: 0,
            search: PairSearch::default(),
            tasks: Vec::new(),
            pairs: Vec::new(),
        };
        scene.reset();
        scene
    }

    /// Restores the initial state, and runs the warm-up.
    fn reset(&mut self) {
        self.frame = 0;
        self.items.clone_from(&self.initial_items);
        self.tree.clear();
        (0..self.items.len() as u32).for_each(|index| self.tree.dirty().insert(index));
        self.refresh();
        for _ in 0..WARM_UP {
            self.advance();
            self.refresh();
        }
    }

    /// Moves all items by the displacement of a frame, and marks those that have changed.
    fn advance(&mut self) {
        if self.frame == WARM_UP + FRAMES {
            self.reset();
        }
        self.frame += 1;
        self.tree.clear_moved();
        for index in 0..self.items.len() {
            self.items.states[index].seconds_left -= DELTA_SECS;
            if self.items.states[index].seconds_left < 0.0 {
                self.respawn(index);
            } else if self.items.advance(index) {
                self.tree.dirty().insert(index as u32);
            }
        }
    }

    /// Removes an item, and appends a new one in its initial state.
    fn respawn(&mut self, index: usize) {
        let SceneItems { aabbs, states, .. } = &mut self.items;
        let initial_index = states[index].initial_index;
        self.tree.dirty().insert(index as u32);
        self.tree.dirty().insert(aabbs.len() as u32);
        aabbs[index] = EMPTY;
        states[index] = ItemState {
            initial_index,
            velocity: Vec2::ZERO,
            slab: None,
            seconds_left: f32::INFINITY,
        };
        aabbs.push(self.initial_items.aabbs[initial_index]);
        states.push(self.initial_items.states[initial_index].clone());
    }

    /// Syncs the marked items.
    fn refresh(&mut self) {
        self.tree.refresh(&mut self.items);
    }

    /// Lists the pairs of which at least one item has moved.
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
            tree.list_pairs(task, &self.items, search, pairs);
        }
        black_box(pairs);
    }
}

/// The duration of `work` in this many frames, each prepared by `prepare`, which is not timed.
fn time_frames(
    frames: u64,
    scene: &mut Scene,
    prepare: fn(&mut Scene),
    work: fn(&mut Scene),
) -> Duration {
    let mut time = Duration::ZERO;
    for _ in 0..frames {
        prepare(scene);
        let start = Instant::now();
        work(scene);
        time += start.elapsed();
    }
    time
}

/// Measures the refresh and the listing of pairs.
fn measure_scene(criterion: &mut Criterion, kind: SceneKind, count: usize) {
    let mut group = criterion.benchmark_group(format!("broad phase, {}", kind.name()));
    let mut scene = None;
    group.bench_function(BenchmarkId::new("refresh", count), |bencher| {
        let scene = scene.get_or_insert_with(|| Scene::new(&kind.bodies(count)));
        bencher.iter_custom(|frames| time_frames(frames, scene, Scene::advance, Scene::refresh));
    });
    let prepare = |scene: &mut Scene| {
        scene.advance();
        scene.refresh();
    };
    group.bench_function(BenchmarkId::new("pairs", count), |bencher| {
        let scene = scene.get_or_insert_with(|| Scene::new(&kind.bodies(count)));
        bencher.iter_custom(|frames| time_frames(frames, scene, prepare, Scene::list_pairs));
    });
    group.finish();
}

/// Measures area queries with the swept areas of circles of radius 5 that move 2 units.
fn measure_area_queries(criterion: &mut Criterion) {
    let scene = Scene::new(&among_walls::walls());
    let mut rng = fastrand::Rng::with_seed(QUERY_AREAS as u64);
    let areas: Vec<Aabb2d> = std::iter::repeat_with(|| {
        let circle = Shape::circle(among_walls::random_position(&mut rng), RADIUS);
        let displacement = Vec2::from_angle(rng.f32() * TAU) * 2.0;
        merge(&circle.aabb(), &circle.translated(displacement).aabb())
    })
    .take(QUERY_AREAS)
    .collect();
    let mut group = criterion.benchmark_group("broad phase, walls");
    group.throughput(Throughput::Elements(QUERY_AREAS as u64));
    group.bench_function(BenchmarkId::new("visit_overlapping", WALLS), |bencher| {
        bencher.iter(|| {
            for area in &areas {
                scene.tree.visit_overlapping(area, |index| {
                    black_box(index);
                });
            }
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = common::criterion();
    for count in COUNTS {
        for kind in SceneKind::ALL {
            measure_scene(&mut criterion, kind, count);
        }
    }
    measure_area_queries(&mut criterion);
    criterion.final_summary();
}
