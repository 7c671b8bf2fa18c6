//! Cuts polygons at the edges of cells.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A piece that covers more cells than this is a collider of its own.
const MAX_CELLS: i32 = 1024;
/// A piece farther from its cell than this, in cells, is a collider of its own as well.
const MAX_DISTANCE: f32 = (1 << 16) as f32;
/// Coordinates in cells that are this close to an edge are on it.
const SNAP: f32 = 1e-3;
/// What is left of a shape in a cell is nothing below this area, in cells.
const MIN_AREA: f32 = 1e-5;

/// Cuts a convex piece, in pixels from the bottom left of a cell with y up, into what is in each
/// cell. `None` if that takes shapes that cells do not have.
pub(crate) fn in_cells(
    piece: &[Vec2],
    cell_size: Vec2,
) -> Option<impl Iterator<Item = (IVec2, CellShape)> + use<>> {
    let points: Vec<Vec2> = (piece.iter())
        .map(|point| snapped(*point / cell_size))
        .collect();
    let low = points.iter().copied().reduce(Vec2::min)?.floor();
    let high = points.iter().copied().reduce(Vec2::max)?.ceil();
    let extent = high - low;
    let distance = low.abs().max(high.abs()).max_element();
    if !(distance <= MAX_DISTANCE && extent.x * extent.y <= MAX_CELLS as f32) {
        return None;
    }
    let [low, high] = [low.as_ivec2(), high.as_ivec2()];
    let mut shapes = Vec::new();
    for y in low.y..high.y {
        for x in low.x..high.x {
            let cell = IVec2::new(x, y);
            let within = clipped(&points, cell.as_vec2());
            if area(&within) < MIN_AREA {
                continue;
            }
            let shape = CellShape::polygon(within).ok()?;
            shapes.push((IVec2::new(x, -y), shape));
        }
    }
    Some(shapes.into_iter())
}

fn snapped(point: Vec2) -> Vec2 {
    let on_edge = |number: f32| {
        let edge = number.round();
        // Adding zero turns minus zero into zero.
        if (number - edge).abs() < SNAP {
            edge + 0.0
        } else {
            number
        }
    };
    Vec2::new(on_edge(point.x), on_edge(point.y))
}

/// The piece of a convex polygon in the unit square at `origin`, from there.
fn clipped(points: &[Vec2], origin: Vec2) -> Vec<Vec2> {
    let mut points: Vec<Vec2> = points.iter().map(|point| *point - origin).collect();
    let edges = [
        (Vec2::X, 0.0),
        (Vec2::Y, 0.0),
        (Vec2::NEG_X, -1.0),
        (Vec2::NEG_Y, -1.0),
    ];
    for (normal, distance) in edges {
        let depth = |point: Vec2| normal.dot(point) - distance;
        let mut kept = Vec::with_capacity(points.len() + 1);
        for (index, &to) in points.iter().enumerate() {
            let from = points[(index + points.len() - 1) % points.len()];
            let [before, after] = [depth(from), depth(to)];
            if (before < 0.0) != (after < 0.0) {
                kept.push(from + (to - from) * (before / (before - after)));
            }
            if after >= 0.0 {
                kept.push(to);
            }
        }
        points = kept;
    }
    for point in &mut points {
        *point = snapped(*point).clamp(Vec2::ZERO, Vec2::ONE);
    }
    points.dedup();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    points
}

fn area(points: &[Vec2]) -> f32 {
    let next = points.iter().cycle().skip(1);
    let doubled: f32 = points.iter().zip(next).map(|(p, q)| p.perp_dot(*q)).sum();
    doubled.abs() / 2.0
}
