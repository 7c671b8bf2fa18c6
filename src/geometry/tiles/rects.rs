//! Rectangles of solid cells.

use bevy::math::{UVec2, bounding::Aabb2d};

use super::{CHUNK, CellRange, EMPTY, Tiles};

/// Some rows of columns of which there are no more than a word has bits.
struct Strip {
    /// From the first one up to, but not including, another one.
    columns: [u32; 2],
    rows: [u32; 2],
    /// The cells that are asked for, in these columns and others. On each side of them is one column or row more at most.
    inner: CellRange,
}

/// Puts runs of cells together that are the same in row after row.
struct RunSweep {
    /// The runs of the row above, as bits.
    above: u64,
    /// The rows in which they begin, by their first columns.
    tops: [u32; CHUNK as usize],
}

impl Tiles {
    /// Rectangles of solid cells that together cover all of those that an area in the grid's frame overlaps, and none twice. Where cells
    /// lie side by side within the area a rectangle holds as many as it can: first along rows, up to 64.
    ///
    /// They are found in a window with one more cell on each side, so that those that it cuts off end outside of the area; and in strips of
    /// 64 columns of it, which cut off wider ones.
    pub(in crate::geometry) fn visit_rects(&self, area: &Aabb2d, mut visit: impl FnMut(CellRange)) {
        let inner = self.range_of(area);
        // Mostly there is none, and then there is no need to look around them.
        if !self.has_solid_cell(&inner) {
            return;
        }
        let start = inner.start.saturating_sub(UVec2::ONE);
        let end = (inner.end + 1).min(self.size);
        for column in (start.x..inner.end.x).step_by(CHUNK as usize) {
            let strip = Strip {
                columns: [column, end.x.min(column + CHUNK)],
                rows: [start.y, end.y],
                inner,
            };
            self.visit_rects_of_strip(&strip, &mut visit);
        }
    }

    fn has_solid_cell(&self, CellRange { start, end }: &CellRange) -> bool {
        let columns = (start.x, end.x);
        (start.y..end.y).any(|row| self.first(row, columns, true).is_some())
    }

    fn visit_rects_of_strip(&self, strip: &Strip, mut visit: impl FnMut(CellRange)) {
        let inner = strip.inner;
        let mut visit = |run: u64, [top, bottom]: [u32; 2]| {
            if top < inner.end.y && bottom > inner.start.y {
                let first = run.trailing_zeros();
                let start = UVec2::new(strip.columns[0] + first, top);
                let end = UVec2::new(start.x + (run >> first).trailing_ones(), bottom);
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
            let cells = self.cells_of_rows(strip, rows_of_chunk.start);
            for row in rows_of_chunk {
                sweep.add_row(row, strip.runs_near_inner(cells(row)), &mut visit);
            }
        }
        sweep.add_row(end, 0, visit);
    }

    /// Gives the solid cells of a row of a strip as bits, the first one in the lowest bit: of one row, and of all others in its chunks.
    fn cells_of_rows(&self, strip: &Strip, row: u32) -> impl Fn(u32) -> u64 {
        let [from, to] = strip.columns;
        let (chunk, first) = (from / CHUNK, from % CHUNK);
        let left = self.chunk(row, chunk);
        let right = if first + (to - from) > CHUNK {
            self.chunk(row, chunk + 1)
        } else {
            &EMPTY
        };
        let all = ones(to - from);
        move |row| {
            let row = (row % CHUNK) as usize;
            // In two steps, for no step may be as wide as a word.
            let of_right = right.0[row] << 1 << (CHUNK - 1 - first);
            (left.0[row] >> first | of_right) & all
        }
    }
}

impl Strip {
    /// The runs of some cells of a row that reach into the inner columns.
    fn runs_near_inner(&self, cells: u64) -> u64 {
        let start = self.inner.start.x.max(self.columns[0]);
        let end = self.inner.end.x.min(self.columns[1]);
        let inside = cells & (ones(end - start) << (start - self.columns[0]));
        // No more than one column is on either side of the inner ones.
        cells & (inside | inside << 1 | inside >> 1)
    }
}

impl RunSweep {
    /// Goes on to the next row, and gives the runs that ended above it, with the rows from which up to, but not including, which they are.
    #[inline]
    fn add_row(&mut self, row: u32, cells: u64, mut end_run: impl FnMut(u64, [u32; 2])) {
        let changed = cells ^ self.above;
        // Where neither a run's cells nor those beside it change the same run is in both rows.
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

/// So many of the lowest bits, one at least.
fn ones(count: u32) -> u64 {
    u64::MAX >> (CHUNK - count)
}
