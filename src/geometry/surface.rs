//! The surface of shapes that are not convex, as seen from points inside.

use std::cell::Cell;

use bevy::math::{IVec2, Vec2, bounding::Aabb2d};

use super::{Placement, Polygon, Separation, Shape, Tiles, direction_and_length};

/// How deep a point is in a shape that is not convex, if it is in it: from there the surface is nowhere nearer. None on the surface.
pub(super) fn depth_of_point(point: Vec2, shape: &Shape) -> Option<Separation> {
    let out = match shape {
        Shape::Polygon { polygon, placement } => way_to_outline(point, polygon, placement)?,
        Shape::Tiles { tiles, placement } => way_to_open_cell(point, tiles, placement)?,
        _ => return None,
    };
    let (direction, length) = direction_and_length(out)?;
    Some(Separation {
        distance: -length,
        normal: -direction,
        point_a: point,
        point_b: point + out,
    })
}

/// From a point to the nearest one of an outline.
fn way_to_outline(point: Vec2, polygon: &Polygon, placement: &Placement) -> Option<Vec2> {
    let (mut nearest, least) = (None, Cell::new(f32::INFINITY));
    let may_be_nearest = |aabb: &Aabb2d| {
        let beyond = point.clamp(aabb.min, aabb.max) - point;
        beyond.length_squared() < least.get()
    };
    for (start, end, _) in polygon.sides_near(placement, may_be_nearest) {
        let (from, side) = (start - point, end - start);
        let along = (-from.dot(side) / side.length_squared()).clamp(0.0, 1.0);
        let way = from + side * along;
        if way.length_squared() < least.get() {
            least.set(way.length_squared());
            nearest = Some(way);
        }
    }
    nearest
}

/// From a point in a solid cell to the nearest one of a cell that is open, as all are beside the grid: ring by ring around it.
fn way_to_open_cell(point: Vec2, tiles: &Tiles, placement: &Placement) -> Option<Vec2> {
    let in_cells = tiles.in_cells(placement.unapply(point));
    let cell_size = tiles.cell_size() * placement.scale();
    if !(in_cells.is_finite() && cell_size.min_element() > 0.0) {
        return None;
    }
    let middle = in_cells.floor().as_ivec2();
    let is_open = |cell: &IVec2| cell.min_element() < 0 || !tiles.is_solid(cell.as_uvec2());
    let way_to = |cell: IVec2| {
        let nearest = in_cells.clamp(cell.as_vec2(), (cell + 1).as_vec2());
        (nearest - in_cells) * cell_size
    };
    let mut nearest: Option<Vec2> = None;
    for distance in 0..=tiles.size().max_element() as i32 {
        let least = nearest.map_or(f32::INFINITY, Vec2::length);
        if (distance - 1) as f32 * cell_size.min_element() > least {
            break;
        }
        let ways = ring(middle, distance).filter(is_open).map(way_to);
        nearest = (nearest.into_iter().chain(ways))
            .min_by(|p, q| p.length_squared().total_cmp(&q.length_squared()));
    }
    // Rows run down.
    let in_frame = nearest? / placement.scale() * Vec2::new(1.0, -1.0);
    Some(placement.apply_vector(in_frame))
}

/// The cells that are so many columns or rows away from a cell.
fn ring(middle: IVec2, distance: i32) -> impl Iterator<Item = IVec2> {
    (-distance..=distance).flat_map(move |row| {
        let is_edge = row.abs() == distance;
        let step = if is_edge { 1 } else { 2 * distance };
        (-distance..=distance)
            .step_by(step.max(1) as usize)
            .map(move |column| middle + IVec2::new(column, row))
    })
}
