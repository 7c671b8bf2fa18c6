//! A grid of a million cells compared with ten walls: rotated ones around a position, and straight
//! ones around a hole.

mod common;

use std::{f32::consts::TAU, hint::black_box};

use bevy::{app::TaskPoolPlugin, ecs::system::SystemState, prelude::*, time::TimePlugin};
use bevy_thud::{
    geometry::{Shape, contact},
    prelude::*,
};
use criterion::{Criterion, Throughput};

/// How many columns and rows the grid has.
const SIDE: u32 = 1024;
/// The width and height of a cell, in world units.
const CELL: f32 = 16.0;
/// How many different questions there are of each kind.
const QUESTIONS: usize = 4096;
const RADIUS: f32 = 5.0;
/// The speed of a mover, in world units per second.
const SPEED: f32 = 120.0;
const SECONDS: f32 = 1.0 / 60.0;
/// How far rays go, in world units.
const FAR: f32 = 500.0;

/// A grid in which one of so many cells, and those around it, are open.
fn grid(solid_per_open: usize, dice: &mut fastrand::Rng) -> TileCollider {
    let solid = vec![true; (SIDE * SIDE) as usize];
    let mut tiles = TileCollider::from_cells(SIDE, solid, Vec2::splat(CELL));
    for _ in 0..(SIDE * SIDE) as usize / solid_per_open {
        let cell = UVec2::new(dice.u32(1..SIDE), dice.u32(1..SIDE));
        for offset in [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE] {
            tiles.set(cell - offset, false);
        }
    }
    tiles
}

/// The middle of a wall of a cell, and how it is turned, in radians.
type Wall = (Vec2, f32);

/// Ten walls about the origin, turned this way and that.
fn ten_turned_walls(dice: &mut fastrand::Rng) -> Vec<Wall> {
    (0..10u8)
        .map(|number| {
            let away = Vec2::from_angle(f32::from(number) / 10.0 * TAU);
            (away * 1.3 * CELL, dice.f32() * TAU)
        })
        .collect()
}

/// Ten walls around a hole of two by two cells, like the cells around such a hole in a grid. Two cells
/// at its corners are left out: nothing inside can touch them.
fn ten_walls_around_a_hole() -> Vec<Wall> {
    let cells = (0..4u8).flat_map(|y| (0..4u8).map(move |x| (x, y)));
    let is_around = |&(x, y): &(u8, u8)| [x, y].into_iter().any(|along| along % 3 == 0);
    cells
        .filter(|cell| is_around(cell) && ![(0, 0), (3, 3)].contains(cell))
        .map(|(x, y)| (cell_from_middle(x, y), 0.0))
        .collect()
}

/// The middle of one of four by four cells around the origin.
fn cell_from_middle(x: u8, y: u8) -> Vec2 {
    CELL * (Vec2::new(x.into(), y.into()) - 1.5)
}

/// Circles in open cells.
fn circles_in(tiles: &TileCollider, dice: &mut fastrand::Rng) -> Vec<Shape> {
    let mut circles = Vec::new();
    while circles.len() < QUESTIONS {
        let cell = UVec2::new(dice.u32(0..SIDE), dice.u32(0..SIDE));
        if !tiles.is_solid(cell) {
            circles.push(circle_near(tiles.cell_center(cell), dice));
        }
    }
    circles
}

fn circle_near(place: Vec2, dice: &mut fastrand::Rng) -> Shape {
    let aside = (Vec2::new(dice.f32(), dice.f32()) - 0.5) * (CELL - 2.0 * RADIUS);
    Shape::circle(place + aside, RADIUS)
}

/// An app that knows some colliders.
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

/// Measures the step of a mover, the test of a circle and a ray, from the places of circles.
fn measure(
    criterion: &mut Criterion,
    among: &str,
    mut app: App,
    walls: &[Shape],
    circles: &[Shape],
) {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let Ok(query) = state.get(app.world()) else {
        return;
    };
    let mut dice = fastrand::Rng::with_seed(1);
    let all = SpatialQueryFilter::default();
    let mut group = criterion.benchmark_group(among);
    group.throughput(Throughput::Elements(circles.len() as u64));
    let mut direction = move || Vec2::from_angle(dice.f32() * TAU);
    group.bench_function("a mover's step", |bencher| {
        bencher.iter(|| {
            for circle in circles {
                let mover = Mover::with_velocity(direction() * SPEED);
                black_box(query.move_and_slide(circle, &mover, SECONDS, &all));
            }
        });
    });
    group.bench_function("a circle's test", |bencher| {
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
                black_box(query.cast_ray(ray, FAR, &all));
            }
        });
    });
    group.finish();
}

/// Measures all scenes.
fn main() {
    let mut criterion = common::criterion();
    let mut dice = fastrand::Rng::with_seed(QUESTIONS as u64);
    let circles: Vec<Shape> = (0..QUESTIONS)
        .map(|_| circle_near(Vec2::ZERO, &mut dice))
        .collect();
    let turned = ten_turned_walls(&mut dice);
    measure_walls(&mut criterion, "ten turned walls", &turned, &circles);
    let circles: Vec<Shape> = (0..QUESTIONS)
        .map(|_| {
            let open = cell_from_middle(dice.u8(1..3), dice.u8(1..3));
            circle_near(open, &mut dice)
        })
        .collect();
    let around = ten_walls_around_a_hole();
    measure_walls(&mut criterion, "ten walls around a hole", &around, &circles);
    for (name, solid_per_open) in [("solid with holes", 1000), ("caves", 4)] {
        let tiles = grid(solid_per_open, &mut dice);
        let circles = circles_in(&tiles, &mut dice);
        let shape = [tiles.shape()];
        let name = format!("a million cells, {name}");
        measure(&mut criterion, &name, app_with([tiles]), &shape, &circles);
    }
    measure_edits(&mut criterion, &mut dice);
    criterion.final_summary();
}

/// Measures all that among walls.
fn measure_walls(criterion: &mut Criterion, among: &str, walls: &[Wall], circles: &[Shape]) {
    let colliders = walls.iter().map(|&(place, turn)| {
        let transform = Transform::from_translation(place.extend(0.0));
        (
            RectCollider::new(CELL, CELL),
            transform.with_rotation(Quat::from_rotation_z(turn)),
        )
    });
    let shapes: Vec<Shape> = (walls.iter())
        .map(|&(place, turn)| Shape::rect(place, Vec2::splat(CELL), Rot2::radians(turn)))
        .collect();
    measure(criterion, among, app_with(colliders), &shapes, circles);
}

/// Measures setting a cell while the index shares the grid, as in a game.
fn measure_edits(criterion: &mut Criterion, dice: &mut fastrand::Rng) {
    let mut tiles = grid(4, dice);
    criterion.bench_function("a million cells/an edit", |bencher| {
        bencher.iter(|| {
            let shared = tiles.shape();
            let cell = UVec2::new(dice.u32(0..SIDE), dice.u32(0..SIDE));
            tiles.set(cell, !tiles.is_solid(cell));
            black_box(shared);
        });
    });
}
