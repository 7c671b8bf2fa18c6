//! Casts whose results are known.

use std::sync::Arc;

use bevy::math::{Affine2, Rot2, Vec2};

use super::{assert_close, assert_near, shapes::flush_blocks};
use crate::geometry::{
    CastHit, Placement, Shape, Tiles, cast_ray, cast_shape, cast_with_margin, contact,
};

/// A hit without its distance.
fn hit(fraction: f32, normal: Vec2, point: (f32, f32)) -> Option<CastHit> {
    let point = Vec2::from(point);
    Some(CastHit {
        fraction,
        distance: 0.0,
        normal,
        point,
        starts_inside: fraction == 0.0,
        cell: None,
    })
}

/// A hit at the start of what only touches there.
fn touch(normal: Vec2, point: (f32, f32)) -> Option<CastHit> {
    Some(CastHit {
        starts_inside: false,
        ..hit(0.0, normal, point)?
    })
}

#[test]
fn rays_hit_a_rectangle_where_expected() {
    // From (2, 1) to (6, 3).
    let wall = Shape::rect(Vec2::new(4.0, 2.0), Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    let cases = [
        // From each of the four sides.
        ((0.0, 2.0), (4.0, 0.0), hit(0.5, Vec2::NEG_X, (2.0, 2.0))),
        ((8.0, 2.0), (-4.0, 0.0), hit(0.5, Vec2::X, (6.0, 2.0))),
        ((4.0, 0.0), (0.0, 4.0), hit(0.25, Vec2::NEG_Y, (4.0, 1.0))),
        ((4.0, 4.0), (0.0, -4.0), hit(0.25, Vec2::Y, (4.0, 3.0))),
        // Diagonally: past the corner, into the edge that it crosses last.
        ((0.0, 0.0), (4.0, 2.25), hit(0.5, Vec2::NEG_X, (2.0, 1.125))),
        ((0.0, 0.0), (4.0, 1.6), hit(0.625, Vec2::NEG_Y, (2.5, 1.0))),
        // Ends before it, and on its surface.
        ((0.0, 2.0), (1.5, 0.0), None),
        ((0.0, 2.0), (2.0, 0.0), hit(1.0, Vec2::NEG_X, (2.0, 2.0))),
        // Goes in the other direction, or past.
        ((0.0, 2.0), (-4.0, 0.0), None),
        ((0.0, 4.0), (8.0, 0.0), None),
        // Grazes an edge, from outside and along it.
        ((0.0, 3.0), (8.0, 0.0), None),
        ((3.0, 1.0), (8.0, 0.0), None),
        // Starts on the surface: in, out, along.
        ((2.0, 2.0), (4.0, 0.0), touch(Vec2::NEG_X, (2.0, 2.0))),
        ((2.0, 2.0), (-4.0, 0.0), None),
        ((2.0, 2.0), (0.0, 4.0), None),
        // Starts inside, nearest to the right edge; also without moving.
        ((5.5, 2.0), (-9.0, 0.0), hit(0.0, Vec2::X, (5.5, 2.0))),
        ((5.5, 2.0), (0.0, 0.0), hit(0.0, Vec2::X, (5.5, 2.0))),
        // Without moving, outside and on the surface.
        ((0.0, 2.0), (0.0, 0.0), None),
        ((2.0, 2.0), (0.0, 0.0), None),
    ];
    for (origin, displacement, expected) in cases {
        let [origin, displacement] = [origin, displacement].map(Vec2::from);
        let found = cast_ray(&wall, origin, displacement);
        if let Some(hit) = found {
            let length = displacement.length();
            assert_near(hit.distance, hit.fraction * length, 1e-6);
        }
        let found = found.map(|hit| CastHit {
            distance: 0.0,
            ..hit
        });
        assert_eq!(found, expected, "from {origin} by {displacement}");
    }
}

#[test]
fn a_ray_through_a_corner_hits_it() {
    let wall = Shape::rect(Vec2::new(4.0, 2.0), Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    for (origin, displacement) in [
        ((1.0, 2.0), (2.0, 2.0)),
        ((1.0, 2.0), (2.0, -2.0)),
        ((5.0, 4.0), (2.0, -2.0)),
    ] {
        let hit = cast_ray(&wall, origin.into(), displacement.into());
        assert_eq!(hit.map(|hit| hit.fraction), Some(0.5), "from {origin:?}");
    }
}

#[test]
fn rays_hit_a_circle_where_expected() {
    let ball = Shape::circle(Vec2::new(5.0, 1.0), 2.0);
    let cases = [
        // Through the center.
        ((0.0, 1.0), (6.0, 0.0), hit(0.5, Vec2::NEG_X, (3.0, 1.0))),
        ((5.0, -5.0), (0.0, 8.0), hit(0.5, Vec2::NEG_Y, (5.0, -1.0))),
        // Off the center, in steps of 3, 4 and 5: the surface is hit at (-0.8, 0.6) of the radius.
        (
            (0.4, 2.2),
            (6.0, 0.0),
            hit(0.5, Vec2::new(-0.8, 0.6), (3.4, 2.2)),
        ),
        // Grazes it, passes it within the box around it, ends before it.
        ((0.0, 3.0), (9.0, 0.0), None),
        ((2.0, 2.0), (2.0, 2.0), None),
        ((0.0, 1.0), (2.9, 0.0), None),
        // Goes in the other direction, starts behind.
        ((0.0, 1.0), (-9.0, 0.0), None),
        ((8.0, 1.0), (9.0, 0.0), None),
        // Starts inside, and on the surface: in and out.
        ((6.0, 1.0), (-9.0, 0.0), hit(0.0, Vec2::X, (6.0, 1.0))),
        ((7.0, 1.0), (-9.0, 0.0), hit(0.0, Vec2::X, (7.0, 1.0))),
        ((7.0, 1.0), (9.0, 0.0), None),
    ];
    for (origin, displacement, expected) in cases {
        let found = cast_ray(&ball, origin.into(), displacement.into());
        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert_near(found.fraction, expected.fraction, 1e-6);
                assert_close(found.normal, expected.normal, 1e-6);
                assert_close(found.point, expected.point, 2e-6);
            }
            _ => assert_eq!(found, expected, "from {origin:?} by {displacement:?}"),
        }
    }
}

