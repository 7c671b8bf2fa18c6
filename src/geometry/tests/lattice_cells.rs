//! Rays and points on the lines between cells of any shape, as maps are drawn.

use std::f32::consts::TAU;

use bevy::math::{Affine2, Vec2, Vec2Swizzles};

use super::shaped_cells::{cell_by_cell, placed, shapes};
use crate::geometry::{CastHit, Shape, Tiles, cast_ray, contains_point, separation};

/// A small grid, half of it open.
fn lattice_grid(rng: &mut fastrand::Rng, cell: f32) -> Tiles {
    let (columns, rows) = (rng.u32(1..6), rng.u32(1..6));
    let numbers: Vec<i32> = (0..columns * rows)
        .map(|_| [0, 0, 1, rng.i32(2..36)][rng.usize(0..4)])
        .collect();
    Tiles::from_int_grid(columns, numbers, Vec2::splat(cell), &shapes())
}

/// Whether a point is inside of all cells together: whether there is a cell all around it.
fn is_within(cells: &[Shape], point: Vec2, radius: f32) -> bool {
    let around = (0..16).map(|number| Vec2::from_angle(TAU * (number as f32 + 0.5) / 16.0));
    (around.map(|direction| point + direction * radius))
        .all(|point| cells.iter().any(|cell| contains_point(cell, point)))
}

/// Whether a point is a vertex of a cell.
fn is_corner(cells: &[Shape], point: Vec2, radius: f32) -> bool {
    let vertices = cells.iter().filter_map(Shape::as_convex).flat_map(|cell| {
        let center = cell.center();
        let vertices: Vec<Vec2> = cell.vertices().map(|vertex| vertex + center).collect();
        vertices
    });
    (vertices.into_iter()).any(|vertex| vertex.distance(point) < radius)
}

/// On a lattice as maps are drawn: whole and half cells, from which rays go along the lines between
/// cells, and through their corners.
#[test]
fn rays_on_a_lattice_hit_where_samples_are_inside() {
    const SAMPLES: i32 = 16;
    let mut rng = fastrand::Rng::with_seed(8);
    let mut hits = [0; 2];
    for case in 0..4000 {
        let cell = [1.0, 16.0, 0.5, 0.1][rng.usize(0..4)];
        let tiles = lattice_grid(&mut rng, cell);
        let is_exact = rng.bool();
        let turn = if is_exact {
            Affine2::IDENTITY
        } else {
            Affine2::from_angle(TAU / 8.0 * f32::from(rng.u8(1..8)))
        };
        let cells = cell_by_cell(&tiles, &turn);
        let grid = placed(tiles, &turn);
        let half_cells = |number: i32| number as f32 * 0.5 * cell;
        let line = half_cells(rng.i32(-4..5));
        let (from, to) = (half_cells(rng.i32(-7..8)), half_cells(rng.i32(-7..8)));
        let is_upright = rng.bool();
        let point = |along: f32| {
            let point = Vec2::new(along, line);
            let point = if is_upright { point.yx() } else { point };
            turn.transform_vector2(point)
        };
        if from == to {
            continue;
        }
        let length = (to - from).abs() / cell;
        let samples = (length * SAMPLES as f32) as i32;
        // Between the lattice's points, where nothing begins.
        let sample = |number: i32| from + (to - from) * ((number as f32 + 0.5) / samples as f32);
        let first =
            (0..samples).find(|&number| is_within(&cells, point(sample(number)), 1e-3 * cell));
        let direction = point(to) - point(from);
        let found = cast_ray(&grid, point(from), direction);
        // At its very end it may touch a cell.
        let found = found.filter(|hit| hit.fraction < 1.0 - 0.5 / samples as f32);
        let case = format!("case {case}: from {} to {}", point(from), point(to));
        let at_sample = |hit: CastHit| hit.fraction * samples as f32;
        let expected = first.map_or(f32::INFINITY, |first| first as f32);
        let hit = found.map_or(f32::INFINITY, at_sample);
        // A ray hits the corners through which it goes, and edges along which it goes if rounding
        // turns it into them.
        let is_grazed = |hit: CastHit| !is_exact || is_corner(&cells, hit.point, 1e-4 * cell);
        let is_grazed = hit < expected && found.is_some_and(is_grazed);
        assert!(
            is_grazed || hit == expected || (hit - expected).abs() < 1.5,
            "{case}: sample {hit} instead of {expected}"
        );
        hits[0] += u32::from(expected == 0.0);
        hits[1] += u32::from(expected > 0.0 && expected < f32::INFINITY && !is_grazed);
    }
    assert!(hits[0] > 100 && hits[1] > 100, "{hits:?}");
}

/// On a lattice as maps are drawn: on the lines between cells, at their corners and centers.
#[test]
fn the_nearest_surface_of_a_point_on_a_lattice_is_none_between_cells() {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut inside = 0;
    for case in 0..4000 {
        let cell = [1.0, 16.0, 0.5, 0.1][rng.usize(0..4)];
        let tiles = lattice_grid(&mut rng, cell);
        let cells = cell_by_cell(&tiles, &Affine2::IDENTITY);
        let grid = placed(tiles, &Affine2::IDENTITY);
        let [x, y] = [0; 2].map(|_: i32| 0.25 * cell * rng.i32(-8..9) as f32);
        let point = Vec2::new(x, y);
        if !is_within(&cells, point, 1e-3 * cell) {
            continue;
        }
        inside += 1;
        let found = separation(&Shape::circle(point, 0.0), &grid);
        let depth = -found.distance;
        let case = format!("case {case}: {depth} deep at {point}");
        let nearer = (0..64).map(|number| Vec2::from_angle(TAU * (number as f32 + 0.5) / 64.0));
        for direction in nearer {
            let nearer = point + direction * (depth - 2e-3 * cell);
            assert!(
                is_within(&cells, nearer, 1e-3 * cell),
                "{case}: not {nearer}"
            );
        }
        let surface = found.point_b;
        assert!(
            !is_within(&cells, surface, 4e-3 * cell),
            "{case}: not at {surface}"
        );
    }
    assert!(inside > 300, "{inside}");
}
