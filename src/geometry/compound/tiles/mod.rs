//! Grids of solid cells.

mod cell_shape;
mod chunks;
mod edges;
mod from_cells;
mod kinds;
mod nearest_cell;
mod packed_cell;
mod rects;
#[cfg(feature = "serialize")]
mod text;
mod traversal;

pub use cell_shape::{CellShape, CellShapeError};
pub(in crate::geometry) use kinds::CellPiece;
pub use kinds::CellShapes;
pub(in crate::geometry) use packed_cell::PackedCell;
pub(in crate::geometry) use traversal::CellEntry;

use std::sync::Arc;

use bevy::math::{DVec2, IVec2, UVec2, Vec2};

use crate::{aabb::Aabb2d, geometry::vectors::not_negative};
use chunks::{CHUNK, Chunks, EMPTY, NewCell};
use kinds::Kinds;

/// The rounding of a position, in cells. At the edges of the widest grid it is 0.009.
const CELL_ROUNDING: f32 = 0.01;
/// The largest number of columns and of rows.
const MAX_SIDE: u32 = 65_535;

/// A grid of cells, some of them solid, in a frame of its own with the center of the grid as the
/// origin.
///
/// Cells are addressed by column and row. As in text and images, columns increase to the right and
/// rows downward (with y up), so that the first cell is the one at the top left.
///
/// A cell takes one bit. Cells are kept in chunks of 64 by 64. A chunk without a solid cell takes
/// no memory, so that the memory of a large grid depends on its solid cells; copies share chunks
/// until one is changed.
///
/// With the feature `serialize` a grid is written as rows of text, as
/// [`from_rows`](Self::from_rows) reads them, with `#` for solid cells. Written by hand, a grid
/// looks like `(cell_size: (16.0, 16.0), rows: ["#..#", "####"])`. A large grid is written as
/// `spans` of text instead, each with the column and row of its first character: `spans: [((4000,
/// 70), "##.#")]`. Its `size` in columns and rows is only needed where the text ends before the
/// grid does.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "text::TileText", into = "text::TileText")
)]
pub struct Tiles {
    size: UVec2,
    cell_size: Vec2,
    chunks: Chunks,
    /// `None` if each cell is full or open.
    kinds: Option<Arc<Kinds>>,
}

/// Cells from a first one up to, but not including, another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::geometry) struct CellRange {
    pub start: UVec2,
    pub end: UVec2,
}

impl Tiles {
    /// A grid with this many columns and rows, at most 65,535 of each, without a solid cell. A
    /// negative cell size counts as zero.
    pub fn new(columns: u32, rows: u32, cell_size: Vec2) -> Self {
        Self {
            size: UVec2::new(columns, rows).min(UVec2::splat(MAX_SIDE)),
            cell_size: Vec2::new(not_negative(cell_size.x), not_negative(cell_size.y)),
            chunks: Chunks::default(),
            kinds: None,
        }
    }

    /// Like [`new`](Self::new), for cells with numbers, each of which has a shape.
    pub fn with_shapes(columns: u32, rows: u32, cell_size: Vec2, shapes: &CellShapes) -> Self {
        let tiles = Self::new(columns, rows, cell_size);
        let kinds = Kinds::new(shapes.clone(), tiles.cell_size);
        Self {
            kinds: Some(Arc::new(kinds)),
            ..tiles
        }
    }

    /// The number of columns and of rows.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// The width and height of a cell, in world units before scale.
    pub fn cell_size(&self) -> Vec2 {
        self.cell_size
    }

    /// Whether all of a cell is solid. No cell outside of the grid is.
    pub fn is_solid(&self, cell: UVec2) -> bool {
        // Outside, none was ever set.
        self.word(cell.y, cell.x / CHUNK) >> (cell.x % CHUNK) & 1 == 1
    }

    /// Makes a cell solid or open. Does nothing outside of the grid. In a grid with numbers, the
    /// cell gets the first number that is full; without one, it stays as it is.
    pub fn set(&mut self, cell: UVec2, is_solid: bool) {
        if !self.is_set(cell, is_solid) && (self.plain() != 0 || !is_solid) {
            self.set_number(cell, if is_solid { self.plain() } else { 0 });
        }
    }

    /// Whether a cell is all solid already, or open.
    pub(crate) fn is_set(&self, cell: UVec2, is_solid: bool) -> bool {
        if is_solid {
            self.is_solid(cell)
        } else {
            self.number(cell) == 0
        }
    }

    /// The number of a cell. 0 if it is open, as all cells outside of the grid are. 1 for the solid
    /// cells of a grid without numbers.
    pub fn number(&self, cell: UVec2) -> u8 {
        let chunk = self.chunks.get(cell / CHUNK).unwrap_or(&EMPTY);
        if cell.cmplt(self.size).all() {
            chunk.number(cell % CHUNK, self.plain())
        } else {
            0
        }
    }

