//! The cells of a grid as bits, kept only where some are solid.

use std::{ops::RangeInclusive, sync::Arc};

use bevy::math::UVec2;

/// How many cells a chunk has on each side: as many as a word has bits.
pub(super) const CHUNK: u32 = u64::BITS;

/// The cells of a chunk, a word for each row, the first column in the lowest bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk(pub [u64; CHUNK as usize]);

pub(super) static EMPTY: Chunk = Chunk([0; CHUNK as usize]);

/// The chunks with a solid cell, row by row. Rows end with such a chunk, and the last row has one.
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

    /// Makes an open cell solid, and a solid one open.
    pub fn flip(&mut self, cell: UVec2) {
        let [x, y] = (cell / CHUNK).to_array().map(|place| place as usize);
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

    /// Drops what is at the end of a row, and at the end of all rows, without a solid cell.
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

    /// Those from one chunk to another one, both included.
    pub fn iter_within(&self, first: UVec2, last: UVec2) -> impl Iterator<Item = (UVec2, &Chunk)> {
        (numbered(&self.rows, first.y..=last.y)).flat_map(move |(y, row)| {
            numbered(row, first.x..=last.x)
                .filter_map(move |(x, chunk)| Some((UVec2::new(x, y), chunk.as_deref()?)))
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

    /// How many chunks are not shared with a copy.
    #[cfg(test)]
    pub fn not_shared_with(&self, other: &Self) -> usize {
        let is_shared = |(place, chunk): &(UVec2, &Chunk)| {
            (other.get(*place)).is_some_and(|other| std::ptr::eq(other, *chunk))
        };
        self.iter().filter(|chunk| !is_shared(chunk)).count()
    }
}

/// How many items there are up to the last one for which something holds.
fn count_to_last<T>(items: &[T], holds: impl Fn(&T) -> bool) -> usize {
    items.iter().rposition(holds).map_or(0, |last| last + 1)
}

/// Those of some items in a range of indices, with their index.
fn numbered<T>(items: &[T], range: RangeInclusive<u32>) -> impl Iterator<Item = (u32, &T)> {
    let (first, last) = (*range.start() as usize, *range.end() as usize);
    let count = items.len().min(last.saturating_add(1));
    range.zip(items[..count].iter().skip(first))
}

/// The indices of the bits that are set.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(lowest)
    })
}
