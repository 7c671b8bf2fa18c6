//! The outlines of the solid cells of a grid.

use std::collections::{BTreeMap, BTreeSet};

use bevy::math::{UVec2, Vec2};

use super::{
    CellShape, Tiles,
    chunks::{CHUNK, EMPTY},
    rects::{columns_of_run, runs},
};

/// A word for each of the lines between some rows or columns.
type Lines = [u64; CHUNK as usize];

impl Tiles {
    /// The edges between full and other cells, in the grid's frame, and those of cells of which a
    /// fraction is solid. Consecutive edges on one line between full and other cells are joined.
    ///
    /// Takes time and memory in proportion to the solid cells, however large the grid is.
    pub fn edges(&self) -> impl Iterator<Item = [Vec2; 2]> {
        let ends = (self.edges_across(1)).chain(self.edges_across(0));
        ends.map(|ends| ends.map(|corner| self.corner(corner)))
            .chain(self.edges_of_shaped())
    }

    /// The edges of cells of which a fraction is solid.
    fn edges_of_shaped(&self) -> impl Iterator<Item = [Vec2; 2]> {
        let cells = self.has_shaped_cells().then(|| self.solid_cells());
        let shaped = cells
            .into_iter()
            .flatten()
            .filter(|cell| !self.is_solid(*cell));
        shaped.flat_map(move |cell| {
            let vertices = self.cell_shape(cell).map_or(&[][..], CellShape::vertices);
            let low = self.corner(cell + UVec2::Y);
            let ends = (vertices.iter()).zip(vertices.iter().cycle().skip(1));
            let cell_size = self.cell_size;
            ends.map(move |(start, end)| [*start, *end].map(|vertex| low + vertex * cell_size))
        })
    }

    /// The edges that a motion along an axis crosses, line by line.
    fn edges_across(&self, axis: usize) -> impl Iterator<Item = [UVec2; 2]> {
        let mut strips: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (chunk, _) in self.chunks.iter() {
            // The line after its last cells is the first one of the next chunk.
            for strip in [chunk[axis], chunk[axis] + 1] {
                strips.entry(strip).or_default().insert(chunk[1 - axis]);
            }
        }
        (strips.into_iter())
            .flat_map(move |(strip, chunks)| self.edges_of_strip(axis, strip, chunks))
    }

    /// The edges in a row or a column of chunks, without the line after it.
    fn edges_of_strip(
        &self,
        axis: usize,
        strip: u32,
        chunks: impl IntoIterator<Item = u32>,
    ) -> Vec<[UVec2; 2]> {
        let lines_of = |along: u32| {
            let mut chunk = UVec2::splat(strip);
            chunk[1 - axis] = along;
            (along * CHUNK, self.lines(axis, chunk))
        };
        let chunks: Vec<(u32, Lines)> = chunks.into_iter().map(lines_of).collect();
        let mut edges: Vec<[UVec2; 2]> = Vec::new();
        for line in 0..CHUNK {
            let runs = chunks.iter().flat_map(|(first, lines)| {
                runs(lines[line as usize])
                    .map(move |run| columns_of_run(run).map(|bit| first + bit))
            });
            for ends in runs {
                let [start, end] = ends.map(|along| {
                    let mut corner = UVec2::splat(strip * CHUNK + line);
                    corner[1 - axis] = along;
                    corner
                });
                match edges.last_mut() {
                    Some([_, last]) if *last == start => *last = end,
                    _ => edges.push([start, end]),
                }
            }
        }
        edges
    }

    /// Which cells of a chunk differ from those before them: for each line across an axis, a bit
    /// for each cell along it.
    fn lines(&self, axis: usize, chunk: UVec2) -> Lines {
        let mut before = chunk;
        // No chunk has this index, so that there is none before the first one.
        before[axis] = chunk[axis].wrapping_sub(1);
        let [cells, before] = [chunk, before].map(|chunk| self.chunks.get(chunk).unwrap_or(&EMPTY));
        let differing = |row: usize| {
            let word = cells.full[row];
            word ^ match (axis, row) {
                (0, _) => word << 1 | before.full[row] >> (CHUNK - 1),
                (_, 0) => before.full[CHUNK as usize - 1],
                _ => cells.full[row - 1],
            }
        };
        let rows = std::array::from_fn(differing);
        if axis == 0 { transposed(rows) } else { rows }
    }
}

/// Transposes a square of bits: swaps two corners of ever smaller squares (Warren, "Hacker's
/// Delight", 2nd edition, section 7-3).
fn transposed(mut rows: Lines) -> Lines {
    let (mut width, mut mask) = (rows.len() / 2, u64::MAX >> (CHUNK / 2));
    while width > 0 {
        for row in (0..rows.len()).filter(|row| row & width == 0) {
            let swapped = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swapped << width;
            rows[row + width] ^= swapped;
        }
        width /= 2;
        mask ^= mask << width;
    }
    rows
}
