//! Rectangles of solid cells.

use bevy::math::{UVec2, bounding::Aabb2d};

use super::{
    CHUNK, CellRange, EMPTY, Tiles,
    board::{Board, SIDE},
};

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
    #[inline]
    pub(in crate::geometry) fn visit_rects(&self, area: &Aabb2d, visit: impl FnMut(CellRange)) {
        let inner = self.range_of(area);
        // Mostly there is none, and then there is no need to look around them.
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
        let row = |row: u32| chunk.0[(row % CHUNK) as usize];
        // Mostly there are one or two, and this tells them without a branch.
        let mut cells = row(start.y) | row(last.y);
        for between in start.y + 1..last.y {
            cells |= row(between);
        }
        cells >> (start.x % CHUNK) & ones(end.x - start.x) != 0
    }

    // Out of line, as what follows: mostly neither is needed.
    #[inline(never)]
    fn has_solid_cell_in_chunks(&self, range: &CellRange) -> bool {
        let mut chunks = self
            .chunks
            .iter_within(range.start / CHUNK, (range.end - 1) / CHUNK);
        chunks.any(|(place, chunk)| {
            let first = place * CHUNK;
            let start = range.start.saturating_sub(first);
            let end = (range.end - first).min(UVec2::splat(CHUNK));
            let columns = ones(end.x - start.x) << start.x;
            let rows = &chunk.0[start.y as usize..end.y as usize];
            rows.iter().any(|row| row & columns != 0)
        })
    }

    #[inline(never)]
    fn visit_rects_around(&self, inner: &CellRange, mut visit: impl FnMut(CellRange)) {
        let start = inner.start.saturating_sub(UVec2::ONE);
        let last = inner.end.min(self.size - 1);
        if is_one_chunk(start, last) && (last - start).max_element() < SIDE {
            return self.visit_rects_of_board(start, inner, visit);
        }
        for column in (start.x..inner.end.x).step_by(CHUNK as usize) {
            let strip = Strip {
                columns: [column, (last.x + 1).min(column + CHUNK)],
                rows: [start.y, last.y + 1],
                inner: *inner,
            };
            self.visit_rects_of_strip(&strip, &mut visit);
        }
    }

    /// The same for a window in a chunk that is no larger than a board, and begins with `start`.
    fn visit_rects_of_board(
        &self,
        start: UVec2,
        inner: &CellRange,
        mut visit: impl FnMut(CellRange),
    ) {
        // More cells do no harm, but those beyond the chunk are elsewhere.
        let origin = start - (start % CHUNK).saturating_sub(UVec2::splat(CHUNK - SIDE));
        let first = (origin.y % CHUNK) as usize;
        let chunk = self.chunks.get(origin / CHUNK).unwrap_or(&EMPTY);
        let rows = &chunk.0[first..first + SIDE as usize];
        let cells = Board::of_rows(rows.iter().map(|row| row >> (origin.x % CHUNK)));
        let [from, to] = [inner.start - origin, inner.end - origin];
        let inner_columns = Board::columns(from.x..to.x);
        let inner = inner_columns & Board::rows(from.y..to.y);
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

    fn visit_rects_of_strip(&self, strip: &Strip, mut visit: impl FnMut(CellRange)) {
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

    /// Gives the solid cells of a row of a strip as bits, the first one in the lowest bit: of one row, and of all others in its chunks.
    /// `None` if there are none in these chunks.
    fn cells_of_rows(&self, strip: &Strip, row: u32) -> Option<impl Fn(u32) -> u64> {
        let [from, to] = strip.columns;
        let (place, first) = (UVec2::new(from, row) / CHUNK, from % CHUNK);
        let left = self.chunks.get(place);
        let right = (first + (to - from) > CHUNK)
            .then(|| self.chunks.get(place + UVec2::X))
            .flatten();
        left.or(right)?;
        let [left, right] = [left, right].map(|chunk| chunk.unwrap_or(&EMPTY));
        let all = ones(to - from);
        Some(move |row| {
            let row = (row % CHUNK) as usize;
            // In two steps, for no step may be as wide as a word.
            let of_right = right.0[row] << 1 << (CHUNK - 1 - first);
            (left.0[row] >> first | of_right) & all
        })
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

/// The first bit of a run, and the one behind its last.
pub(super) fn columns_of_run(run: u64) -> [u32; 2] {
    let first = run.trailing_zeros();
    [first, first + (run >> first).trailing_ones()]
}

/// So many of the lowest bits, one at least.
fn ones(count: u32) -> u64 {
    u64::MAX >> (CHUNK - count)
}

/// Whether two cells are in the same chunk.
fn is_one_chunk(p: UVec2, q: UVec2) -> bool {
    (p.x ^ q.x) | (p.y ^ q.y) < CHUNK
}
