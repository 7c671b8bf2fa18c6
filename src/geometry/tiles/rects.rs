//! Rectangles of solid cells.

use bevy::math::{UVec2, bounding::Aabb2d};

use super::{CHUNK, CellRange, EMPTY, Tiles};

/// Rows of cells as bits, the first one in the lowest bit.
type Rows = [u64; CHUNK as usize];

impl Tiles {
    /// Rectangles of solid cells that together cover all of those that an area in the grid's frame overlaps, and none twice. Where cells
    /// lie side by side within the area a rectangle holds as many as it can: first along rows.
    ///
    /// They are found in a window with one more cell on each side, so that those that it cuts off end outside of the area; and in blocks of
    /// 64 by 64 cells of it, which cut off larger ones.
    pub(in crate::geometry) fn visit_rects(
        &self,
        area: &Aabb2d,
        mut visit: impl FnMut(CellRange),
    ) {
        let inner = self.range_of(area);
        let [columns, mut rows] = [
            (inner.start.x, inner.end.x),
            (inner.start.y, inner.end.y),
        ].map(|(from, to)| from..to);
        // Mostly there is none, and then there is no need to look around them.
        if columns.is_empty() || rows.all(|row| self.first(row, (columns.start, columns.end), true).is_none()) {
            return;
        }
        let window = CellRange {
            start: inner.start.saturating_sub(UVec2::ONE),
            end: (inner.end + 1).min(self.size),
        };
        let mut start = window.start;
        while start.y < window.end.y {
            let end = (start + CHUNK).min(window.end);
            self.visit_rects_of_block(&CellRange { start, end }, &inner, &mut visit);
            start = if end.x < window.end.x {
                start.with_x(end.x)
            } else {
                UVec2::new(window.start.x, end.y)
            };
        }
    }

    /// The same for a block of cells, of which there is no more than one column or row on each side of the `inner` ones.
    fn visit_rects_of_block(
        &self,
        block: &CellRange,
        inner: &CellRange,
        mut visit: impl FnMut(CellRange),
    ) {
        let mut rows = self.cells_of(block);
        let rows = &mut rows[..(block.end.y - block.start.y) as usize];
        let columns = block.columns_of(inner);
        for row in rows.iter_mut() {
            let inside = *row & columns;
            *row &= inside | inside << 1 | inside >> 1;
        }
        let tops = inner.end.y.min(block.end.y) - block.start.y;
        for top in 0..tops as usize {
            for run in runs(rows[top]) {
                let bottom = take_below(rows, top, run);
                let [top, bottom] = [top, bottom].map(|row| block.start.y + row as u32);
                if bottom > inner.start.y {
                    let first = run.trailing_zeros();
                    let start = UVec2::new(block.start.x + first, top);
                    let end = UVec2::new(start.x + (run >> first).trailing_ones(), bottom);
                    visit(CellRange { start, end });
                }
            }
        }
    }

    /// The solid cells of a block.
    fn cells_of(&self, block: &CellRange) -> Rows {
        let mut cells = [0; CHUNK as usize];
        let (column, first) = (block.start.x / CHUNK, block.start.x % CHUNK);
        let is_in_two = block.end.x > (column + 1) * CHUNK;
        let mut row = block.start.y;
        while row < block.end.y {
            let end = block.end.y.min((row / CHUNK + 1) * CHUNK);
            let left = self.chunk(row, column);
            let right = if is_in_two {
                self.chunk(row, column + 1)
            } else {
                &EMPTY
            };
            for row in row..end {
                let of_chunk = (row % CHUNK) as usize;
                // In two steps, for no step may be as wide as a word.
                let of_right = right.0[of_chunk] << 1 << (CHUNK - 1 - first);
                cells[(row - block.start.y) as usize] = left.0[of_chunk] >> first | of_right;
            }
            row = end;
        }
        cells
    }
}

impl CellRange {
    /// Those of its columns that are columns of another one, too, as bits. There has to be one.
    fn columns_of(&self, other: &Self) -> u64 {
        let start = self.start.x.max(other.start.x);
        let end = self.end.x.min(other.end.x);
        (u64::MAX >> (CHUNK - (end - start))) << (start - self.start.x)
    }
}

/// Takes a run away from the rows below one, as far down as each has the same run. Gives the row before which it ends.
fn take_below(rows: &mut [u64], top: usize, run: u64) -> usize {
    let around = run | run << 1 | run >> 1;
    let below = rows[top + 1..].iter_mut();
    let same = below.take_while(|row| **row & around == run);
    top + 1 + same.map(|row| *row ^= run).count()
}

/// The bits that are set, those without a gap together, from the lowest ones up.
fn runs(mut bits: u64) -> impl Iterator<Item = u64> {
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
