//! Rays through grids of cells, against the cells one by one.

use std::{f32::consts::TAU, sync::Arc};

use bevy::math::{Affine2, Rot2, UVec2, Vec2};

use super::{
    assert_near,
    tiles::{cell_aabb, stairs},
};
use crate::{
    aabb::Aabb2d,
    geometry::{Placement, Ray, Shape, Tiles, cast_ray, contains_point},
};

fn placed(tiles: Tiles, center: Vec2) -> Shape {
    Shape::Tiles {
        tiles: Arc::new(tiles),
        placement: Placement::at(center),
    }
}

/// The fraction at which a ray that starts in the center of a cell hits the nearest solid one,
/// whose edges and corners belong to it.
fn first_time(tiles: &Tiles, start: Vec2, displacement: Vec2) -> Option<f32> {
    let times = tiles.solid_cells().filter_map(|cell| {
        let Aabb2d { min, max } = cell_aabb(tiles, cell);
        let (mut enter, mut leave) = (0.0f32, f32::INFINITY);
        for axis in 0..2 {
            if displacement[axis] == 0.0 {
                if !(min[axis]..=max[axis]).contains(&start[axis]) {
                    return None;
                }
                continue;
            }
            let times = [min, max].map(|corner| (corner[axis] - start[axis]) / displacement[axis]);
            enter = enter.max(times[0].min(times[1]));
            leave = leave.min(times[0].max(times[1]));
        }
        (enter <= leave).then_some(enter)
    });
    times.reduce(f32::min)
}

/// The components of each direction and their quotients are powers of two, so that rays through
/// corners hit them exactly.
#[test]
fn a_ray_through_a_grid_hits_the_first_solid_cell_or_corner() {
    let mut dice = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let (columns, rows) = (dice.u32(1..90), dice.u32(1..90));
        let share = dice.u32(2..40);
        let cells = std::iter::repeat_with(|| dice.u32(0..share) == 0);
        let cells = cells.take((columns * rows) as usize).collect::<Vec<_>>();
        let tiles = Tiles::from_cells(columns, cells, Vec2::new(2.0, 4.0));
        let size = tiles.size().as_ivec2();
        let grid = placed(tiles.clone(), Vec2::ZERO);
        for _ in 0..100 {
            // In the center of a cell, or of one beside the grid.
            let column = dice.i32(-3..size.x + 3);
            let row = dice.i32(-3..size.y + 3);
            let from_center = Vec2::new(column as f32, row as f32) + 0.5 - size.as_vec2() / 2.0;
            let start = from_center * tiles.cell_size() * Vec2::new(1.0, -1.0);
            if contains_point(&grid, start) {
                continue;
            }
            let component = |dice: &mut fastrand::Rng| match dice.i32(-4..4) {
                -4 => 0.0,
                power => 2f32.powi(power) * if dice.bool() { 1.0 } else { -1.0 },
            };
            let displacement = Vec2::new(component(&mut dice), component(&mut dice)) * 4.0;
            let expected = first_time(&tiles, start, displacement).filter(|time| *time <= 1.0);
            let expected = expected.filter(|_| displacement != Vec2::ZERO);
            let found = cast_ray(&grid, start, displacement);
            assert_eq!(
                found.map(|hit| hit.fraction),
                expected,
                "{start} {displacement} {tiles:?}"
            );
            if let Some(hit) = found {
                assert!(
                    displacement.dot(hit.normal) < 0.0,
                    "{start} {displacement} {hit:?}"
                );
                // Just before the edge that is hit.
                assert!(!contains_point(&grid, hit.point + hit.normal * 0.01));
            }
        }
    }
}

#[test]
fn a_ray_from_the_surface_of_a_grid_hits_it_if_it_goes_in() {
    let block = placed(Tiles::from_rows(["###"; 3], Vec2::splat(2.0)), Vec2::ZERO);
    for beyond in [-5e-7, 0.0, 5e-7] {
        let left = Vec2::new(-3.0 - beyond, 0.5);
        let hit = cast_ray(&block, left, Vec2::new(8.0, 0.1)).expect("it goes in");
        assert_near(hit.fraction, 0.0, 1e-5);
        assert_eq!(hit.normal, Vec2::NEG_X);
        for displacement in [Vec2::new(-8.0, 0.1), Vec2::Y, Vec2::ZERO] {
            assert_eq!(
                cast_ray(&block, left, displacement),
                None,
                "{left} {displacement}"
            );
        }
    }
}

