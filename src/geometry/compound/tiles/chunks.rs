//! The cells of a grid as bits, stored only for chunks with solid cells.

use std::{ops::RangeInclusive, sync::Arc};

use bevy::math::UVec2;

use super::CellRange;

/// The number of columns and of rows of a chunk: the number of bits of a word.
pub(super) const CHUNK: u32 = u64::BITS;

/// The cells of a chunk, one word for each row, the first column in the lowest bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk(pub [u64; CHUNK as usize]);

impl Chunk {
    /// The range of cells in which two chunks differ, or `None` if they are equal. The first cell
    /// of both is `corner`.
    fn difference(&self, other: &Self, corner: UVec2) -> Option<CellRange> {
        if std::ptr::eq(self, other) {
            return None;
        }
        let differing = |row: usize| self.0[row] ^ other.0[row];
        let all = (0..CHUNK as usize).fold(0, |all, row| all | differing(row));
        let first = (0..CHUNK).find(|row| differing(*row as usize) != 0)?;
        let last = (0..CHUNK).rfind(|row| differing(*row as usize) != 0)?;
        let [start, end] = [all.trailing_zeros(), CHUNK - all.leading_zeros()];
        Some(CellRange {
            start: corner + UVec2::new(start, first),
            end: corner + UVec2::new(end, last + 1),
        })
    }
}

pub(super) static EMPTY: Chunk = Chunk([0; CHUNK as usize]);

/// The chunks with a solid cell, row by row. Each row ends with such a chunk, and so does the last
/// row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chunks {
    rows: Vec<Vec<Option<Arc<Chunk>>>>,
}

impl Chunks {
    /// The chunk in this column and row of chunks, or `None` if it has no solid cell.
    #[inline]
    pub fn get(&self, chunk: UVec2) -> Option<&Chunk> {
        let row = self.rows.get(chunk.y as usize)?;
        row.get(chunk.x as usize)?.as_deref()
    }

    /// Makes an open cell solid, or a solid one open.
    pub fn flip(&mut self, cell: UVec2) {
        let [x, y] = (cell / CHUNK).to_array().map(|index| index as usize);
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = &mut self.rows[y];
        if row.len() <= x {
            row.resize(x + 1, None);
        }
        let chunk = row[x].get_or_insert_with(|| Arc::new(EMPTY.clone()));
        let words = &mut Arc::make_mut(chunk).0;
        let word = &mut words[(cell.y % CHUNK) as usize];
        *word ^= 1 << (cell.x % CHUNK);
        if *word == 0 && words.iter().all(|word| *word == 0) {
            row[x] = None;
            self.trim(y);
        }
    }

    /// Drops the chunks at the end of a row, and the rows at the end, that have no solid cell.
    fn trim(&mut self, row: usize) {
        let row = &mut self.rows[row];
        row.truncate(count_to_last(row, Option::is_some));
        if row.is_empty() {
            *row = Vec::new();
        }
        let count = count_to_last(&self.rows, |row| !row.is_empty());
        self.rows.truncate(count);
    }

    /// The chunks with a solid cell, row by row, each with its column and row of chunks.
    pub fn iter(&self) -> impl Iterator<Item = (UVec2, &Chunk)> {
        self.iter_within(UVec2::ZERO, UVec2::MAX)
    }

    /// Like [`iter`](Self::iter), for the chunks from `first` to `last`, both included.
    pub fn iter_within(&self, first: UVec2, last: UVec2) -> impl Iterator<Item = (UVec2, &Chunk)> {
        (numbered(&self.rows, first.y..=last.y)).flat_map(move |(y, row)| {
            numbered(row, first.x..=last.x)
                .filter_map(move |(x, chunk)| Some((UVec2::new(x, y), chunk.as_deref()?)))
        })
    }

    /// The range of cells in which the two differ, or `None` if they are equal. Chunks that they
    /// share are skipped.
    pub fn difference(&self, other: &Self) -> Option<CellRange> {
        let rows = self.rows.len().max(other.rows.len());
        let columns = |chunks: &Self, y: usize| chunks.rows.get(y).map_or(0, Vec::len);
        let chunks = (0..rows).flat_map(|y| {
            let columns = columns(self, y).max(columns(other, y));
            (0..columns).map(move |x| UVec2::new(x as u32, y as u32))
        });
        chunks
            .filter_map(|index| {
                let [own, others] = [self, other].map(|chunks| chunks.get(index));
                let [own, others] = [own, others].map(|chunk| chunk.unwrap_or(&EMPTY));
                own.difference(others, index * CHUNK)
            })
            .reduce(|p, q| CellRange {
                start: p.start.min(q.start),
                end: p.end.max(q.end),
            })
    }

    /// The solid cells, row by row.
    pub fn solid_cells(&self) -> impl Iterator<Item = UVec2> {
        let rows = numbered(&self.rows, 0..=u32::MAX).filter(|(_, chunks)| !chunks.is_empty());
        rows.flat_map(|(y, chunks)| {
            (0..CHUNK).flat_map(move |row| {
                let chunks = numbered(chunks, 0..=u32::MAX);
                chunks.flat_map(move |(x, chunk)| {
                    let word = chunk.as_ref().map_or(0, |chunk| chunk.0[row as usize]);
                    let first = UVec2::new(x, y) * CHUNK;
                    bits(word).map(move |column| first + UVec2::new(column, row))
                })
            })
        })
    }

    /// The number of chunks that are not shared with a copy.
    #[cfg(test)]
    pub fn not_shared_with(&self, other: &Self) -> usize {
        let is_shared = |(index, chunk): &(UVec2, &Chunk)| {
            (other.get(*index)).is_some_and(|other| std::ptr::eq(other, *chunk))
        };
        self.iter().filter(|chunk| !is_shared(chunk)).count()
    }
}

/// The number of items up to the last one for which `holds` is true.
fn count_to_last<T>(items: &[T], holds: impl Fn(&T) -> bool) -> usize {
    items.iter().rposition(holds).map_or(0, |last| last + 1)
}

/// The items in a range of indices, with their index.
fn numbered<T>(items: &[T], range: RangeInclusive<u32>) -> impl Iterator<Item = (u32, &T)> {
    let (first, last) = (*range.start() as usize, *range.end() as usize);
    let count = items.len().min(last.saturating_add(1));
    range.zip(items[..count].iter().skip(first))
}

/// The indices of the set bits.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(lowest)
    })
}