#[test]
fn a_circle_hits_the_corner_it_runs_into() {
    let wall = Shape::rect(Vec2::ZERO, Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    let ball = |x: f32, y: f32| Shape::circle(Vec2::new(x, y), 5.0);
    // Its center hits the circle around the corner (2, 1) in a step of 3 and 4.
    let found = cast_shape(&ball(10.0, 4.0), Vec2::new(-8.0, 0.0), &wall).expect("it hits");
    assert_near(found.fraction, 0.5, 1e-6);
    assert_close(found.normal, Vec2::new(0.8, 0.6), 1e-6);
    assert_close(found.point, Vec2::new(2.0, 1.0), 2e-6);
    // Within the rectangle grown by the radius, but past the corner.
    assert_eq!(
        cast_shape(&ball(6.5, 7.5), Vec2::new(1.5, -1.5), &wall),
        None
    );
}

#[test]
fn rectangles_that_hit_edge_on_touch_at_the_center_of_their_overlap() {
    let wall = Shape::rect(Vec2::ZERO, Vec2::new(2.0, 10.0), Rot2::IDENTITY);
    let block = Shape::rect(Vec2::new(-6.0, 5.0), Vec2::splat(2.0), Rot2::IDENTITY);
    let found = cast_shape(&block, Vec2::new(8.0, 0.0), &wall);
    let expected = hit(0.5, Vec2::NEG_X, (-1.0, 4.5)).map(|hit| CastHit {
        distance: 4.0,
        ..hit
    });
    assert_eq!(found, expected);
}

#[test]
fn a_point_that_moves_along_an_edge_misses_it() {
    let wall = Shape::rect(Vec2::ZERO, Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    for (along, beside) in [
        (Vec2::X, Vec2::Y),
        (Vec2::X, Vec2::NEG_Y),
        (Vec2::Y, Vec2::X * 2.0),
        (Vec2::Y, Vec2::NEG_X * 2.0),
    ] {
        for along in [along, -along] {
            let point = |beside: Vec2| Shape::circle(beside - along * 5.0, 0.0);
            assert_eq!(cast_shape(&point(beside), along * 10.0, &wall), None);
            let within = cast_shape(&point(beside * 0.9), along * 10.0, &wall);
            assert!(within.is_some(), "{along} {beside}");
        }
    }
}

#[test]
fn a_wall_without_thickness_stops_a_ray() {
    for turn in [0.0, 0.3, 1.0, 2.5] {
        let turn = Rot2::radians(turn);
        let center = Vec2::new(3.0, -7.0);
        let wall = Shape::rect(center, Vec2::new(10.0, 0.0), turn);
        for along in [-4.9, -2.0, 0.0, 1.7, 4.9] {
            let target = center + turn * Vec2::new(along, 0.0);
            let across = turn * Vec2::new(0.5, 2.0);
            let found = cast_ray(&wall, target - across, across * 2.0).expect("it crosses");
            assert_near(found.fraction, 0.5, 1e-5);
            assert_close(found.normal, turn * Vec2::NEG_Y, 1e-5);
            assert_close(found.point, target, 1e-5);
        }
        let beside = center + turn * Vec2::new(5.1, 0.0);
        let across = turn * Vec2::Y;
        assert_eq!(cast_ray(&wall, beside - across, across * 2.0), None);
    }
}

#[test]
fn a_cast_far_out_is_as_exact_as_positions_are() {
    let hit_at = |by: Vec2| {
        let wall = Shape::rect(by, Vec2::new(4.0, 2.0), Rot2::IDENTITY);
        let block = Shape::rect(by + Vec2::new(-6.0, 0.5), Vec2::splat(2.0), Rot2::IDENTITY);
        cast_shape(&block, Vec2::X * 6.0, &wall).expect("it hits")
    };
    // Positions that are whole and half numbers, so that only the casting could lose digits.
    for by in [Vec2::ZERO, Vec2::new(1e5, -1e5), Vec2::new(-5e4, 1e3)] {
        let found = hit_at(by);
        assert_eq!((found.fraction, found.normal), (0.5, Vec2::NEG_X));
        assert_eq!(found.point, by + Vec2::new(-2.0, 0.25));
    }
}

#[test]
fn a_block_flush_with_a_rotated_wall_keeps_out_of_it() {
    for (turn, wall, block) in flush_blocks() {
        for skin in [0.02, 0.0] {
            let found = cast_with_margin(&block, turn * Vec2::NEG_Y * 5.0, &wall, skin);
            let time = found.map(|found| found.fraction as f32);
            assert!(
                time.is_some_and(|time| time < 1e-5),
                "{time:?} of {block:?}"
            );
        }
    }
}

#[test]
fn what_stands_on_a_floor_glides_along_it() {
    for length in [10.0f32, 100.0, 1_000.0] {
        let floor = Shape::rect(Vec2::ZERO, Vec2::new(length, 2.0), Rot2::IDENTITY);
        for index in 0..60u8 {
            let x = length * (f32::from(index) - 29.3) / 80.0;
            // None to four units in the last place above it.
            for ulps in 0..5u8 {
                let y = 2.0 + f32::from(ulps) * 2.0 * f32::EPSILON;
                let block = Shape::rect(Vec2::new(x, y), Vec2::splat(2.0), Rot2::IDENTITY);
                for displacement in [Vec2::X, Vec2::NEG_X, Vec2::new(1.0, 0.1)] {
                    assert_eq!(
                        cast_shape(&block, displacement, &floor),
                        None,
                        "{x} {ulps} {displacement}"
                    );
                }
                let found = cast_shape(&block, Vec2::new(0.3, -0.4), &floor).expect("it hits");
                assert_close(found.normal, Vec2::Y, 1e-5);
            }
        }
    }
}

#[test]
fn what_stands_on_many_cells_glides_along_them() {
    let grid = |columns: u32| {
        let rows = 100 / columns;
        let cells = Tiles::from_cells(columns, [true; 100], Vec2::splat(16.0));
        let center = if rows == 1 {
            Vec2::Y * 0.3
        } else {
            Vec2::X * 0.3
        };
        Shape::Tiles {
            tiles: Arc::new(cells),
            placement: Placement::at(center),
        }
    };
    let (floor, wall) = (grid(100), grid(1));
    let rect = |at| Shape::rect(at, Vec2::splat(16.0), Rot2::IDENTITY);
    let disk = |at| Shape::circle(at, 8.0);
    for length in [100.0, 400.0, 1400.0] {
        for toward in [1.0, -1.0] {
            let (along, height) = (-700.0 * toward, 16.3);
            let (on_floor, at_wall) = (Vec2::new(along, height), Vec2::new(height, along));
            for (shape, grid, direction) in [
                (rect(on_floor), &floor, Vec2::X),
                (disk(on_floor), &floor, Vec2::X),
                (rect(at_wall), &wall, Vec2::Y),
                (disk(at_wall), &wall, Vec2::Y),
            ] {
                let by = direction * length * toward;
                for angle in [0.0, 0.3, 2.0] {
                    let turn = Affine2::from_angle(angle);
                    let (shape, grid) = (shape.transformed(&turn), grid.transformed(&turn));
                    let by = turn.transform_vector2(by);
                    assert_eq!(contact(&shape, &grid), None);
                    assert_eq!(cast_shape(&shape, by, &grid), None, "{shape:?} {by}");
                }
            }
        }
    }
}

#[test]
fn what_stands_at_a_wall_of_uneven_rows_glides_along_it() {
    for rows in [["..#", ".##", "..#"], ["#..", "##.", "#.."]] {
        let side = if rows[0] == "..#" { 1.0 } else { -1.0 };
        let wall = Shape::Tiles {
            tiles: Arc::new(Tiles::from_rows(rows, Vec2::splat(16.0))),
            placement: Placement::at(Vec2::new(0.3, 700.0)),
        };
        for up in [1.0, -1.0] {
            for sunk in [0.0, 1e-5, 5e-5] {
                let at = Vec2::new(0.3 + side * (32.0 - sunk), 700.0 - up * 20.0);
                for shape in [
                    Shape::rect(at, Vec2::splat(16.0), Rot2::IDENTITY),
                    Shape::circle(at, 8.0),
                ] {
                    assert_eq!(contact(&shape, &wall), None);
                    let hit = cast_shape(&shape, Vec2::Y * up * 40.0, &wall);
                    assert_eq!(hit, None, "{shape:?}");
                }
            }
        }
    }
}

#[test]
fn huge_and_tiny_displacements_end_at_the_wall() {
    let wall = Shape::rect(Vec2::new(4.0, 0.0), Vec2::splat(2.0), Rot2::IDENTITY);
    for length in [1e4f32, 1e6, 1e10, 1e30, f32::MAX] {
        let found = cast_ray(&wall, Vec2::ZERO, Vec2::X * length).expect("it hits");
        assert_near(found.fraction * length, 3.0, 1e-5);
        assert_eq!(found.normal, Vec2::NEG_X);
        assert_close(found.point, Vec2::new(3.0, 0.0), 1e-5);
    }
    let step = Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(["..#", "###"], Vec2::splat(2.0))),
        placement: Placement::at(Vec2::ZERO),
    };
    let on_floor = Shape::rect(Vec2::new(-2.0, 0.5), Vec2::ONE, Rot2::IDENTITY);
    for length in [3.0f32, 1e30, f32::MAX] {
        let hit = cast_shape(&on_floor, Vec2::X * length, &step).expect("it hits");
        assert_near(hit.fraction * length, 2.5, 1e-4);
    }
    for length in [1e-4f32, 1e-10, 1e-30, f32::MIN_POSITIVE] {
        let displacement = Vec2::X * length;
        assert_eq!(cast_ray(&wall, Vec2::ZERO, displacement), None);
        let at_the_wall = cast_ray(&wall, Vec2::new(3.0, 0.5), displacement);
        let is_rounding = length < 1e-5;
        let expected = (!is_rounding).then_some((0.0, Vec2::NEG_X));
        assert_eq!(at_the_wall.map(|hit| (hit.fraction, hit.normal)), expected);
        assert_eq!(cast_ray(&wall, Vec2::new(3.0, 0.5), -displacement), None);
    }
}