#[test]
fn a_ray_from_far_away_hits_the_grid_that_it_points_at() {
    for far in [1e2, 1e3, 1e4, 1e5] {
        for turn in (0..720).map(|step| step as f32 * TAU / 720.0) {
            let direction = Vec2::from_angle(turn);
            let ray = Ray {
                origin: -direction * far,
                direction,
                max_fraction: f32::INFINITY,
            };
            let hit = ray.cast(&stairs()).expect("it points at the center");
            assert!((hit.fraction as f32 - far).abs() < 10.0, "{far} {turn}");
            assert!(hit.normal.dot(direction) < 0.0, "{far} {turn}");
        }
    }
}

#[test]
fn a_ray_on_a_line_ends_where_the_cells_begin() {
    for (columns, cell) in [(1_000, 10.0), (10_000, 10.0), (3_000, 0.3)] {
        let mut tiles = Tiles::new(columns, 2, Vec2::splat(cell));
        for row in 0..2 {
            tiles.set(UVec2::new(columns - 1, row), true);
        }
        let wall = (columns as f32 / 2.0 - 1.0) * cell;
        let start = Vec2::new(3.0 - columns as f32 * cell / 2.0, 0.0);
        let ray = Ray {
            origin: start,
            direction: Vec2::X,
            max_fraction: f32::INFINITY,
        };
        let hit = ray.cast(&placed(tiles, Vec2::ZERO)).expect("a wall");
        assert_near(hit.fraction as f32, wall - start.x, 1e-6 * wall);
    }
}

#[test]
fn a_ray_that_leaves_a_line_slowly_hits_the_cells_beside_it() {
    let mut tiles = Tiles::new(12_000, 3, Vec2::ONE);
    for row in 0..2 {
        tiles.set(UVec2::new(11_500, row), true);
    }
    let start = Vec2::new(-5_990.0, 0.5);
    // One row after 11,111 columns.
    let displacement = Vec2::new(11_900.0, -11_900.0 * 0.9e-4);
    assert_eq!(
        cast_ray(&placed(tiles.clone(), Vec2::ZERO), start, displacement),
        None
    );
    tiles.set(UVec2::new(11_500, 2), true);
    let hit = cast_ray(&placed(tiles, Vec2::ZERO), start, displacement).expect("a wall");
    assert_near(hit.point.x, 5_500.0, 0.01);
}

#[test]
fn far_away_a_ray_on_a_line_hits_the_wall() {
    let tiles = Tiles::from_rows(["####", "", "", "...."], Vec2::splat(1024.0));
    let ray = Ray {
        origin: Vec2::new(2e7, -3000.0),
        direction: Vec2::Y,
        max_fraction: f32::INFINITY,
    };
    let hit = ray.cast(&placed(tiles, Vec2::X * 2e7)).expect("a wall");
    assert_near(hit.fraction as f32, 4024.0, 1.0);
}

#[test]
fn a_ray_along_the_border_of_a_grid_without_columns_or_rows_hits_nothing() {
    for (columns, rows) in [(0, 4), (4, 0), (0, 0)] {
        let empty = placed(Tiles::new(columns, rows, Vec2::ONE), Vec2::ZERO);
        let [x, y] = [columns as f32 / 2.0, rows as f32 / 2.0];
        for origin in [(-3.0, y), (-3.0, -y), (x, -3.0), (-x, 3.0)] {
            for direction in [
                Vec2::X,
                Vec2::Y,
                Vec2::new(1.0, -0.0),
                Vec2::new(-0.0, -1.0),
            ] {
                let ray = Ray {
                    origin: origin.into(),
                    direction,
                    max_fraction: f32::MAX,
                };
                assert!(ray.cast(&empty).is_none());
            }
        }
    }
}

#[test]
fn a_ray_without_a_direction_hits_no_cell() {
    for from in [(-5.0, 3.0), (6.0, 1.0), (20.0, 0.0)] {
        for length in [1.0, f32::INFINITY] {
            let ray = Ray {
                origin: from.into(),
                direction: Vec2::ZERO,
                max_fraction: length,
            };
            assert!(ray.cast(&stairs()).is_none());
        }
    }
}

