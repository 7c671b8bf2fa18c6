//! A component of all rows of a table, as Bevy's contiguous queries return it.

use std::ops::Range;

use bevy::ecs::change_detection::{ContiguousRef, Tick};

/// The number of rows that are checked for changes together: usually nothing has changed in any.
pub(crate) const ROWS_PER_GROUP: usize = 16;

/// A component of the rows of a table.
pub(crate) struct Column<'a, T> {
    pub values: &'a [T],
    changed: &'a [Tick],
    last_run: Tick,
    this_run: Tick,
}

impl<T> Clone for Column<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<'_, T> {}

impl<'a, T> Column<'a, T> {
    pub fn of(column: ContiguousRef<'a, T>) -> Self {
        Self {
            changed: column.changed_ticks_slice(),
            last_run: column.last_run_tick(),
            this_run: column.this_run_tick(),
            values: column.into_inner(),
        }
    }

    #[inline]
    pub fn is_changed(&self, row: usize) -> bool {
        self.changed[row].is_newer_than(self.last_run, self.this_run)
    }

    /// Whether any of the rows has changed. No branch for each row: a few instructions check all.
    #[inline]
    pub fn any_changed(&self, rows: Range<usize>) -> bool {
        self.changed[rows].iter().fold(false, |any, tick| {
            any | tick.is_newer_than(self.last_run, self.this_run)
        })
    }
}
