use bevy::math::DVec2;

use super::{
    super::{super::Sweep, approach::ROUNDING, node::Limits},
    traversal::Crossing,
};

/// How many boxes there are for each cell. Somewhat more are in it, for those on its border are in other cells, too.
const BOXES_PER_CELL: f64 = 4.5;
/// How far around itself a box is listed at least, in cells: far more than rounding shifts a ray.
const MARGIN: f64 = 1e-3;

/// Where the cells of a grid are.
#[derive(Clone, Copy, Default)]
pub(super) struct Layout {
    /// The lower left corner of the first cell, in world units.
    pub origin: DVec2,
    pub cells_per_unit: f64,
    pub columns: u32,
    pub rows: u32,
    /// How far around itself a box is listed, in cells: [`MARGIN`], and what rounding does to its coordinates.
    margin: f64,
}

impl Layout {
    /// Cells all over so many boxes that are within `bounds`. None, if there are no boxes, or all are on a spot but for rounding.
    pub fn over(bounds: Limits, count: usize) -> Option<Self> {
        let [left, bottom, right, top] = bounds.to_array().map(f64::from);
        let size = DVec2::new(-right - left, -top - bottom);
        let count = count as f64;
        // Where all boxes are nearly on a line, there is a cell for each.
        let side = (size.element_product() * BOXES_PER_CELL / count)
            .sqrt()
            .max(size.max_element() / count);
        let rounding = f64::from(ROUNDING * bounds.abs().max_element());
        let margin = MARGIN + rounding / side;
        let cells = size / side + 4.0 * margin;
        let is_of_use = side.recip().is_normal() && margin < 1.0;
        is_of_use.then(|| Self {
            origin: DVec2::new(left, bottom) - 2.0 * margin * side,
            cells_per_unit: side.recip(),
            columns: cells.x as u32 + 1,
            rows: cells.y as u32 + 1,
            margin,
        })
    }

    pub fn cell_count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Whether a ray starts so near that rounding shifts it by less than the margin.
    #[inline]
    pub fn is_near(&self, ray: &Sweep) -> bool {
        let rounding = ROUNDING * ray.start.min.abs().max_element();
        f64::from(rounding) * self.cells_per_unit <= self.margin
    }

    /// The number of a cell, row by row.
    #[inline]
    pub fn cell(&self, column: u32, row: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// The cells in which a box is listed.
    pub fn cells_of(&self, limits: Limits) -> impl Iterator<Item = usize> {
        let span = |axis, count: u32| {
            let [first, last] = [self.first(axis, limits), self.last(axis, limits)];
            first as u32..=(last as u32).min(count - 1)
        };
        let (columns, rows) = (span(0, self.columns), span(1, self.rows));
        rows.flat_map(move |row| columns.clone().map(move |column| self.cell(column, row)))
    }

    /// Whether a box is listed on the side of a line from which a ray crosses it.
    #[inline]
    pub fn is_before(&self, limits: Limits, line: Crossing) -> bool {
        if line.is_upwards {
            self.first(line.axis, limits) < line.at
        } else {
            self.last(line.axis, limits) >= line.at
        }
    }

    /// Where along an axis the cells of a box begin.
    #[inline]
    fn first(&self, axis: usize, limits: Limits) -> f64 {
        (f64::from(limits[axis]) - self.origin[axis]) * self.cells_per_unit - self.margin
    }

    /// Where they end.
    #[inline]
    fn last(&self, axis: usize, limits: Limits) -> f64 {
        (-f64::from(limits[axis + 2]) - self.origin[axis]) * self.cells_per_unit + self.margin
    }
}