#[test]
fn a_ray_along_a_line_between_cells_hits_where_both_sides_are_solid() {
    let stairs = stairs();
    let cast = |from: (f32, f32), displacement: (f32, f32)| {
        let hit = cast_ray(&stairs, Vec2::from(from), Vec2::from(displacement));
        hit.map(|hit| (hit.fraction * Vec2::from(displacement).length(), hit.normal))
    };
    // Below the second row and above the third one.
    assert_eq!(cast((-12.0, 0.0), (20.0, 0.0)), Some((4.0, Vec2::NEG_X)));
    assert_eq!(cast((12.0, 0.0), (-20.0, 0.0)), Some((8.0, Vec2::X)));
    // Above the second row there are two cells with open ones between them.
    assert_eq!(cast((12.0, 2.0), (-30.0, 0.0)), Some((12.0, Vec2::X)));
    assert_eq!(cast((-5.0, 2.0), (5.0, 0.0)), Some((3.0, Vec2::NEG_X)));
    assert_eq!(cast((-5.0, 2.0), (2.0, 0.0)), None);
    // Solid ones on both sides, but nowhere at the same position; and above the floor, short and
    // long.
    let apart = placed(
        Tiles::from_rows(["..#.....", ".....#.."], Vec2::splat(2.0)),
        Vec2::ZERO,
    );
    assert_eq!(
        cast_ray(&apart, Vec2::new(-12.0, 0.0), Vec2::X * 24.0),
        None
    );
    let fall = cast_ray(&stairs, Vec2::new(3.0, 2.00005), Vec2::NEG_Y * 1e-4).unwrap();
    assert_near(fall.fraction, 0.5, 1e-2);
    // Down along a column's edge.
    assert_eq!(cast((4.0, 9.0), (0.0, -20.0)), Some((9.0, Vec2::Y)));
    assert_eq!(cast((-8.0, 9.0), (0.0, -20.0)), None);
}

#[test]
fn a_ray_along_a_line_may_start_at_the_surface() {
    let fraction = |grid: &Shape, from: Vec2, displacement: Vec2| {
        cast_ray(grid, from, displacement).map(|hit| hit.fraction)
    };
    let wide = placed(Tiles::from_rows(["#..#"; 2], Vec2::splat(2.0)), Vec2::ZERO);
    let tall = ["##", "..", "..", "##"];
    let tall = placed(Tiles::from_rows(tall, Vec2::splat(2.0)), Vec2::ZERO);
    for (room, axis) in [(&wide, Vec2::X), (&tall, Vec2::Y)] {
        for toward in [axis, -axis] {
            let cast = |x: f32| fraction(room, toward * x, toward * 10.0);
            // From the surface behind, into the one ahead, and away from the grid.
            assert_eq!(cast(-2.0), Some(0.4), "{toward}");
            assert_eq!(cast(-1.9999998), Some(0.39999998), "{toward}");
            assert_eq!(cast(2.0), Some(0.0), "{toward}");
            assert_eq!(cast(4.0), None, "{toward}");
            assert_eq!(cast(3.9999998), None, "{toward}");
        }
    }
    let block = placed(Tiles::from_rows(["###"; 3], Vec2::splat(2.0)), Vec2::ZERO);
    for toward in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        for before in [2.9999998, 3.0, 3.0000002] {
            let from = toward.perp() - toward * before;
            let hit = fraction(&block, from, toward * 8.0).expect("it goes in");
            assert_near(hit, 0.0, 1e-7);
        }
    }
}

#[test]
fn a_ray_from_an_inner_corner_hits_at_once_if_it_goes_in() {
    for angle in [0.0, 0.3, 2.0] {
        let pose = Affine2::from_angle_translation(angle, Vec2::new(30.0, -7.0));
        let corner = Tiles::from_rows(["##", "#."], Vec2::splat(3.0));
        let shape = placed(corner, Vec2::ZERO).transformed(&pose);
        // The open cell is at the lower right.
        for step in 0..36u8 {
            let direction = Vec2::from_angle(f32::from(step) * TAU / 36.0 + 0.05);
            let displacement = pose.transform_vector2(direction);
            let hit = cast_ray(&shape, pose.transform_point2(Vec2::ZERO), displacement);
            let goes_in = !(direction.x > 0.0 && direction.y < 0.0);
            let expected = goes_in.then_some(0.0);
            assert_eq!(hit.map(|hit| hit.fraction), expected, "{angle} {direction}");
        }
    }
}

