//! `TileCollider` with cells of any shape: nobody gets into them, and hits name the cell.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::{geometry::separation, prelude::*};
use fastrand::Rng;

use crate::common::*;

const CELL: f32 = 16.0;
const SIDE: u32 = 16;

/// Slopes of all kinds as floors and as ceilings, halves and pillars.
fn shapes() -> CellShapes {
    let kinds = [
        CellShape::slope(0.0, 1.0),
        CellShape::slope(0.0, 0.5),
        CellShape::slope(0.5, 1.0),
        CellShape::rect(0.0..1.0, 0.0..0.5),
        CellShape::rect(0.25..0.5, 0.0..1.0),
    ];
    let all = kinds.iter().flat_map(|kind| {
        let across = kind.flipped_x();
        let upside_down = [kind.flipped_y(), across.flipped_y()];
        [kind.clone(), across, kind.rotated(1)]
            .into_iter()
            .chain(upside_down)
    });
    let full = CellShapes::new().with(1, CellShape::FULL);
    (2..)
        .zip(all)
        .fold(full, |shapes, (number, shape)| shapes.with(number, shape))
}

/// A room with cells of all kinds in it.
fn room(rng: &mut Rng) -> TileCollider {
    let last = SIDE - 1;
    let share = rng.f32() * 0.5;
    let mut cell = |x, y| match (x, y) {
        _ if [x, y].iter().any(|index| [0, last].contains(index)) => 1,
        _ if rng.f32() < share => rng.i32(1..28),
        _ => 0,
    };
    let numbers: Vec<i32> = (0..SIDE * SIDE)
        .map(|index| cell(index % SIDE, index / SIDE))
        .collect();
    TileCollider::from_int_grid(SIDE, numbers, Vec2::splat(CELL), &shapes())
}

/// Spawns up to twelve movers and walkers at free places.
fn spawn_movers(app: &mut App, grid: Entity, rng: &mut Rng) -> Vec<Entity> {
    let mut movers = Vec::new();
    let grid = shape_of(app, grid);
    for number in 0..60 {
        let anywhere = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * CELL * (SIDE - 2) as f32;
        let size = Vec2::new(3.0 + 6.0 * rng.f32(), 3.0 + 6.0 * rng.f32());
        let response = [MoverResponse::Slide, MoverResponse::Bounce][number % 2];
        let mover = Mover {
            response,
            ..default()
        };
        let entity = spawn(app, (mover, at(anywhere.x, anywhere.y)));
        if number % 4 == 0 {
            let walker = Walker {
                step_height: 6.0,
                corner_correction: 4.0,
                ..default()
            };
            app.world_mut().entity_mut(entity).insert(walker);
        }
        Kind::any(rng).insert(app, entity, size);
        app.update();
        let shape = shape_of(app, entity);
        let is_inside = shape.center().length() < CELL * (SIDE / 2 - 1) as f32;
        if movers.len() < 12 && is_inside && separation(&shape, &grid).distance > SKIN {
            movers.push(entity);
        } else {
            app.world_mut().despawn(entity);
        }
    }
    movers
}

