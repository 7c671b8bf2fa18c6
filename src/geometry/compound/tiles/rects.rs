//! Greedy meshing: rectangles that cover the solid cells of an area.

use std::ops::{BitAnd, Range};

use bevy::math::UVec2;

use super::{
    CellRange, Tiles,
    chunks::{CHUNK, EMPTY},
};
use crate::aabb::Aabb2d;

/// The number of columns and of rows of a [`Bitboard`].
const BOARD_SIZE: u32 = u8::BITS;

const FIRST_ROW: u64 = 0xFF;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (BOARD_SIZE - 1);

/// Some rows of at most 64 columns, the number of bits of a word.
struct Strip {
    /// The first column, and the one after the last.
    columns: [u32; 2],
    rows: [u32; 2],
    /// The requested cells, which may exceed these columns. At most one column or row of the strip
    /// lies outside of them on each side.
    inner: CellRange,
}

/// Joins equal runs of cells in consecutive rows.
struct RunSweep {
    /// The cells of the row above, as bits.
    above: u64,
    /// The rows in which its runs begin, by their first columns.
    tops: [u32; CHUNK as usize],
}

impl Tiles {
    /// Visits disjoint rectangles of solid cells that together cover all solid cells that an area
    /// in the grid's frame overlaps. Within the area, rectangles are as large as possible: first
    /// along rows, up to 64 columns.
    ///
    /// The search window has one more cell on each side, so that it cuts off rectangles only
    /// outside of the area. It is searched in strips of 64 columns, which cut off wider rectangles.
    #[inline]
    pub(in crate::geometry) fn visit_rects(&self, area: &Aabb2d, visit: &mut dyn FnMut(CellRange)) {
        let inner = self.range_of(area);
        // Usually no cell is solid, and then there is no need to search around them.
        if self.has_solid_cell(&inner) {
            self.visit_rects_around(&inner, visit);
        }
    }

    /// Whether any cell of a range is solid.
    #[inline(always)]
    fn has_solid_cell(&self, range: &CellRange) -> bool {
        let CellRange { start, end } = *range;
        if start.x >= end.x || start.y >= end.y {
            return false;
        }
        let last = end - 1;
        if !is_one_chunk(start, last) {
            return self.has_solid_cell_in_chunks(range);
        }
        let Some(chunk) = self.chunks.get(start / CHUNK) else {
            return false;
        };
        let row = |row: u32| chunk.full[(row % CHUNK) as usize];
        // Usually there are one or two rows, and this needs no branch for them.
        let mut cells = row(start.y) | row(last.y);
        for between in start.y + 1..last.y {
            cells |= row(between);
        }
        cells >> (start.x % CHUNK) & ones(end.x - start.x) != 0
    }

    // Out of line: usually not needed.
    #[inline(never)]
    fn has_solid_cell_in_chunks(&self, range: &CellRange) -> bool {
        let mut chunks = self
            .chunks
            .iter_within(range.start / CHUNK, (range.end - 1) / CHUNK);
        chunks.any(|(index, chunk)| {
            let first = index * CHUNK;
            let start = range.start.saturating_sub(first);
            let end = (range.end - first).min(UVec2::splat(CHUNK));
            let columns = ones(end.x - start.x) << start.x;
            let rows = &chunk.full[start.y as usize..end.y as usize];
            rows.iter().any(|row| row & columns != 0)
        })
    }

    #[inline(never)]
    fn visit_rects_around(&self, inner: &CellRange, visit: &mut dyn FnMut(CellRange)) {
        let start = inner.start.saturating_sub(UVec2::ONE);
        let last = inner.end.min(self.size - 1);
        if is_one_chunk(start, last) && (last - start).max_element() < BOARD_SIZE {
            return self.visit_rects_of_board(start, inner, visit);
        }
        for column in (start.x..inner.end.x).step_by(CHUNK as usize) {
            let strip = Strip {
                columns: [column, (last.x + 1).min(column + CHUNK)],
                rows: [start.y, last.y + 1],
                inner: *inner,
            };
            self.visit_rects_of_strip(&strip, visit);
        }
    }