/// The line on which all cells are is above or below the rays, which start beside the grid or in
/// line with its center.
#[test]
fn a_ray_hits_no_open_cell_without_height() {
    for height in [0.0, -0.0] {
        for (x, y) in [(-1.0, 0.125), (-1.0, -0.125), (0.0, 0.125), (0.0, -0.125)] {
            let open = placed(
                Tiles::new(6, 1, Vec2::new(0.125, height)),
                Vec2::NEG_Y * 0.125,
            );
            assert_eq!(cast_ray(&open, Vec2::new(x, 0.0), Vec2::new(0.0, y)), None);
        }
    }
}

/// In steps from the centers of cells, and against the other cells one by one.
#[test]
fn a_ray_from_the_edge_of_a_cell_hits_the_next_one() {
    let mut dice = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let (columns, rows) = (dice.u32(1..30), dice.u32(1..30));
        let cells = (0..columns * rows).map(|_| dice.u32(0..8) == 0);
        let tiles = Tiles::from_cells(columns, cells.collect::<Vec<_>>(), Vec2::new(2.0, 4.0));
        let grid = placed(tiles.clone(), Vec2::ZERO);
        for cell in tiles.solid_cells() {
            let side = *dice
                .choice(&[Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y])
                .unwrap();
            let beside = tiles.cell_center(cell) + side * tiles.cell_size();
            if contains_point(&grid, beside) {
                continue;
            }
            let mut others = tiles.clone();
            others.set(cell, false);
            let start = tiles.cell_center(cell) + side * tiles.cell_size() / 2.0;
            let turn = if dice.u32(0..4) == 0 {
                0.0
            } else {
                2.8 * dice.f32() - 1.4
            };
            let scale = [0.1, 1.0, 20.0][dice.usize(0..3)];
            let direction = Vec2::from_angle(turn).rotate(side) * scale;
            let max_fraction = [f32::INFINITY, 20.0 / scale][dice.usize(0..2)];
            let ray = Ray {
                origin: start,
                direction,
                max_fraction,
            };
            let distance = |fraction: Option<f32>| fraction.map_or(-1.0, |it| it * scale);
            let expected = first_time(&others, start, direction);
            let found = ray.cast(&grid).map(|hit| hit.fraction as f32);
            assert_near(
                distance(found),
                distance(expected.filter(|fraction| *fraction <= max_fraction)),
                1e-3,
            );
        }
    }
}

#[test]
fn a_ray_hits_solid_cells_without_height_from_above() {
    let flat = placed(
        Tiles::from_cells(6, [true; 12], Vec2::new(0.125, 0.0)),
        Vec2::ZERO,
    );
    // The second one is on a line between columns.
    for x in [-0.3, 0.0, 0.1] {
        let hit = cast_ray(&flat, Vec2::new(x, 0.125), Vec2::NEG_Y);
        assert_eq!(hit.map(|hit| hit.fraction), Some(0.125), "{x}");
    }
}

#[test]
fn a_ray_below_the_top_of_a_large_cell_hits_it() {
    let size = Vec2::splat(1000.0);
    let rect = Shape::rect(Vec2::ZERO, size, Rot2::IDENTITY);
    let grid = placed(Tiles::from_cells(1, [true], size), Vec2::ZERO);
    for (from, by) in [
        (Vec2::new(-2000.0, 499.95), Vec2::X * 4000.0),
        (Vec2::new(499.95, -2000.0), Vec2::Y * 4000.0),
        // It only gets below the top on the way.
        (Vec2::new(-2000.0, 500.0), Vec2::new(4000.0, -0.1)),
    ] {
        for shape in [&rect, &grid] {
            let hit = cast_ray(shape, from, by);
            assert_eq!(hit.map(|hit| hit.fraction), Some(0.375), "{from} {by}");
        }
    }
}

#[test]
fn the_sign_of_a_height_of_zero_makes_no_difference_to_rays() {
    for (x, y) in [
        (-1.0, 0.125),
        (-0.3, 0.125),
        (0.0, 0.125),
        (0.1, -0.125),
        (0.2, 0.0),
    ] {
        for displacement in [
            (0.0, -1.0),
            (0.0, 1.0),
            (0.5, -0.5),
            (1.0, 0.25),
            (-1.0, 0.01),
        ] {
            let [plus, minus] = [0.0, -0.0].map(|height| {
                let cells = Tiles::from_cells(6, [true; 12], Vec2::new(0.125, height));
                let hit = cast_ray(
                    &placed(cells, Vec2::NEG_Y * 0.01),
                    Vec2::new(x, y),
                    displacement.into(),
                );
                hit.map(|hit| hit.fraction)
            });
            assert_eq!(plus, minus, "{x} {y} {displacement:?}");
        }
    }
}
