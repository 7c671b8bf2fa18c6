//! Benchmarks of a grid of a million cells compared with ten walls: rotated ones around a position,
//! and unrotated ones around a hole.

mod common;

use std::{f32::consts::TAU, hint::black_box};

use bevy::{app::TaskPoolPlugin, ecs::system::SystemState, prelude::*, time::TimePlugin};
use bevy_thud::{
    geometry::{Shape, contact},
    prelude::*,
};
use criterion::{Criterion, Throughput};

/// The number of columns and rows of the grid.
const GRID_SIZE: u32 = 1024;
/// The width and height of a cell, in world units.
const CELL_SIZE: f32 = 16.0;
/// The number of different circles.
const CIRCLES: usize = 4096;
/// The radius of a circle, in world units.
const RADIUS: f32 = 5.0;
/// The speed of a mover, in world units per second.
const SPEED: f32 = 120.0;
/// The simulated duration of a step of a mover.
const DELTA_SECS: f32 = 1.0 / 60.0;
/// The maximum distance of rays, in world units.
const MAX_DISTANCE: f32 = 500.0;

/// A solid grid with holes of two by two cells, one for every `cells_per_hole` cells.
fn grid(cells_per_hole: usize, rng: &mut fastrand::Rng) -> TileCollider {
    let solid = vec![true; (GRID_SIZE * GRID_SIZE) as usize];
    let mut tiles = TileCollider::from_cells(GRID_SIZE, solid, Vec2::splat(CELL_SIZE));
    for _ in 0..(GRID_SIZE * GRID_SIZE) as usize / cells_per_hole {
        let cell = UVec2::new(rng.u32(1..GRID_SIZE), rng.u32(1..GRID_SIZE));
        for offset in [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE] {
            tiles.set(cell - offset, false);
        }
    }
    tiles
}

/// The center of a wall as large as a cell, and its angle in radians.
type Wall = (Vec2, f32);

/// Ten walls around the origin, rotated at random.
fn ten_rotated_walls(rng: &mut fastrand::Rng) -> Vec<Wall> {
    (0..10u8)
        .map(|index| {
            let direction = Vec2::from_angle(f32::from(index) / 10.0 * TAU);
            (direction * 1.3 * CELL_SIZE, rng.f32() * TAU)
        })
        .collect()
}

/// Ten walls around a hole of two by two cells, like the cells around such a hole in a grid. Two
/// cells at its corners are left out: nothing inside can touch them.
fn ten_walls_around_a_hole() -> Vec<Wall> {
    let cells = (0..4u8).flat_map(|y| (0..4u8).map(move |x| (x, y)));
    let is_around = |&(x, y): &(u8, u8)| [x, y].into_iter().any(|coordinate| coordinate % 3 == 0);
    cells
        .filter(|cell| is_around(cell) && ![(0, 0), (3, 3)].contains(cell))
        .map(|(x, y)| (centered_cell(x, y), 0.0))
        .collect()
}

/// The center of one of four by four cells around the origin.
fn centered_cell(x: u8, y: u8) -> Vec2 {
    CELL_SIZE * (Vec2::new(x.into(), y.into()) - 1.5)
}

/// Circles in open cells.
fn circles_in(tiles: &TileCollider, rng: &mut fastrand::Rng) -> Vec<Shape> {
    let mut circles = Vec::new();
    while circles.len() < CIRCLES {
        let cell = UVec2::new(rng.u32(0..GRID_SIZE), rng.u32(0..GRID_SIZE));
        if !tiles.is_solid(cell) {
            circles.push(circle_in_cell(tiles.cell_center(cell), rng));
        }
    }
    circles
}

/// A circle in the open cell with this center.
fn circle_in_cell(center: Vec2, rng: &mut fastrand::Rng) -> Shape {
    let offset = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * (CELL_SIZE - 2.0 * RADIUS);
    Shape::circle(center + offset, RADIUS)
}