    /// Visits the rectangles of a window that lies in one chunk, is no larger than a bitboard, and
    /// begins at `start`.
    fn visit_rects_of_board(
        &self,
        start: UVec2,
        inner: &CellRange,
        visit: &mut dyn FnMut(CellRange),
    ) {
        // More cells do no harm, but the board must not exceed the chunk.
        let origin = start - (start % CHUNK).saturating_sub(UVec2::splat(CHUNK - BOARD_SIZE));
        let first = (origin.y % CHUNK) as usize;
        let chunk = self.chunks.get(origin / CHUNK).unwrap_or(&EMPTY);
        let rows = &chunk.full[first..first + BOARD_SIZE as usize];
        let cells = Bitboard::of_rows(rows.iter().map(|row| row >> (origin.x % CHUNK)));
        let [from, to] = [inner.start - origin, inner.end - origin];
        let inner_columns = Bitboard::columns(from.x..to.x);
        let inner = inner_columns & Bitboard::rows(from.y..to.y);
        let mut cells = cells.near(inner_columns);
        while let Some((CellRange { start, end }, rect)) = cells.pop_rect() {
            if rect.overlaps(inner) {
                visit(CellRange {
                    start: origin + start,
                    end: origin + end,
                });
            }
        }
    }

    fn visit_rects_of_strip(&self, strip: &Strip, visit: &mut dyn FnMut(CellRange)) {
        let inner = strip.inner;
        let mut visit = |run: u64, [top, bottom]: [u32; 2]| {
            if top < inner.end.y && bottom > inner.start.y {
                let [left, right] = columns_of_run(run).map(|bit| strip.columns[0] + bit);
                let (start, end) = (UVec2::new(left, top), UVec2::new(right, bottom));
                visit(CellRange { start, end });
            }
        };
        let mut sweep = RunSweep {
            above: 0,
            tops: [0; CHUNK as usize],
        };
        let [mut row, end] = strip.rows;
        while row < end {
            let rows_of_chunk = row..end.min((row / CHUNK + 1) * CHUNK);
            row = rows_of_chunk.end;
            let Some(cells) = self.cells_of_rows(strip, rows_of_chunk.start) else {
                sweep.add_row(rows_of_chunk.start, 0, &mut visit);
                continue;
            };
            for row in rows_of_chunk {
                sweep.add_row(row, strip.runs_near_inner(cells(row)), &mut visit);
            }
        }
        sweep.add_row(end, 0, visit);
    }

    /// Returns a function from a row to the strip's solid cells in that row, as bits with the first
    /// cell lowest, or `None` if the chunks of `row` have none. Valid for all rows of these chunks.
    fn cells_of_rows(&self, strip: &Strip, row: u32) -> Option<impl Fn(u32) -> u64> {
        let [from, to] = strip.columns;
        let (index, first) = (UVec2::new(from, row) / CHUNK, from % CHUNK);
        let left = self.chunks.get(index);
        let right = (first + (to - from) > CHUNK)
            .then(|| self.chunks.get(index + UVec2::X))
            .flatten();
        left.or(right)?;
        let [left, right] = [left, right].map(|chunk| chunk.unwrap_or(&EMPTY));
        let all = ones(to - from);
        Some(move |row| {
            let row = (row % CHUNK) as usize;
            // In two steps, because no shift may be as wide as a word.
            let of_right = right.full[row] << 1 << (CHUNK - 1 - first);
            (left.full[row] >> first | of_right) & all
        })
    }
}

impl Strip {
    /// The cells of a row whose runs reach into the inner columns.
    fn runs_near_inner(&self, cells: u64) -> u64 {
        let start = self.inner.start.x.max(self.columns[0]);
        let end = self.inner.end.x.min(self.columns[1]);
        let inside = cells & (ones(end - start) << (start - self.columns[0]));
        // At most one column is on either side of the inner ones.
        cells & (inside | inside << 1 | inside >> 1)
    }
}

