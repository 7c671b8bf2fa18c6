//! `TileCollider`: cells block like walls, and contacts and hits report the cell.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_thud::{geometry::separation, prelude::*};
use fastrand::Rng;

use crate::common::*;

const CELL: f32 = 16.0;
/// Cells with caves in them.
fn cave(rng: &mut Rng, columns: u32, rows: u32) -> TileCollider {
    let solid: Vec<bool> = (0..columns * rows).map(|_| rng.u8(0..10) < 3).collect();
    TileCollider::from_cells(columns, solid, Vec2::splat(CELL))
}

/// Each solid cell as a wall of its own.
fn spawn_cells(app: &mut App, tiles: &TileCollider, grid: &Transform) {
    for cell in tiles.solid_cells() {
        let center = grid.transform_point(tiles.cell_center(cell).extend(0.0));
        let transform = Transform::from_translation(center).with_rotation(grid.rotation);
        spawn(app, (RectCollider::new(CELL, CELL), Solid, transform));
    }
}

/// The depth of the deepest mover in a grid.
fn deepest(app: &App, movers: &[Entity], grid: Entity) -> f32 {
    let grid = shape_of(app, grid);
    let depth = |mover: &Entity| -separation(&shape_of(app, *mover), &grid).distance;
    movers.iter().map(depth).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn movers_go_among_cells_as_among_single_walls() {
    let mut ends = [0; 2];
    for seed in 0..12 {
        let mut rng = Rng::with_seed(seed);
        let tiles = cave(&mut rng, 24, 24);
        let transform = rotated(Vec2::new(rng.f32(), rng.f32()) * 400.0, rng.f32() * 6.3);
        let (mut in_grid, mut among_cells) = (test_app(), test_app());
        let grid = spawn(&mut in_grid, (tiles.clone(), Solid, transform));
        spawn_cells(&mut among_cells, &tiles, &transform);
        let mut movers = Vec::new();
        for _ in 0..30 {
            let kind = Kind::any(&mut rng);
            let size = Vec2::new(4.0 + 8.0 * rng.f32(), 4.0 + 8.0 * rng.f32());
            let cell = UVec2::new(rng.u32(0..24), rng.u32(0..24));
            if tiles.is_solid(cell) {
                continue;
            }
            let start = transform.transform_point(tiles.cell_center(cell).extend(0.0));
            let velocity = Vec2::from_angle(rng.f32() * 6.3) * (60.0 + 900.0 * rng.f32());
            let start = rotated(start.truncate(), rng.f32() * 6.3);
            movers.push([&mut in_grid, &mut among_cells].map(|app| {
                let mover = Mover {
                    blocked_by: LayerMask::ALL,
                    ..Mover::with_velocity(velocity)
                };
                let mover = spawn(app, (mover, start));
                kind.insert(app, mover, size);
                (mover, velocity)
            }));
        }
        for _ in 0..20 {
            for (app, side) in [(&mut in_grid, 0), (&mut among_cells, 1)] {
                for mover in &movers {
                    let (mover, velocity) = mover[side];
                    set_velocity(app, mover, velocity);
                }
                app.update();
            }
            let all: Vec<Entity> = movers.iter().map(|mover| mover[0].0).collect();
            let tolerance = tolerance(1000.0);
            assert!(deepest(&in_grid, &all, grid) < tolerance, "seed {seed}");
        }
        for [(first, _), (second, _)] in movers {
            let apart =
                global_position(&in_grid, first).distance(global_position(&among_cells, second));
            ends[usize::from(apart > 0.1)] += 1;
        }
    }
    println!("{ends:?}");
    // Where a corner is hit head-on, rounding decides.
    assert!(ends[1] * 50 < ends[0], "{ends:?}");
}

#[test]
fn a_mover_that_starts_in_a_thick_wall_of_cells_is_depenetrated_by_the_shortest_displacement() {
    let mut rng = Rng::with_seed(5);
    for case in 0..40 {
        let mut app = test_app();
        let (columns, rows) = (rng.u32(3..70), rng.u32(3..70));
        let solid = vec![true; (columns * rows) as usize];
        let tiles = TileCollider::from_cells(columns, solid, Vec2::splat(CELL));
        let half = Vec2::new(columns as f32, rows as f32) * CELL / 2.0;
        let grid = spawn(
            &mut app,
            (tiles, Solid, rotated(Vec2::ZERO, rng.f32() * 6.3)),
        );
        app.update();
        let pose = *app.world().get::<Transform>(grid).unwrap();
        let inside = (Vec2::new(rng.f32(), rng.f32()) * 2.0 - 1.0) * half;
        let start = pose.transform_point(inside.extend(0.0)).truncate();
        let mover = spawn(
            &mut app,
            (
                CircleCollider::new(6.0),
                Mover::default(),
                rotated(start, 0.0),
            ),
        );
        app.update();
        let went = global_position(&app, mover).distance(start);
        let shortest = (half - inside.abs()).min_element() + 6.0 + SKIN;
        assert!(
            (went - shortest).abs() < 0.05,
            "case {case}: {columns} by {rows} cells, {went} instead of {shortest}"
        );
    }
}

#[test]
fn contacts_and_hits_name_the_cell() {
    let mut app = test_app();
    let rows = ["....", "..#.", "####"];
    // Cells from -32 to 32, rows from 24 down to -24.
    let map = spawn(
        &mut app,
        (TileCollider::from_rows(rows, Vec2::splat(CELL)), Solid),
    );
    let ball = spawn(&mut app, (CircleCollider::new(4.0), at(8.0, 11.0)));
    let faller = Mover::with_velocity(Vec2::new(0.0, -600.0));
    let faller = spawn(&mut app, (CircleCollider::new(4.0), faller, at(-24.0, 0.0)));
    app.update();

    let contact = contact_of(&mut app, ball, map).unwrap();
    assert_eq!(contact.normal, Vec2::NEG_Y);
    assert_eq!(contact.cell_b(), Some(UVec2::new(2, 1)));
    assert_eq!(contact.cell_a(), None);
    assert_eq!(contact.flipped().cell_a(), Some(UVec2::new(2, 1)));

    let hits = app.world().get::<MoverHits>(faller).unwrap();
    assert_eq!(hits[0].cell, Some(UVec2::new(0, 2)));

    let (ray, circle, cell) = run_system(&mut app, move |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default().exclude_all([ball, faller]);
        let from = Vec2::new(24.0, 20.0);
        let ray = query.cast_ray(Ray2d::new(from, Dir2::NEG_Y), 100.0, &filter);
        let circle = bevy_thud::geometry::Shape::circle(from, 2.0);
        let circle = query.cast_shape(&circle, Vec2::NEG_X * 100.0, &filter);
        let nearest = query.project_point(Vec2::new(-40.0, -16.0), 100.0, &filter);
        let (map, nearest) = nearest.unwrap();
        let map = query.of(map).unwrap();
        (ray, circle, map.shape().cell_near(nearest.point_b))
    });
    assert_eq!(ray.unwrap().1.cell, Some(UVec2::new(3, 2)));
    assert_eq!(circle, None);
    assert_eq!(cell, Some(UVec2::new(0, 2)));
}

