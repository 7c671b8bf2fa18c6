//! Searches for the solid or the open cell that is nearest to a point.

use bevy::math::{IVec2, UVec2, Vec2};

use super::{Tiles, chunks::CHUNK, rounded_down};
use crate::geometry::placement::Placement;

/// The offsets from a cell to its four neighbors, and to those at its corners.
const AROUND: [IVec2; 8] = [
    IVec2::NEG_X,
    IVec2::X,
    IVec2::NEG_Y,
    IVec2::Y,
    IVec2::NEG_ONE,
    IVec2::new(1, -1),
    IVec2::new(-1, 1),
    IVec2::ONE,
];

impl Tiles {
    /// Returns the solid cell nearest to a point in the grid's frame, among the cell at the point
    /// and the eight around it. If several are equally near, prefers the cell at the point, then
    /// the others.
    pub(in crate::geometry) fn solid_cell_near(&self, point: Vec2) -> Option<UVec2> {
        let position = self.in_cells(point);
        if !position.is_finite() {
            return None;
        }
        let own = rounded_down(position);
        if self.has_shaped_cells() {
            return self.nearest_shaped_cell(own, position);
        }
        let in_own = position - own.as_vec2();
        let is_past_center = in_own.cmpgt(Vec2::splat(0.5));
        let corner = IVec2::select(is_past_center, IVec2::ONE, IVec2::NEG_ONE);
        let from_corner = (in_own - corner.max(IVec2::ZERO).as_vec2()).abs();
        let mut beside = [corner.with_y(0), corner.with_x(0)];
        if from_corner.x > from_corner.y {
            beside.reverse();
        }
        let solid_at = |offset| self.solid_cell_at(own, offset);
        // From half a cell on, the cells on the other sides are nearer.
        let at_corner = || solid_at(corner).filter(|_| from_corner.length_squared() <= 0.25);
        (solid_at(IVec2::ZERO))
            .or_else(|| beside.into_iter().find_map(solid_at))
            .or_else(at_corner)
            .or_else(|| self.nearest_solid_cell_around(own, in_own))
    }

    /// Like [`solid_cell_near`](Self::solid_cell_near), by the shapes of the cells.
    fn nearest_shaped_cell(&self, own: IVec2, position: Vec2) -> Option<UVec2> {
        let around = std::iter::once(IVec2::ZERO).chain(AROUND);
        let cells = around.map(|offset| own.wrapping_add(offset).as_uvec2());
        cells
            .map(|cell| (self.distance_from_cell(cell, position), cell))
            .filter(|(distance, _)| *distance < f32::INFINITY)
            .min_by(|p, q| p.0.total_cmp(&q.0))
            .map(|(_, cell)| cell)
    }

    /// The solid cell that is nearest to a position, of those around a cell. The position is
    /// relative to that cell's corner.
    fn nearest_solid_cell_around(&self, cell: IVec2, position: Vec2) -> Option<UVec2> {
        let square_of_distance = |offset: IVec2| {
            let low = offset.as_vec2();
            position.clamp(low, low + 1.0).distance_squared(position)
        };
        (AROUND.into_iter())
            .filter_map(|offset| {
                let solid = self.solid_cell_at(cell, offset)?;
                Some((square_of_distance(offset), solid))
            })
            .min_by(|p, q| p.0.total_cmp(&q.0))
            .map(|(_, solid)| solid)
    }

    /// The cell at an offset from another one, if it is solid.
    fn solid_cell_at(&self, cell: IVec2, offset: IVec2) -> Option<UVec2> {
        // Negative numbers become huge ones.
        let cell = cell.wrapping_add(offset).as_uvec2();
        self.is_solid(cell).then_some(cell)
    }