#[test]
fn a_point_hits_what_has_no_thickness() {
    for number in 0..2000u16 {
        let angle = f32::from(number) * 0.0007 - 0.7;
        let thin = Shape::rect(
            Vec2::new(7.0, 0.0),
            Vec2::new(0.0, 40.0),
            Rot2::radians(angle / 2.0),
        );
        let displacement = Vec2::from_angle(angle) * 25.0;
        let hit = cast_shape(&Shape::circle(Vec2::ZERO, 0.0), displacement, &thin);
        assert!(hit.is_some(), "{angle}");
    }
}

#[test]
fn a_corner_that_meets_a_wall_at_a_seam_hits_the_wall() {
    for (rows, up) in [(["#.", "##"], 1.0), (["##", "#."], -1.0)] {
        let grid = Shape::Tiles {
            tiles: Arc::new(Tiles::from_rows(rows, Vec2::splat(2.0))),
            placement: Placement::at(Vec2::ZERO),
        };
        for from in [-1.0, 1.0] {
            let moving = Shape::rect(Vec2::new(-5.0, from * 2.0), Vec2::ONE, Rot2::IDENTITY);
            let displacement = Vec2::new(5.0, -from * 3.0);
            let found = cast_shape(&moving, displacement, &grid).expect("it hits the wall");
            assert_eq!(
                (found.fraction, found.normal),
                (0.5, Vec2::NEG_X),
                "{from} {up}"
            );
            let found = cast_shape(&grid, -displacement, &moving).expect("it hits the box");
            assert_eq!(
                (found.fraction, found.normal),
                (0.5, Vec2::X),
                "{from} {up}"
            );
        }
    }
}
