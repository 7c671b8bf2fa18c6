//! The distance from far away to the nearest cell of a large grid, against all of its cells.

use std::{f32::consts::TAU, sync::Arc};

use bevy::math::{Affine2, Rot2, UVec2, Vec2};
use fastrand::Rng;

use crate::{
    aabb::Aabb2d,
    geometry::{Placement, Shape, Tiles, separation},
};

const EVERYWHERE: Aabb2d = Aabb2d {
    min: Vec2::NEG_INFINITY,
    max: Vec2::INFINITY,
};

/// The number of columns and of rows.
const SIZE: u32 = 400;
/// Of coordinates of up to 1,000 units.
const ROUNDING: f32 = 1e-3;

#[test]
fn a_far_grid_is_as_far_as_its_nearest_cell() {
    let mut rng = Rng::with_seed(5);
    for round in 0..400 {
        let mut tiles = Tiles::new(SIZE, SIZE, Vec2::new(1.0, 1.5));
        // A few cells, or a noisy ground.
        for _ in 0..if round % 2 == 0 { 8 } else { 3000 } {
            let cell = UVec2::new(rng.u32(0..SIZE), rng.u32(0..SIZE));
            if round % 2 == 0 || cell.y > SIZE * 3 / 4 {
                tiles.set(cell, true);
            }
        }
        let placement = Placement::at(Vec2::new(rng.f32(), rng.f32()) * 100.0);
        let rotation = [0.0, rng.f32() * TAU][rng.usize(0..2)];
        let pose = Affine2::from_angle(rotation);
        let grid = Shape::Tiles {
            tiles: Arc::new(tiles),
            placement,
        }
        .transformed(&pose);
        let center = Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * 600.0;
        let shape = match rng.u8(0..3) {
            0 => Shape::circle(center, 0.0),
            1 => Shape::circle(center, 5.0),
            _ => Shape::rect(center, Vec2::new(40.0, 3.0), Rot2::radians(rng.f32())),
        };
        let mut expected = f32::INFINITY;
        grid.visit_convex_pieces(&EVERYWHERE, &mut |piece| {
            expected = expected.min(separation(&shape, piece).distance);
        });
        if expected > 0.0 {
            for found in [separation(&shape, &grid), separation(&grid, &shape)] {
                assert!(
                    (found.distance - expected).abs() < ROUNDING,
                    "round {round}: {} instead of {expected}",
                    found.distance
                );
            }
        }
    }
}