#[test]
fn a_cell_that_is_set_or_cleared_takes_effect_in_the_next_update() {
    let mut app = test_app();
    let map = spawn(&mut app, TileCollider::new(8, 8, Vec2::splat(CELL)));
    let ball = spawn(&mut app, (CircleCollider::new(4.0), at(8.0, 8.0)));
    app.update();
    assert_eq!(pairs(&mut app), []);

    let set = |app: &mut App, is_solid| {
        let mut map = app.world_mut().get_mut::<TileCollider>(map).unwrap();
        map.set(UVec2::new(4, 3), is_solid);
    };
    set(&mut app, true);
    assert_eq!(brief_step(&mut app), [started(map, ball)]);
    set(&mut app, false);
    assert_eq!(
        brief_step(&mut app),
        [Brief::Ended(
            map.min(ball),
            map.max(ball),
            CollisionEndReason::Separated
        )]
    );
}

#[test]
fn a_cell_that_grows_over_a_mover_pushes_it_out() {
    let mut app = test_app();
    let map = spawn(
        &mut app,
        (TileCollider::new(8, 8, Vec2::splat(CELL)), Solid),
    );
    let mover = spawn(
        &mut app,
        (CircleCollider::new(4.0), Mover::default(), at(9.0, 12.0)),
    );
    app.update();
    let mut tiles = app.world_mut().get_mut::<TileCollider>(map).unwrap();
    tiles.set(UVec2::new(4, 3), true);
    app.update();
    let position = global_position(&app, mover);
    assert!(
        position.distance(Vec2::new(9.0, 20.0 + SKIN)) < 1e-3,
        "{position}"
    );
}