#[test]
fn nobody_gets_into_shaped_cells_or_out_of_the_room() {
    let (rooms, steps) = if is_long() { (150, 900) } else { (8, 150) };
    let mut hits = 0;
    for seed in 0..rooms {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        let hertz = [64.0, 30.0, 144.0][seed as usize % 3];
        let step = Duration::from_secs_f64(1.0 / hertz);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        let tiles = room(&mut rng);
        let turned = rotated(Vec2::ZERO, if seed % 3 == 0 { 0.3 } else { 0.0 });
        let grid = spawn(&mut app, (tiles.clone(), Solid, turned));
        app.update();
        let movers = spawn_movers(&mut app, grid, &mut rng);
        for step in 0..steps {
            for &mover in &movers {
                let mut velocity = velocity_of(&app, mover);
                if app.world().get::<Walker>(mover).is_some() {
                    velocity.y -= 15.0;
                }
                if rng.u8(0..30) == 0 {
                    velocity = Vec2::from_angle(rng.f32() * 6.3) * rng.f32() * 900.0;
                }
                set_velocity(&mut app, mover, velocity);
            }
            app.update();
            for &mover in &movers {
                let shape = shape_of(&app, mover);
                let distance = separation(&shape, &shape_of(&app, grid)).distance;
                assert!(
                    distance > 0.0,
                    "room {seed}, step {step}: {distance} {shape:?}"
                );
                let from_center = shape.center().length();
                assert!(
                    from_center < CELL * SIDE as f32 * 0.71,
                    "room {seed}, step {step}"
                );
                let of_mover: &MoverHits = app.world().get(mover).unwrap();
                for hit in of_mover.iter() {
                    let cell = hit.cell.unwrap();
                    assert!(tiles.number(cell) != 0, "room {seed}, step {step}: {cell}");
                    hits += 1;
                }
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn a_hit_names_the_cell_and_its_number() {
    let mut app = test_app();
    let numbers = [
        0, 0, 0, //
        2, 1, 5,
    ];
    let tiles = TileCollider::from_int_grid(3, numbers, Vec2::splat(CELL), &shapes());
    let grid = spawn(&mut app, (tiles, Solid));
    for (x, number) in [(-CELL, 2), (0.0, 1), (CELL, 5)] {
        let mover = Mover::with_velocity(Vec2::NEG_Y * 100.0);
        let shot = spawn(&mut app, (CircleCollider::new(1.0), mover, at(x, 20.0)));
        let mut first = None;
        for _ in 0..30 {
            app.update();
            let hits: &MoverHits = app.world().get(shot).unwrap();
            first = first.or(hits.iter().next().map(|hit| hit.cell.unwrap()));
        }
        let tiles: &TileCollider = app.world().get(grid).unwrap();
        assert_eq!(tiles.number(first.unwrap()), number, "{x}");
        app.world_mut().despawn(shot);
    }
}

#[test]
fn a_cell_that_becomes_a_slope_carries_who_stands_there() {
    let mut app = test_app();
    let tiles = TileCollider::from_int_grid(3, [0, 0, 0, 1, 1, 1], Vec2::splat(CELL), &shapes());
    let grid = spawn(&mut app, (tiles, Solid));
    let gravity = |mut movers: Query<&mut Mover, With<Walker>>| {
        for mut mover in &mut movers {
            mover.velocity.y -= 15.0;
        }
    };
    app.add_systems(Update, gravity);
    let hero = (CircleCollider::new(4.0), Walker::default(), at(0.0, 4.5));
    let hero = spawn(&mut app, hero);
    steps(&mut app, 20);
    let before = local_position(&app, hero);
    assert!((before.y - 4.02).abs() < 0.03, "{before}");
    // A half under its feet lifts it, and without it the hero falls.
    for (number, height) in [(17, 8.0), (0, 0.0), (2, 0.0)] {
        let mut tiles: Mut<TileCollider> = app.world_mut().get_mut(grid).unwrap();
        tiles.set_number(UVec2::new(1, 0), number);
        steps(&mut app, 40);
        let now = local_position(&app, hero);
        assert!(now.y > before.y + height - 0.05, "{number}: {now}");
        let distance = separation(&shape_of(&app, hero), &shape_of(&app, grid)).distance;
        assert!(distance > 0.0, "{number}: {distance}");
    }
}

#[test]
fn a_cell_of_any_shape_is_dug_away_and_filled() {
    let mut tiles = TileCollider::from_int_grid(3, [1, 2, 0], Vec2::splat(CELL), &shapes());
    for (x, number) in [(0, 1), (1, 2), (2, 0)] {
        let cell = UVec2::new(x, 0);
        assert_eq!(tiles.number(cell), number);
        tiles.set(cell, false);
        assert_eq!(tiles.number(cell), 0);
        tiles.set_number(cell, 2);
        tiles.set(cell, true);
        assert!(tiles.is_solid(cell));
    }
}
