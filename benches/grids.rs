//! What a grid of a million cells takes, beside ten walls.

mod common;

use std::{f32::consts::TAU, hint::black_box};

use bevy::{
    app::TaskPoolPlugin, ecs::system::SystemState, math::Affine2, prelude::*, time::TimePlugin,
};
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

/// Ten walls of a cell each around a hole of two by two: as the cells around such a hole in a grid, but for two at its corners, which
/// nothing in it can touch.
fn ten_walls() -> Vec<(RectCollider, Transform)> {
    let cells = (0..4u8).flat_map(|y| (0..4u8).map(move |x| (x, y)));
    let is_around = |&(x, y): &(u8, u8)| [x, y].into_iter().any(|along| along % 3 == 0);
    let walls = cells.filter(|cell| is_around(cell) && ![(0, 0), (3, 3)].contains(cell));
    walls
        .map(|(x, y)| {
            let place = cell_from_middle(x, y).extend(0.0);
            let wall = RectCollider::new(CELL, CELL);
            (wall, Transform::from_translation(place))
        })
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
    let all = QueryFilter::default();
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
    let walls = ten_walls();
    let shapes: Vec<Shape> = (walls.iter())
        .map(|(collider, place)| {
            let place = Affine2::from_translation(place.translation.truncate());
            (collider.shape()).transformed(&place)
        })
        .collect();
    let circles: Vec<Shape> = (0..QUESTIONS)
        .map(|_| {
            let open = cell_from_middle(dice.u8(1..3), dice.u8(1..3));
            circle_near(open, &mut dice)
        })
        .collect();
    measure(
        &mut criterion,
        "ten walls",
        app_with(walls),
        &shapes,
        &circles,
    );
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