impl RunSweep {
    /// Adds the next row, and calls `end_run` for each run that ended above it, with the first row
    /// of the run and the one after its last.
    #[inline]
    fn add_row(&mut self, row: u32, cells: u64, mut end_run: impl FnMut(u64, [u32; 2])) {
        let changed = cells ^ self.above;
        // If neither a run's cells nor those beside it change, the same run is in both rows.
        let is_changed = |run: &u64| (run | run << 1 | run >> 1) & changed != 0;
        for run in runs(self.above).filter(is_changed) {
            end_run(run, [self.tops[run.trailing_zeros() as usize], row]);
        }
        for run in runs(cells).filter(is_changed) {
            self.tops[run.trailing_zeros() as usize] = row;
        }
        self.above = cells;
    }
}

/// Cells of eight by eight: a byte for each row, upper rows in lower bits, and in each byte left
/// columns in lower bits. Chess programs use the same,
/// <https://www.chessprogramming.org/Bitboards>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bitboard(u64);

impl Bitboard {
    /// The cells of eight rows, each in the lowest eight bits of a word. Ignores higher bits.
    fn of_rows(rows: impl Iterator<Item = u64>) -> Self {
        let bytes = (0..BOARD_SIZE).zip(rows);
        Self(bytes.fold(0, |cells, (row, columns)| {
            cells | (columns & FIRST_ROW) << (BOARD_SIZE * row)
        }))
    }

    /// All cells of some columns.
    fn columns(columns: Range<u32>) -> Self {
        Self(FIRST_COLUMN * ((1 << columns.end) - (1 << columns.start)))
    }

    /// All cells of some rows, at least one: for none, the shift would be as wide as the word.
    fn rows(rows: Range<u32>) -> Self {
        Self(
            u64::MAX >> (BOARD_SIZE * (BOARD_SIZE - rows.end))
                & u64::MAX << (BOARD_SIZE * rows.start),
        )
    }

    /// The cells that are also in `others`, and those to the left or right of such a cell.
    fn near(self, others: Self) -> Self {
        let Self(among) = self & others;
        // A bit that leaves a row enters the next one.
        let beside = (among << 1 & !FIRST_COLUMN) | (among >> 1 & !LAST_COLUMN);
        Self(self.0 & (among | beside))
    }

    fn overlaps(self, other: Self) -> bool {
        self & other != Self(0)
    }

    /// Removes the leftmost run of the uppermost row, together with the same run in the rows below
    /// as long as they have exactly that run. Returns the removed rectangle and its cells.
    #[inline]
    fn pop_rect(&mut self) -> Option<(CellRange, Self)> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros();
        let start = UVec2::new(first % BOARD_SIZE, first / BOARD_SIZE);
        let rows = self.0 >> (BOARD_SIZE * start.y);
        let row = rows & FIRST_ROW;
        // The carry goes up to the first cell beyond the run.
        let run = row & !(row + (1 << start.x));
        let with_neighbors = run | (run << 1 & FIRST_ROW) | run >> 1;
        let differing = (rows & (FIRST_COLUMN * with_neighbors)) ^ (FIRST_COLUMN * run);
        let size = UVec2::new(
            (run >> start.x).trailing_ones(),
            differing.trailing_zeros() / BOARD_SIZE,
        );
        let end = start + size;
        let rect = Self(FIRST_COLUMN * run) & Self::rows(start.y..end.y);
        self.0 ^= rect.0;
        Some((CellRange { start, end }, rect))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Returns the runs of set bits, from the lowest one up.
pub(super) fn runs(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let lowest = bits & bits.wrapping_neg();
        let run = bits & !bits.wrapping_add(lowest);
        bits ^= run;
        Some(run)
    })
}

/// The first bit of a run, and the one after its last.
pub(super) fn columns_of_run(run: u64) -> [u32; 2] {
    let first = run.trailing_zeros();
    [first, first + (run >> first).trailing_ones()]
}

/// The lowest `count` bits, at least one.
fn ones(count: u32) -> u64 {
    u64::MAX >> (CHUNK - count)
}

/// Whether two cells are in the same chunk.
fn is_one_chunk(p: UVec2, q: UVec2) -> bool {
    (p.x ^ q.x) | (p.y ^ q.y) < CHUNK
}
