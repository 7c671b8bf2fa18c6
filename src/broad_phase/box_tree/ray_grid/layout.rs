use bevy::math::{DVec2, IVec2};

use super::{
    super::{super::Sweep, approach::ROUNDING, node::Limits},
    cell::{Insets, STEPS},
};

/// How many boxes there are for each cell. Somewhat more are in it, for those on its border are in other cells, too.
const BOXES_PER_CELL: f64 = 3.0;
/// How far around itself a box is listed at least, in cells: more than rounding shifts a ray, which is by a few units in the last place of
/// about thrice [`MOST_CELLS`].
const MARGIN: f64 = 1.0 / 128.0;
/// About so many columns and rows there are at most.
const MOST_CELLS: f64 = 4096.0;
/// Rays that start further away than so many cells go through the tree.
const FURTHEST_START: f64 = 2.0 * MOST_CELLS;

/// Where the cells of a grid are.
#[derive(Clone, Copy, Default)]
pub(super) struct Layout {
    /// The lower left corner of the first cell, in world units.
    pub origin: DVec2,
    pub cells_per_unit: f64,
    /// How many columns and rows there are.
    pub size: IVec2,
    /// How far around itself a box is listed, in cells: [`MARGIN`], and what rounding does to its coordinates.
    pub margin: f64,
}

impl Layout {
    /// Cells all over so many boxes that are within `bounds`. None, if there are no boxes, or all are on a spot but for rounding.
    pub fn over(bounds: Limits, count: usize) -> Option<Self> {
        let [left, bottom, right, top] = bounds.to_array().map(f64::from);
        let size = DVec2::new(-right - left, -top - bottom);
        // Where all boxes are nearly on a line, there is a cell for each.
        let most = (count as f64).min(MOST_CELLS);
        let side = (size.element_product() * BOXES_PER_CELL / count as f64)
            .sqrt()
            .max(size.max_element() / most);
        let rounding = f64::from(ROUNDING * bounds.abs().max_element());
        let margin = MARGIN + rounding / side;
        let border = 2.0 * margin + 1.0 / f64::from(STEPS);
        let cells = size / side + 2.0 * border;
        let is_of_use = side.recip().is_normal() && margin < 1.0;
        is_of_use.then(|| Self {
            origin: DVec2::new(left, bottom) - border * side,
            cells_per_unit: side.recip(),
            size: cells.as_ivec2() + 1,
            margin,
        })
    }

    pub fn cell_count(&self) -> usize {
        self.cell(0, self.size.y as u32)
    }

    /// The number of a cell, row by row.
    #[inline]
    pub fn cell(&self, column: u32, row: u32) -> usize {
        row as usize * self.size.x as usize + column as usize
    }

    /// Whether a ray starts so near that rounding shifts it by less than the margin.
    #[inline]
    pub fn is_near(&self, ray: &Sweep) -> bool {
        self.cells_to(ray).abs().max_element() < FURTHEST_START
    }

    /// Where a ray starts, in cells from the origin.
    #[inline]
    pub fn cells_to(&self, ray: &Sweep) -> DVec2 {
        (ray.start.min.as_dvec2() - self.origin) * self.cells_per_unit
    }

    /// The parts of a box within the bounds: the number of each cell, row by row, and where in it the part is.
    pub fn parts_of(&self, limits: Limits) -> impl Iterator<Item = (usize, Insets)> {
        let [columns, rows] = [0, 1].map(|axis| self.span(axis, limits));
        rows.parts().flat_map(move |(row, [bottom, top])| {
            columns.parts().map(move |(column, [left, right])| {
                (self.cell(column, row), [left, bottom, right, top])
            })
        })
    }

    /// Where a box is along an axis.
    fn span(&self, axis: usize, limits: Limits) -> Span {
        let steps = |coordinate: f64| {
            (coordinate - self.origin[axis]) * self.cells_per_unit * f64::from(STEPS)
        };
        let margin = self.margin * f64::from(STEPS);
        let start = (steps(limits[axis].into()) - margin) as u32;
        let end = (steps(-f64::from(limits[axis + 2])) + margin) as u32 + 1;
        // What ends on a line is taken to go beyond it.
        Span {
            start: start - u32::from(start.is_multiple_of(STEPS)),
            end: end + u32::from(end.is_multiple_of(STEPS)),
        }
    }
}

/// From where to where something is along an axis, in steps, of which there are [`STEPS`] to a cell. Neither is on a line between cells.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The cells, each with how far the part in it is away from both ends of the cell, in steps. Zero is where it goes on.
    fn parts(self) -> impl Iterator<Item = (u32, [u8; 2])> {
        (self.start / STEPS..=self.end / STEPS).map(move |cell| {
            let line = cell * STEPS;
            let steps = [
                self.start.saturating_sub(line),
                (line + STEPS).saturating_sub(self.end),
            ];
            (cell, steps.map(|steps| steps as u8))
        })
    }
}