/// An app with these colliders in its index.
fn app_with<B: Bundle>(colliders: impl IntoIterator<Item = B>) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    for collider in colliders {
        app.world_mut().spawn((collider, Solid));
    }
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Measures the step of a mover, the contact of a circle, and a ray, at the positions of circles.
fn measure(
    criterion: &mut Criterion,
    name: &str,
    mut app: App,
    walls: &[Shape],
    circles: &[Shape],
) {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let Ok(query) = state.get(app.world()) else {
        return;
    };
    let mut rng = fastrand::Rng::with_seed(1);
    let all = SpatialQueryFilter::default();
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(circles.len() as u64));
    let mut direction = move || Vec2::from_angle(rng.f32() * TAU);
    group.bench_function("a mover's step", |bencher| {
        bencher.iter(|| {
            for circle in circles {
                let mover = Mover::with_velocity(direction() * SPEED);
                black_box(query.move_and_slide(circle, &mover, DELTA_SECS, &all));
            }
        });
    });
    group.bench_function("a circle's contact", |bencher| {
        bencher.iter(|| {
            for circle in circles {
                walls
                    .iter()
                    .for_each(|wall| _ = black_box(contact(circle, wall)));
            }
        });
    });
    group.bench_function("a ray of 500 units", |bencher| {
        bencher.iter(|| {
            for circle in circles {
                let ray = Ray2d::new(circle.center(), Dir2::new_unchecked(Vec2::X));
                black_box(query.cast_ray(ray, MAX_DISTANCE, &all));
            }
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = common::criterion();
    let mut rng = fastrand::Rng::with_seed(CIRCLES as u64);
    let circles: Vec<Shape> = (0..CIRCLES)
        .map(|_| circle_in_cell(Vec2::ZERO, &mut rng))
        .collect();
    let rotated = ten_rotated_walls(&mut rng);
    measure_walls(&mut criterion, "ten rotated walls", &rotated, &circles);
    let circles: Vec<Shape> = (0..CIRCLES)
        .map(|_| {
            let center = centered_cell(rng.u8(1..3), rng.u8(1..3));
            circle_in_cell(center, &mut rng)
        })
        .collect();
    let around = ten_walls_around_a_hole();
    measure_walls(&mut criterion, "ten walls around a hole", &around, &circles);
    for (name, cells_per_hole) in [("solid with holes", 1000), ("caves", 4)] {
        let tiles = grid(cells_per_hole, &mut rng);
        let circles = circles_in(&tiles, &mut rng);
        let shape = [tiles.shape()];
        let name = format!("a million cells, {name}");
        measure(&mut criterion, &name, app_with([tiles]), &shape, &circles);
    }
    measure_edits(&mut criterion, &mut rng);
    criterion.final_summary();
}

/// Measures the same among walls.
fn measure_walls(criterion: &mut Criterion, name: &str, walls: &[Wall], circles: &[Shape]) {
    let colliders = walls.iter().map(|&(center, angle)| {
        let transform = Transform::from_translation(center.extend(0.0));
        (
            RectCollider::new(CELL_SIZE, CELL_SIZE),
            transform.with_rotation(Quat::from_rotation_z(angle)),
        )
    });
    let shapes: Vec<Shape> = (walls.iter())
        .map(|&(center, angle)| Shape::rect(center, Vec2::splat(CELL_SIZE), Rot2::radians(angle)))
        .collect();
    measure(criterion, name, app_with(colliders), &shapes, circles);
}

/// Measures an edit of a cell while the index shares the grid, as in a game.
fn measure_edits(criterion: &mut Criterion, rng: &mut fastrand::Rng) {
    let mut tiles = grid(4, rng);
    criterion.bench_function("a million cells/an edit", |bencher| {
        bencher.iter(|| {
            let shared = tiles.shape();
            let cell = UVec2::new(rng.u32(0..GRID_SIZE), rng.u32(0..GRID_SIZE));
            tiles.set(cell, !tiles.is_solid(cell));
            black_box(shared);
        });
    });
}