    /// Gives a cell the shape of a number. Makes it open if the number has no shape. Does nothing
    /// outside of the grid. A grid without numbers has 1 alone.
    pub fn set_number(&mut self, cell: UVec2, number: u8) {
        let shape = self.shape_of(number);
        let new = NewCell {
            number: if shape.is_some() { number } else { 0 },
            is_full: shape.is_some_and(CellShape::is_full),
        };
        if cell.cmplt(self.size).all() && self.number(cell) != new.number {
            self.chunks.set(cell, new, self.plain());
        }
    }

    /// The shapes of the numbers, or `None` for a grid without numbers.
    pub fn shapes(&self) -> Option<&CellShapes> {
        self.kinds.as_ref().map(|kinds| &kinds.shapes)
    }

    /// The shape of a cell. `None` if it is open.
    pub fn cell_shape(&self, cell: UVec2) -> Option<&CellShape> {
        self.shape_of(self.number(cell))
    }

    fn shape_of(&self, number: u8) -> Option<&CellShape> {
        static FULL: CellShape = CellShape::FULL;
        match &self.kinds {
            Some(kinds) => kinds.shapes.get(number),
            None => (number == 1).then_some(&FULL),
        }
    }

    /// The number of cells in chunks without numbers.
    fn plain(&self) -> u8 {
        self.kinds.as_ref().map_or(1, |kinds| kinds.plain)
    }

    /// The cell at a point in the grid's frame, solid or not, or `None` outside of the grid and for
    /// NaN.
    pub fn cell_at(&self, point: Vec2) -> Option<UVec2> {
        let cell = self.in_cells(point).floor();
        let is_inside = cell.cmpge(Vec2::ZERO).all() && cell.cmplt(self.size.as_vec2()).all();
        is_inside.then(|| cell.as_uvec2())
    }

    /// The center of a cell, in the grid's frame.
    pub fn cell_center(&self, cell: UVec2) -> Vec2 {
        self.corner(cell) + Vec2::new(0.5, -0.5) * self.cell_size
    }

    /// Whether all cells within `slop` or rounding of a point in the grid's frame are solid.
    pub(in crate::geometry) fn is_solid_around(&self, point: Vec2, slop: Vec2) -> bool {
        // Cells without size contain nothing.
        let have_size = self.cell_size.cmpgt(Vec2::ZERO).all();
        if self.kinds.is_some() {
            return have_size && self.is_solid_at_corners(point, slop);
        }
        have_size && (self.cells_around(point, slop)).all(|cell| self.is_solid(cell))
    }

    /// Whether no cell within `slop` of a point is solid. May return false where cells are about as
    /// small as the slop.
    pub(in crate::geometry) fn is_open_around(&self, point: Vec2, slop: Vec2) -> bool {
        let are_all_tested = (slop / self.cell_size).max_element() < 0.25;
        let mut cells = self.cells_around(point, slop);
        are_all_tested
            && match self.kinds {
                None => cells.all(|cell| !self.is_solid(cell)),
                Some(_) => cells.all(|cell| self.cell_shape(cell).is_none()),
            }
    }

    /// The cells at the four corners of the box around a point. Some may be equal.
    fn cells_around(&self, point: Vec2, slop: Vec2) -> impl Iterator<Item = UVec2> {
        let position = self.in_cells(point);
        let slop = self.slop_in_cells(slop);
        // Negative numbers become huge ones.
        let [low, high] =
            [position - slop, position + slop].map(|corner| rounded_down(corner).as_uvec2());
        let corners = [
            low,
            high,
            UVec2::new(low.x, high.y),
            UVec2::new(high.x, low.y),
        ];
        corners.into_iter()
    }

    /// Converts a slop in the grid's frame to cells, with the rounding of a position in cells.
    pub(in crate::geometry) fn slop_in_cells(&self, slop: Vec2) -> Vec2 {
        slop / self.cell_size + 2.0 * f32::EPSILON * self.size.as_vec2()
    }

    /// The cells of which anything is solid, row by row.
    pub fn solid_cells(&self) -> impl Iterator<Item = UVec2> {
        self.chunks.solid_cells()
    }

    /// The cells of which anything is solid, in an area in the grid's frame or next to it.
    pub(in crate::geometry) fn solid_cells_near(
        &self,
        area: &Aabb2d,
    ) -> impl Iterator<Item = UVec2> {
        let range = self.range_of(area);
        let first = range.start / CHUNK;
        let last = range.end.max(UVec2::ONE) - 1;
        let chunks = self.chunks.iter_within(first, last / CHUNK);
        chunks.flat_map(move |(index, chunk)| chunk.solid_cells_in(index * CHUNK, range))
    }

    /// Half of the width and height of the grid.
    pub(in crate::geometry) fn half_size(&self) -> Vec2 {
        self.size.as_vec2() * self.cell_size / 2.0
    }

