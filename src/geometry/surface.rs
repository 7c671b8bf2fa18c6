//! The surface of shapes that are not convex, as seen from points inside.

use std::cell::Cell;

use bevy::math::{UVec2, Vec2, bounding::Aabb2d};

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

/// From a point in a solid cell to the nearest one of a cell that is open, as all are beside the grid: row by row from the point on.
fn way_to_open_cell(point: Vec2, tiles: &Tiles, placement: &Placement) -> Option<Vec2> {
    let in_cells = tiles.in_cells(placement.inverse_transform_point(point));
    let (size, cell_size) = (tiles.size(), tiles.cell_size() * placement.scale());
    if !(in_cells.is_finite() && size.min_element() > 0 && cell_size.min_element() > 0.0) {
        return None;
    }
    let beside = size.as_vec2() - in_cells;
    let sides = [
        Vec2::new(-in_cells.x, 0.0),
        Vec2::new(beside.x, 0.0),
        Vec2::new(0.0, -in_cells.y),
        Vec2::new(0.0, beside.y),
    ];
    let shorter = |p: Vec2, q: Vec2| if q.length() < p.length() { q } else { p };
    let mut nearest = sides
        .map(|way| way * cell_size)
        .into_iter()
        .reduce(shorter)?;
    let way_to = |cell: UVec2| {
        let corner = cell.as_vec2();
        (in_cells.clamp(corner, corner + 1.0) - in_cells) * cell_size
    };
    let middle = in_cells.as_uvec2().min(size - 1);
    for distance in 0..size.y {
        let above = middle.y.checked_sub(distance);
        let below = Some(middle.y + distance).filter(|row| distance > 0 && *row < size.y);
        let least = nearest.length();
        let is_near = |row: &u32| way_to(UVec2::new(middle.x, *row)).y.abs() < least;
        let mut rows = [above, below]
            .into_iter()
            .flatten()
            .filter(is_near)
            .peekable();
        if rows.peek().is_none() {
            break;
        }
        let reach = ((least / cell_size.x) as u32).saturating_add(1);
        let cells = rows.flat_map(|row| {
            let columns = tiles.open_columns_near(row, middle.x, reach);
            (columns.into_iter().flatten()).map(move |column| UVec2::new(column, row))
        });
        nearest = cells.map(way_to).fold(nearest, shorter);
    }
    // Rows run down.
    let in_frame = nearest / placement.scale() * Vec2::new(1.0, -1.0);
    Some(placement.transform_vector(in_frame))
}
