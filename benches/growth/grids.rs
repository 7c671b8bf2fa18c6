//! Grids of cells.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};
use fastrand::Rng;

use super::{Measure, Scene, rest, spawn_grid};

pub static SCENES: [Scene; 4] = [
    Scene {
        name: "shape_intersections at noisy ground, by radius in cells",
        sizes: [8, 16, 32, 64],
        spawn: |world, size| {
            spawn_noise(world);
            world.insert_resource(Radius(size as f32));
        },
        step: rest,
        measure: Measure::Call(|world, frame| {
            let radius = world.resource::<Radius>().0;
            time_query(world, |query| {
                let center = Vec2::new((frame % 7) as f32, 0.5);
                let shape = Shape::circle(center, radius);
                query
                    .shape_intersections(&shape, &SpatialQueryFilter::default())
                    .len()
            })
        }),
    },
    Scene {
        name: "one cell is set while objects rest on the map",
        sizes: [1_250, 2_500, 5_000, 10_000],
        spawn: |world, size| {
            let columns = 10 * ((size as f32).sqrt() as u32 + 2);
            // A floor below each row of objects.
            let cells = (0..columns * columns).map(|cell| (cell / columns).is_multiple_of(10));
            let width = columns as f32;
            let map = TileCollider::from_cells(columns, cells, Vec2::ONE);
            let center = Transform::from_xyz(width / 2.0 - 10.0, width / 2.0 - 10.0, 0.0);
            world.spawn((map, center));
            spawn_grid(world, size, ());
        },
        step: |world, _, frame| {
            let mut maps = world.query::<&mut TileCollider>();
            for mut map in maps.iter_mut(world) {
                map.set(UVec2::splat(15), frame.is_multiple_of(2));
            }
        },
        measure: Measure::Update,
    },
    Scene {
        name: "project_point above noisy ground, by distance in cells",
        sizes: [12, 48, 192, 768],
        spawn: |world, size| {
            // A valley of that depth.
            let mut rng = Rng::with_seed(1);
            let cells = (0..4096 * 2048).map(|cell| cell / 4096 >= 2 * size && rng.bool());
            world.spawn(TileCollider::from_cells(4096, cells, Vec2::ONE));
            world.insert_resource(Radius(size as f32));
        },
        step: rest,
        measure: Measure::Call(|world, frame| {
            let height = 1024.0 - world.resource::<Radius>().0;
            time_query(world, |query| {
                let point = Vec2::new((frame % 7) as f32, height);
                let nearest =
                    query.project_point(point, f32::INFINITY, &SpatialQueryFilter::default());
                usize::from(nearest.is_some())
            })
        }),
    },
    Scene {
        name: "the edges of a noisy map of this width",
        sizes: [512, 1_024, 2_048, 4_096],
        spawn: |world, size| {
            let mut rng = Rng::with_seed(1);
            let cells = (0..size * size).map(|_| rng.u8(..) == 0);
            world.spawn(TileCollider::from_cells(size as u32, cells, Vec2::ONE));
        },
        step: rest,
        measure: Measure::Call(|world, _| {
            let mut maps = world.query::<&TileCollider>();
            let tiles = maps.single(world).expect("it was spawned").tiles();
            let start = Instant::now();
            black_box(tiles.edges().count());
            start.elapsed()
        }),
    },
];

/// The size of what is asked.
#[derive(Resource)]
struct Radius(f32);

/// A map of 1,024 by 512 cells of size 1, half of which are solid, around the origin.
fn spawn_noise(world: &mut World) {
    let mut rng = Rng::with_seed(1);
    let cells = (0..1024 * 512).map(|_| rng.bool());
    world.spawn(TileCollider::from_cells(1024, cells, Vec2::ONE));
}

/// The time of one of several equal queries.
fn time_query(world: &mut World, ask: impl Fn(&SpatialQuery) -> usize) -> Duration {
    let mut query = SystemState::<SpatialQuery>::new(world);
    let query = query.get(world).expect("the plugin is there");
    let start = Instant::now();
    for _ in 0..4 {
        black_box(ask(&query));
    }
    start.elapsed() / 4
}
