//! Casts of points and segments, which fit between the pieces of other shapes.

use std::{f32::consts::TAU, sync::Arc};

use bevy::math::{Rot2, Vec2};

use super::assert_close;
use crate::geometry::{
    Placement, Shape, TOUCHING_SLOP, Tiles, cast_ray, cast_shape, cast_with_margin, contact,
    touching_slop,
};

/// A grid and an L, which both have lines between pieces through the origin.
fn shapes_of_pieces() -> [Shape; 2] {
    let rows = ["####", ".###", ".###", "####"];
    let vertices = [
        (-4.0, -4.0),
        (4.0, -4.0),
        (4.0, -1.0),
        (0.0, 0.0),
        (-1.0, 4.0),
        (-4.0, 4.0),
    ];
    let grid = Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(rows, Vec2::splat(2.0))),
        placement: Placement::at(Vec2::ZERO),
    };
    [grid, Shape::polygon(vertices.map(Vec2::from)).unwrap()]
}

#[test]
fn nothing_without_thickness_passes_between_two_pieces() {
    for shape in shapes_of_pieces() {
        for step in 0..16u8 {
            let direction = Vec2::from_angle(f32::from(step) * TAU / 16.0);
            // Exact along the axes and the diagonals.
            let direction = (direction * 1e3).round() / 1e3;
            let (from, by) = (direction * -10.0, direction * 20.0);
            let expected = cast_ray(&shape, from, by).expect("it is on the way");
            let segment = Shape::capsule(from - direction, from, 0.0);
            for thin in [Shape::circle(from, 0.0), segment] {
                for margin in [0.0, -touching_slop(&thin, &shape)] {
                    for hit in [
                        cast_with_margin(&thin, by, &shape, margin),
                        cast_with_margin(&shape, -by, &thin, margin),
                    ] {
                        let fraction = hit.map_or(f32::INFINITY, |hit| hit.fraction as f32);
                        let is_near = (fraction - expected.fraction).abs() < 1e-5;
                        assert!(is_near, "{fraction} {expected:?} {thin:?} {margin}");
                    }
                }
                let hit = cast_shape(&thin, by, &shape).expect("it hits");
                assert_close(hit.point, expected.point, 1e-4);
                assert!(hit.normal.dot(direction) < 0.0, "{hit:?}");
                // To just before it, and from inside.
                let almost = by * (expected.fraction - 1e-4);
                assert_eq!(cast_shape(&thin, almost, &shape), None);
                let inside = thin.translated(by * (expected.fraction + 0.06));
                let hit = cast_shape(&inside, by * 0.01, &shape).expect("it starts inside");
                assert_eq!(hit.fraction, 0.0);
                assert!(contact(&inside, &shape).is_some());
                assert!(contact(&shape, &inside).is_some());
            }
        }
    }
}

#[test]
fn a_point_that_only_touches_a_corner_of_cells_does_not_overlap_them() {
    let corners = Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(["#.", ".#"], Vec2::splat(2.0))),
        placement: Placement::at(Vec2::ZERO),
    };
    let point = Shape::circle(Vec2::splat(-3.0), 0.0);
    let margin = -touching_slop(&point, &corners);
    assert!(cast_with_margin(&point, Vec2::splat(6.0), &corners, margin).is_none());
}

#[test]
fn a_thin_circle_on_a_floor_does_not_pass_through_the_wall_at_its_end() {
    let grid = Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(["...#", "####"], Vec2::ONE)),
        placement: Placement::at(Vec2::new(1000.0, 0.0)),
    };
    for radius in [0.0, 1e-4, 2e-4, 3.5e-4, 5e-4, 7e-4, 1e-3, 2e-3] {
        let circle = Shape::circle(Vec2::new(999.0, radius), radius);
        let hit = cast_shape(&circle, Vec2::X * 4.0, &grid).expect("a wall");
        assert!((hit.fraction - 0.5).abs() < 1e-3, "{radius} {hit:?}");
        assert_eq!(hit.normal, Vec2::NEG_X);
    }
}

#[test]
fn a_thin_rectangle_in_a_floor_does_not_pass_through_the_wall_at_its_end() {
    let grid = Shape::Tiles {
        tiles: Arc::new(Tiles::from_rows(["...#", "####"], Vec2::ONE)),
        placement: Placement::at(Vec2::new(1000.0, 0.0)),
    };
    let slop = TOUCHING_SLOP * 1002.0;
    for thickness in [0.1, 1.0, 1.5, 2.2, 2.4, 2.8, 3.2, 4.0, 6.0] {
        for depth in [0.0, 0.3, 0.6, 0.9] {
            let height = thickness * slop;
            let center = Vec2::new(999.0, height / 2.0 - depth * slop);
            let bar = Shape::rect(center, Vec2::new(0.01, height), Rot2::IDENTITY);
            let hit = cast_shape(&bar, Vec2::X * 4.0, &grid);
            let hit = hit.unwrap_or_else(|| panic!("passed: {thickness} {depth}"));
            assert!(
                (hit.fraction - 0.49875).abs() < 1e-3,
                "{thickness} {depth} {hit:?}"
            );
            assert_eq!(hit.normal, Vec2::NEG_X, "{thickness} {depth}");
        }
    }
}
