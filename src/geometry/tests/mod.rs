//! The geometry against oracles that share no function with it.

mod boolean;
mod bounds;
mod cast;
mod cast_cases;
mod compound;
mod contact;
mod depth;
mod distance;
mod even_odd;
mod far_cells;
mod flat_surfaces;
mod grid_lines;
mod lattice_cells;
mod line;
mod many_pieces;
mod nasty;
mod outlines;
mod overlap;
mod polygon;
mod positions;
mod promises;
mod ray;
mod recipes;
mod redundant_vertices;
mod reference;
mod round_corners;
mod shaped_cells;
mod shapes;
mod slide;
mod thin;
mod tile_rays;
mod tile_text;
mod tiles;
mod transformed;

use bevy::math::Vec2;

/// Fails unless two numbers differ by at most `tolerance`.
#[track_caller]
fn assert_near(actual: f32, expected: f32, tolerance: f32) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not within {tolerance} of {expected}"
    );
}

/// Fails unless two points are at most `tolerance` apart.
#[track_caller]
fn assert_close(actual: Vec2, expected: Vec2, tolerance: f32) {
    assert!(
        actual.distance(expected) <= tolerance,
        "{actual} is not within {tolerance} of {expected}"
    );
}
