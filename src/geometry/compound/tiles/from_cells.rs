//! Grids from text, from cells and from numbers.

use bevy::math::{UVec2, Vec2};

use super::{CellShapes, MAX_SIDE, Tiles};

impl Tiles {
    /// A grid from rows of text, the first one on top. Each character is a cell, which is solid
    /// unless the character is a space or a period. The grid is as wide as the longest row.
    ///
    /// Where other characters are not solid either, use [`from_rows_with`](Self::from_rows_with).
    pub fn from_rows(rows: impl IntoIterator<Item = impl AsRef<str>>, cell_size: Vec2) -> Self {
        Self::from_rows_with(rows, cell_size, is_solid_by_default)
    }

    /// Like [`from_rows`](Self::from_rows), but `is_solid` decides which characters are solid.
    ///
    /// ```
    /// use bevy::math::{UVec2, Vec2};
    /// use bevy_thud::geometry::Tiles;
    ///
    /// let rows = ["#..@..#", "#######"];
    /// let tiles = Tiles::from_rows_with(rows, Vec2::ONE, |character| character == '#');
    /// assert!(!tiles.is_solid(UVec2::new(3, 0)));
    /// ```
    pub fn from_rows_with(
        rows: impl IntoIterator<Item = impl AsRef<str>>,
        cell_size: Vec2,
        is_solid: impl FnMut(char) -> bool,
    ) -> Self {
        let starts = (0..MAX_SIDE).map(|row| UVec2::new(0, row));
        let spans: Vec<_> = starts.zip(rows).collect();
        Self::from_spans(UVec2::ZERO, &spans, cell_size, is_solid)
    }

    /// A grid from spans of text, each with the cell of its first character. The grid has the given
    /// size, or is larger if a span ends outside of it.
    pub(super) fn from_spans<Text: AsRef<str>>(
        size: UVec2,
        spans: &[(UVec2, Text)],
        cell_size: Vec2,
        mut is_solid: impl FnMut(char) -> bool,
    ) -> Self {
        let end = |(start, text): &(UVec2, Text)| {
            let length = text.as_ref().chars().count();
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            start.saturating_add(UVec2::new(length, 1))
        };
        let UVec2 { x, y } = spans.iter().map(end).fold(size, UVec2::max);
        let mut tiles = Self::new(x, y, cell_size);
        for (start, text) in spans {
            for (column, character) in (start.x..tiles.size.x).zip(text.as_ref().chars()) {
                if is_solid(character) {
                    tiles.set(UVec2::new(column, start.y), true);
                }
            }
        }
        tiles
    }

    /// A grid with this many columns from its cells, row by row from the top: whether each is
    /// solid. Cells that are missing in the last row are not solid.
    pub fn from_cells(
        columns: u32,
        cells: impl IntoIterator<Item = bool>,
        cell_size: Vec2,
    ) -> Self {
        let mut tiles = Self::new(columns, 0, cell_size);
        if columns == 0 {
            return tiles;
        }
        let positions = (0..MAX_SIDE).flat_map(|y| (0..columns).map(move |x| UVec2::new(x, y)));
        for (cell, is_solid) in positions.zip(cells) {
            tiles.size.y = cell.y + 1;
            if is_solid {
                tiles.set(cell, true);
            }
        }
        tiles
    }

    /// A grid with this many columns from the numbers of its cells, row by row from the top, as
    /// editors of maps write them. `shapes` gives each number a shape; cells with other numbers are
    /// open, and so are cells that are missing in the last row.
    pub fn from_int_grid(
        columns: u32,
        numbers: impl IntoIterator<Item = i32>,
        cell_size: Vec2,
        shapes: &CellShapes,
    ) -> Self {
        let mut tiles = Self::with_shapes(columns, 0, cell_size, shapes);
        if columns == 0 {
            return tiles;
        }
        let positions = (0..MAX_SIDE).flat_map(|y| (0..columns).map(move |x| UVec2::new(x, y)));
        for (cell, number) in positions.zip(numbers) {
            tiles.size.y = cell.y + 1;
            tiles.set_number(cell, u8::try_from(number).unwrap_or(0));
        }
        tiles
    }
}

/// Whether a character of text is a solid cell by default.
pub(super) fn is_solid_by_default(character: char) -> bool {
    !matches!(character, ' ' | '.')
}