    /// Returns the displacement from a point of the world in a solid cell to the nearest point of
    /// an open cell, row by row from the point on. All cells outside of the grid are open. `None`
    /// if the point or the displacement is not finite, if the cells have no size, or if a cell
    /// there is neither full nor open.
    pub(in crate::geometry) fn to_open_cell(
        &self,
        point: Vec2,
        placement: &Placement,
    ) -> Option<Vec2> {
        let in_cells = self.in_cells(placement.inverse_transform_point(point));
        // If the width of cells overflows, borders along the other axis are nearer.
        let cell_size = (self.cell_size * placement.scale()).min(Vec2::MAX);
        let size = self.size;
        if !(in_cells.is_finite() && size.min_element() > 0 && cell_size.min_element() > 0.0) {
            return None;
        }
        let beside = size.as_vec2() - in_cells;
        let to_borders = [
            Vec2::new(-in_cells.x, 0.0),
            Vec2::new(beside.x, 0.0),
            Vec2::new(0.0, -in_cells.y),
            Vec2::new(0.0, beside.y),
        ];
        let shorter = |p: Vec2, q: Vec2| if q.length() < p.length() { q } else { p };
        let mut nearest = to_borders
            .map(|displacement| displacement * cell_size)
            .into_iter()
            .reduce(shorter)?;
        let to_cell = |cell: UVec2| {
            let corner = cell.as_vec2();
            (in_cells.clamp(corner, corner + 1.0) - in_cells) * cell_size
        };
        let own = in_cells.as_uvec2().min(size - 1);
        for distance in 0..size.y {
            let above = own.y.checked_sub(distance);
            let below = Some(own.y + distance).filter(|row| distance > 0 && *row < size.y);
            let least = nearest.length();
            let is_near = |row: &u32| to_cell(UVec2::new(own.x, *row)).y.abs() < least;
            let mut rows = [above, below]
                .into_iter()
                .flatten()
                .filter(is_near)
                .peekable();
            if rows.peek().is_none() {
                break;
            }
            let max_columns = ((least / cell_size.x) as u32).saturating_add(1);
            let cells = rows.flat_map(|row| {
                let columns = self.open_columns_near(row, own.x, max_columns);
                (columns.into_iter().flatten()).map(move |column| UVec2::new(column, row))
            });
            nearest = cells.map(to_cell).fold(nearest, shorter);
        }
        if self.has_shaped_cells() && self.is_shaped_near(in_cells, nearest / cell_size) {
            return None;
        }
        // Rows run down.
        let in_frame = nearest / placement.scale() * Vec2::new(1.0, -1.0);
        Some(placement.transform_vector(in_frame)).filter(|displacement| displacement.is_finite())
    }

    /// Whether a displacement from a position, both in cells, begins or ends at a cell that is
    /// neither full nor open: then it may end at what is solid there. On a line between cells,
    /// those on both sides count.
    fn is_shaped_near(&self, position: Vec2, displacement: Vec2) -> bool {
        [position, position + displacement].iter().any(|position| {
            [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
                .iter()
                .any(|&corner| {
                    let cell = rounded_down(position + 0.25 * Vec2::from(corner)).as_uvec2();
                    self.cell_shape(cell).is_some_and(|shape| !shape.is_full())
                })
        })
    }

    /// The first open cell of a row, of the columns from `from` up to, but not including, `to`.
    fn first_open(&self, row: u32, from: u32, to: u32) -> Option<u32> {
        let mut column = from;
        while column < to {
            let sought = !self.word(row, column / CHUNK) >> (column % CHUNK);
            if sought != 0 {
                let found = column + sought.trailing_zeros();
                return (found < to).then_some(found);
            }
            column = (column / CHUNK + 1) * CHUNK;
        }
        None
    }

    /// The last open cell of a row, of the columns from `from` up to, but not including, `to`.
    fn last_open(&self, row: u32, from: u32, to: u32) -> Option<u32> {
        let mut end = to;
        while end > from {
            let last = end - 1;
            let sought = !self.word(row, last / CHUNK) << (CHUNK - 1 - last % CHUNK);
            if sought != 0 {
                let found = last.checked_sub(sought.leading_zeros())?;
                return (found >= from).then_some(found);
            }
            end = last / CHUNK * CHUNK;
        }
        None
    }

    /// The nearest open columns of a row on both sides of one, which may be itself, up to
    /// `max_distance` columns away.
    fn open_columns_near(&self, row: u32, column: u32, max_distance: u32) -> [Option<u32>; 2] {
        let to = column.saturating_add(max_distance).saturating_add(1);
        [
            self.last_open(row, column.saturating_sub(max_distance), column + 1),
            self.first_open(row, column, to.min(self.size.x)),
        ]
    }
}
