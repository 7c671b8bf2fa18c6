//! The cells of a grid, stored only for chunks with solid cells: a bit for each that is full, and a
//! byte where there are others.

use std::{ops::RangeInclusive, sync::Arc};

use bevy::math::UVec2;

use super::CellRange;

/// The number of columns and of rows of a chunk: the number of bits of a word.
pub(super) const CHUNK: u32 = u64::BITS;

/// A word for each row of a chunk, the first column in the lowest bit.
pub(super) type Rows = [u64; CHUNK as usize];

/// The cells of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The cells all of which is solid.
    pub full: Rows,
    /// `None` if all solid cells are full and of the grid's plain kind.
    pub kinds: Option<Box<ChunkKinds>>,
}

/// The kinds of the cells of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChunkKinds {
    /// The numbers of the kinds, row by row. 0 for open cells.
    numbers: [u8; (CHUNK * CHUNK) as usize],
    /// The cells of which a fraction is solid.
    pub shaped: Rows,
}

/// What a cell becomes.
#[derive(Clone, Copy)]
pub(super) struct NewCell {
    /// The number of its kind. 0 for an open cell.
    pub number: u8,
    pub is_full: bool,
}

impl ChunkKinds {
    /// The cells of a row of which a fraction is solid.
    pub fn shaped(&self, row: u32) -> u64 {
        self.shaped[row as usize]
    }

    /// The number of a cell of the chunk.
    pub fn number(&self, cell: UVec2) -> u8 {
        self.numbers[index(cell)]
    }
}

impl Chunk {
    pub const fn new() -> Self {
        Self {
            full: [0; CHUNK as usize],
            kinds: None,
        }
    }

    /// The number of the kind of a cell of the chunk, 0 for an open one. `plain` is the number of
    /// cells in chunks without numbers.
    pub fn number(&self, cell: UVec2, plain: u8) -> u8 {
        match &self.kinds {
            Some(kinds) => kinds.numbers[index(cell)],
            None if self.full[cell.y as usize] >> cell.x & 1 == 1 => plain,
            None => 0,
        }
    }

    fn set(&mut self, cell: UVec2, new: NewCell, plain: u8) {
        let is_plain = new.number == 0 || new.number == plain;
        if self.kinds.is_none() && !is_plain {
            self.kinds = Some(Box::new(self.plain_kinds(plain)));
        }
        let (row, bit) = (cell.y as usize, 1 << cell.x);
        set_bit(&mut self.full[row], bit, new.is_full);
        let Some(kinds) = &mut self.kinds else {
            return;
        };
        kinds.numbers[index(cell)] = new.number;
        set_bit(&mut kinds.shaped[row], bit, new.number != 0 && !new.is_full);
        if is_plain
            && kinds
                .numbers
                .iter()
                .all(|number| [0, plain].contains(number))
        {
            self.kinds = None;
        }
    }

    /// The kinds of cells that are all plain.
    fn plain_kinds(&self, plain: u8) -> ChunkKinds {
        let mut numbers = [0; (CHUNK * CHUNK) as usize];
        for (row, numbers) in numbers.chunks_mut(CHUNK as usize).enumerate() {
            bits(self.full[row]).for_each(|column| numbers[column as usize] = plain);
        }
        ChunkKinds {
            numbers,
            shaped: [0; CHUNK as usize],
        }
    }

    /// The cells of a row of which anything is solid.
    fn solid(&self, row: usize) -> u64 {
        let shaped = self.kinds.as_ref().map_or(0, |kinds| kinds.shaped[row]);
        self.full[row] | shaped
    }

    /// Its cells in a range of which anything is solid. `first` is the chunk's first cell.
    pub fn solid_cells_in(&self, first: UVec2, range: CellRange) -> impl Iterator<Item = UVec2> {
        let from = range.start.saturating_sub(first);
        let to = range.end.saturating_sub(first).min(UVec2::splat(CHUNK));
        (from.y..to.y).flat_map(move |row| {
            bits(self.solid(row as usize))
                .filter(move |column| (from.x..to.x).contains(column))
                .map(move |column| first + UVec2::new(column, row))
        })
    }

    fn is_empty(&self) -> bool {
        self.kinds.is_none() && self.full.iter().all(|word| *word == 0)
    }
}

pub(super) static EMPTY: Chunk = Chunk::new();

fn index(cell: UVec2) -> usize {
    (cell.y * CHUNK + cell.x) as usize
}

fn set_bit(word: &mut u64, bit: u64, is_set: bool) {
    *word = if is_set { *word | bit } else { *word & !bit };
}

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

    /// Changes a cell. `plain` is the number of cells in chunks without numbers.
    pub fn set(&mut self, cell: UVec2, new: NewCell, plain: u8) {
        let [x, y] = (cell / CHUNK).to_array().map(|index| index as usize);
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = &mut self.rows[y];
        if row.len() <= x {
            row.resize(x + 1, None);
        }
        let chunk = row[x].get_or_insert_with(|| Arc::new(EMPTY.clone()));
        let chunk = Arc::make_mut(chunk);
        chunk.set(cell % CHUNK, new, plain);
        if new.number == 0 && chunk.is_empty() {
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

    /// The cells of which anything is solid, row by row.
    pub fn solid_cells(&self) -> impl Iterator<Item = UVec2> {
        let rows = numbered(&self.rows, 0..=u32::MAX).filter(|(_, chunks)| !chunks.is_empty());
        rows.flat_map(|(y, chunks)| {
            (0..CHUNK).flat_map(move |row| {
                let chunks = numbered(chunks, 0..=u32::MAX);
                chunks.flat_map(move |(x, chunk)| {
                    let word = chunk.as_ref().map_or(0, |chunk| chunk.solid(row as usize));
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
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(lowest)
    })
}
