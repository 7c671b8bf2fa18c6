//! Rectangles of solid cells in a small window.

use std::ops::{BitAnd, Range};

use bevy::math::UVec2;

use super::CellRange;

/// How many columns and rows a board has.
pub(super) const SIDE: u32 = u8::BITS;

const FIRST_ROW: u64 = 0xFF;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIDE - 1);

/// Some cells of eight by eight: a byte for each row, the upper rows in the lower bits, and in each the left columns in the lower bits. Such
/// are the bitboards of chess programs, <https://www.chessprogramming.org/Bitboards>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board(u64);

impl Board {
    /// The cells of eight rows, each in the lowest eight bits of a word; higher bits do not count.
    pub fn of_rows(rows: impl Iterator<Item = u64>) -> Self {
        let bytes = (0..SIDE).zip(rows);
        Self(bytes.fold(0, |cells, (row, columns)| {
            cells | (columns & FIRST_ROW) << (SIDE * row)
        }))
    }

    /// All cells of some columns.
    pub fn columns(columns: Range<u32>) -> Self {
        Self(FIRST_COLUMN * ((1 << columns.end) - (1 << columns.start)))
    }

    /// All cells of some rows, one at least: without, a word would be shifted by all its bits.
    pub fn rows(rows: Range<u32>) -> Self {
        Self(u64::MAX >> (SIDE * (SIDE - rows.end)) & u64::MAX << (SIDE * rows.start))
    }

    /// Those that are among others, or to the left or right of such a one.
    pub fn near(self, others: Self) -> Self {
        let Self(among) = self & others;
        // What leaves a row enters the next one.
        let beside = (among << 1 & !FIRST_COLUMN) | (among >> 1 & !LAST_COLUMN);
        Self(self.0 & (among | beside))
    }

    pub fn overlaps(self, other: Self) -> bool {
        self & other != Self(0)
    }

    /// Takes the uppermost run of cells, the left one of several, with the same run of the rows below as long as those have it, neither
    /// longer nor shorter. Also gives the cells of that rectangle.
    #[inline]
    pub fn pop_rect(&mut self) -> Option<(CellRange, Self)> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros();
        let start = UVec2::new(first % SIDE, first / SIDE);
        let rows = self.0 >> (SIDE * start.y);
        let row = rows & FIRST_ROW;
        // The carry goes up to the first cell beyond the run.
        let run = row & !(row + (1 << start.x));
        let with_neighbors = run | (run << 1 & FIRST_ROW) | run >> 1;
        let differing = (rows & (FIRST_COLUMN * with_neighbors)) ^ (FIRST_COLUMN * run);
        let size = UVec2::new(
            (run >> start.x).trailing_ones(),
            differing.trailing_zeros() / SIDE,
        );
        let end = start + size;
        let rect = Self(FIRST_COLUMN * run) & Self::rows(start.y..end.y);
        self.0 ^= rect.0;
        Some((CellRange { start, end }, rect))
    }
}

impl BitAnd for Board {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