    /// The boxes around those chunks with a solid cell that an area in the grid's frame overlaps,
    /// or `None` if the area is hardly larger than a chunk.
    pub(in crate::geometry) fn chunk_boxes(
        &self,
        area: &Aabb2d,
    ) -> Option<impl Iterator<Item = Aabb2d>> {
        let CellRange { start, end } = self.range_of(area);
        let is_wide = end.saturating_sub(start).max_element() > 2 * CHUNK;
        let chunks = is_wide.then(|| (self.chunks).iter_within(start / CHUNK, end / CHUNK))?;
        Some(chunks.map(|(chunk, _)| {
            let start = chunk * CHUNK;
            let end = (start + CHUNK).min(self.size);
            let (center, half_size) = self.center_and_half_size(&CellRange { start, end });
            Aabb2d {
                min: center - half_size,
                max: center + half_size,
            }
        }))
    }

    /// The center of some cells in the grid's frame, and half of their width and height together.
    pub(in crate::geometry) fn center_and_half_size(&self, range: &CellRange) -> (Vec2, Vec2) {
        let twice_from_center = (range.start + range.end).as_vec2() - self.size.as_vec2();
        let half_cell = self.cell_size / 2.0;
        (
            twice_from_center * half_cell * Vec2::new(1.0, -1.0),
            (range.end - range.start).as_vec2() * half_cell,
        )
    }

    /// The top left corner of a cell, in the grid's frame.
    fn corner(&self, cell: UVec2) -> Vec2 {
        let from_center = cell.as_vec2() - self.size.as_vec2() / 2.0;
        from_center * self.cell_size * Vec2::new(1.0, -1.0)
    }

    /// The cells that an area in the grid's frame overlaps, or touches within rounding.
    #[inline]
    fn range_of(&self, area: &Aabb2d) -> CellRange {
        // Does not use `in_cells`, so that the reciprocals need not wait for the corners.
        let per_cell = Vec2::new(1.0, -1.0) / self.cell_size;
        let size = self.size.as_vec2();
        let [p, q] = [area.min, area.max].map(|corner| corner * per_cell + size / 2.0);
        let [low, high] = [Vec2::new(p.x, q.y), Vec2::new(q.x, p.y)];
        // Rows run down. An area of NaN covers all cells.
        CellRange {
            start: nearest_whole(at_most(
                at_least(low - (0.5 + CELL_ROUNDING), Vec2::ZERO),
                size,
            )),
            end: nearest_whole(at_least(
                at_most(high + (0.5 + CELL_ROUNDING), size),
                Vec2::ZERO,
            )),
        }
    }

    fn word(&self, row: u32, chunk_column: u32) -> u64 {
        let chunk = self.chunks.get(UVec2::new(chunk_column, row / CHUNK));
        chunk.unwrap_or(&EMPTY).full[(row % CHUNK) as usize]
    }

    /// Converts a ray in the grid's frame to cells from the top left.
    pub(in crate::geometry) fn ray_in_cells(
        &self,
        origin: DVec2,
        direction: DVec2,
    ) -> (DVec2, DVec2) {
        let per_cell = DVec2::new(1.0, -1.0) / self.cell_size.as_dvec2();
        (
            origin * per_cell + self.size.as_dvec2() / 2.0,
            direction * per_cell,
        )
    }

    /// Converts a point in the grid's frame to cells from the top left.
    pub(in crate::geometry) fn in_cells(&self, point: Vec2) -> Vec2 {
        point * Vec2::new(1.0, -1.0) / self.cell_size + self.size.as_vec2() / 2.0
    }
}

/// Rounds down. Without SSE4.1, `floor` is a function call.
fn rounded_down(numbers: Vec2) -> IVec2 {
    let whole = numbers.as_ivec2();
    let is_less = numbers.cmplt(whole.as_vec2());
    whole.wrapping_sub(IVec2::select(is_less, IVec2::ONE, IVec2::ZERO))
}

/// The greater of each number and its bound; the bound for NaN.
fn at_least(numbers: Vec2, bound: Vec2) -> Vec2 {
    Vec2::select(numbers.cmpgt(bound), numbers, bound)
}

/// The lesser of each number and its bound; the bound for NaN.
fn at_most(numbers: Vec2, bound: Vec2) -> Vec2 {
    Vec2::select(numbers.cmplt(bound), numbers, bound)
}

/// Rounds numbers from zero to eight million. Without SSE4.1, `round` is a function call.
fn nearest_whole(numbers: Vec2) -> UVec2 {
    // Numbers from here up to twice as much have no fractional part.
    const WHOLE: f32 = 8_388_608.0;
    let [x, y] = (numbers + WHOLE).to_array().map(f32::to_bits);
    UVec2::new(x, y) - WHOLE.to_bits()
}

#[cfg(test)]
impl Tiles {
    /// The number of chunks that have memory of their own.
    pub fn chunks_not_shared_with(&self, other: &Self) -> usize {
        self.chunks.not_shared_with(&other.chunks)
    }
}
