//! `CellKinds`: the numbers of a map become a grid for each role.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::prelude::*;

use crate::common::*;

const CELL: f32 = 16.0;

fn half() -> CellShape {
    CellShape::rect(0.0..1.0, 0.0..0.5)
}

/// Spawns a map of four columns.
fn spawn_map(app: &mut App, kinds: &CellKinds, numbers: &'static [i32]) -> Vec<Entity> {
    let grids = kinds.grids(4, numbers.iter().copied(), Vec2::splat(CELL));
    let spawn = move |mut commands: Commands| -> Vec<Entity> {
        let spawned = grids
            .iter()
            .map(|grid| grid.clone().spawn(&mut commands).id());
        spawned.collect()
    };
    app.world_mut().run_system_once(spawn).unwrap()
}

#[test]
fn each_role_is_one_grid_with_the_components_of_the_role() {
    let shots = CollisionLayers::new(LayerMask::layer(3), LayerMask::layer(4));
    let kinds = CellKinds::new()
        .with(9, CellKind::from(half()).sensor())
        .with(1, CellShape::FULL)
        .with(2, CellShape::slope(0.0, 1.0))
        .with(6, CellKind::from(half()).one_way(Dir2::Y))
        .with(7, CellKind::from(CellShape::FULL).with_layers(shots));
    let numbers = &[0, 6, 9, 7, 1, 2, 1, 5];
    let mut app = test_app();
    let grids = spawn_map(&mut app, &kinds, numbers);
    let numbers_of = |grid: Entity| {
        let tiles: &TileCollider = app.world().get(grid).unwrap();
        let cells = tiles.solid_cells().map(|cell| tiles.number(cell));
        cells.collect::<Vec<u8>>()
    };
    let of_each: Vec<Vec<u8>> = grids.iter().map(|grid| numbers_of(*grid)).collect();
    assert_eq!(of_each, [vec![1, 2, 1], vec![6], vec![7], vec![9]]);
    let is_solid = |grid: &Entity| app.world().get::<Solid>(*grid).is_some();
    let solid: Vec<bool> = grids.iter().map(is_solid).collect();
    assert_eq!(solid, [true, true, true, false]);
    let one_way = |grid: &Entity| app.world().get::<OneWay>(*grid).copied();
    let one_way: Vec<Option<OneWay>> = grids.iter().map(one_way).collect();
    assert_eq!(one_way, [None, Some(OneWay(Dir2::Y)), None, None]);
    let layers = |grid: &Entity| *app.world().get::<CollisionLayers>(*grid).unwrap();
    let default = CollisionLayers::default();
    let all: Vec<CollisionLayers> = grids.iter().map(layers).collect();
    assert_eq!(all, [default, default, shots, default]);
}

#[test]
fn the_last_kind_of_a_number_counts_and_zero_stays_open() {
    let kinds = CellKinds::new()
        .with(0, CellShape::FULL)
        .with(1, CellShape::FULL)
        .with(1, half())
        .with(2, CellShape::FULL)
        .with(2, CellShape::empty());
    let numbers: Vec<u8> = kinds.iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [1]);
    assert_eq!(kinds.get(1).unwrap().shape, half());
    assert_eq!((kinds.get(0), kinds.get(2)), (None, None));
    assert_eq!(CellKinds::new().grids(4, [1, 2], Vec2::ONE), []);
}

#[test]
fn a_mover_is_blocked_by_walls_passes_planks_from_below_and_is_reported_by_sensors() {
    let kinds = CellKinds::new()
        .with(1, CellShape::FULL)
        .with(
            6,
            CellKind::from(CellShape::rect(0.0..1.0, 0.75..1.0)).one_way(Dir2::Y),
        )
        .with(7, CellKind::from(CellShape::FULL).sensor());
    let numbers = &[
        1, 1, 1, 1, //
        0, 0, 0, 0, //
        6, 6, 6, 6, //
        0, 7, 7, 0, //
        1, 1, 1, 1,
    ];
    let mut app = test_app();
    let grids = spawn_map(&mut app, &kinds, numbers);
    let mover = (
        CircleCollider::new(4.0),
        Mover::with_velocity(Vec2::Y * 200.0),
    );
    let reported = CollidingEntities::default();
    let mover = spawn(&mut app, (mover, reported, at(0.0, -20.0)));
    app.update();
    let touched: &CollidingEntities = app.world().get(mover).unwrap();
    let touched: Vec<Entity> = touched.iter().copied().collect();
    assert_eq!(touched, [grids[2]]);
    steps_of(&mut app, 60);
    let position = local_position(&app, mover);
    assert!(
        (position.y - (24.0 - 4.0 - SKIN)).abs() < 0.02,
        "{position}"
    );
    set_velocity(&mut app, mover, Vec2::Y * -200.0);
    steps_of(&mut app, 60);
    let position = local_position(&app, mover);
    assert!((position.y - (8.0 + 4.0 + SKIN)).abs() < 0.02, "{position}");
}

fn steps_of(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}