#[test]
fn a_grid_is_rotated_scaled_and_mirrored_with_its_entity() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..200 {
        let mut app = test_app();
        let tiles = cave(&mut rng, 6, 4);
        let scale = Vec3::new(0.5 + rng.f32(), -0.5 - rng.f32(), 1.0);
        let transform =
            rotated(Vec2::new(rng.f32(), rng.f32()) * 50.0, rng.f32() * 6.3).with_scale(scale);
        let cell = UVec2::new(rng.u32(0..6), rng.u32(0..4));
        let center = transform
            .transform_point(tiles.cell_center(cell).extend(0.0))
            .truncate();
        let is_solid = tiles.is_solid(cell);
        spawn(&mut app, (tiles, transform));
        spawn(&mut app, (CircleCollider::new(0.1), at(center.x, center.y)));
        app.update();
        assert_eq!(pairs(&mut app).len(), usize::from(is_solid));
    }
}

/// Small cells: so many are near the mover that they are processed in strips.
#[test]
fn a_large_mover_slides_over_a_floor_of_small_cells_as_over_a_wall() {
    let mut app = test_app();
    let floor = TileCollider::from_cells(1000, vec![true; 4000], Vec2::ONE);
    spawn(&mut app, (floor, Solid, at(0.0, -2.0)));
    let mover = Mover::with_velocity(Vec2::new(600.0, -300.0));
    let mover = spawn(
        &mut app,
        (CircleCollider::new(60.0), mover, at(-400.0, 61.0)),
    );
    steps(&mut app, 5);
    let mut last = global_position(&app, mover);
    for _ in 0..60 {
        app.update();
        let position = global_position(&app, mover);
        let step = position.x - last.x;
        assert!((step - 600.0 * STEP_SECS).abs() < 0.01, "{last} {position}");
        assert!(
            (60.0..60.0 + 2.0 * SKIN).contains(&position.y),
            "{position}"
        );
        last = position;
    }
}

#[test]
fn no_grid_panics() {
    let sizes = [
        Vec2::ZERO,
        Vec2::new(-1.0, 2.0),
        Vec2::splat(f32::NAN),
        Vec2::splat(f32::INFINITY),
        Vec2::splat(1e-30),
        Vec2::splat(1e30),
    ];
    let mut app = test_app();
    for cell_size in sizes {
        for (columns, rows) in [(0, 0), (0, 5), (5, 0), (1, 1), (70, 70), (u32::MAX, 3)] {
            let mut tiles = TileCollider::new(columns, rows, cell_size);
            tiles.set(UVec2::ZERO, true);
            tiles.set(UVec2::splat(64), true);
            tiles.set(UVec2::MAX, true);
            spawn(&mut app, (tiles, Solid));
        }
    }
    let mover = Mover::with_velocity(Vec2::X * 100.0);
    spawn(&mut app, (CircleCollider::new(4.0), mover));
    spawn(&mut app, CircleCollider::new(4.0));
    for _ in 0..3 {
        app.update();
    }
    run_system(&mut app, |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default();
        query.cast_ray(
            Ray2d::new(Vec2::splat(-9.0), Dir2::X),
            f32::INFINITY,
            &filter,
        );
        query.project_point(Vec2::splat(-9.0), f32::INFINITY, &filter);
    });
}

#[test]
fn nothing_is_near_where_all_grids_are_open() {
    let mut app = test_app();
    spawn(
        &mut app,
        TileCollider::from_rows(["..", ".."], Vec2::splat(CELL)),
    );
    app.update();
    run_system(&mut app, |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default();
        for max_distance in [100.0, f32::MAX, f32::INFINITY] {
            let nearest = query.project_point(Vec2::ZERO, max_distance, &filter);
            assert_eq!(nearest, None, "{max_distance}");
        }
    });
}

#[test]
fn only_a_cell_that_changes_copies_a_shared_grid() {
    let original = TileCollider::from_rows(["#."], Vec2::splat(CELL));
    let mut copy = original.clone();
    let is_shared = |copy: &TileCollider| Arc::ptr_eq(copy.tiles(), original.tiles());
    let [solid, open, outside] = [(0, 0), (1, 0), (2, 0)].map(UVec2::from);
    for (cell, is_solid) in [
        (solid, true),
        (open, false),
        (outside, true),
        (outside, false),
    ] {
        copy.set(cell, is_solid);
        assert!(is_shared(&copy), "{cell}");
    }
    copy.set(open, true);
    assert!(!is_shared(&copy));
    assert!(copy.is_solid(open) && !original.is_solid(open));
}
