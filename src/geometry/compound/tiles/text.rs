//! Grids as text, for serialization.

use bevy::math::{UVec2, Vec2};
use serde::{Deserialize, Serialize};

use super::{CellShapes, Tiles, from_cells::is_solid_by_default};

/// A grid as rows of text, the first one on top, with `#` for solid cells. A large grid is written
/// as spans of rows instead, so that its length depends on its solid cells alone. In a grid with
/// numbers, a cell is the character that is its number after `0`: `1` to `9`, then `:` and so on.
#[derive(Serialize, Deserialize)]
pub(super) struct TileText {
    cell_size: Vec2,
    /// The number of columns and of rows. The grid is larger if the text does not fit.
    #[serde(default)]
    size: UVec2,
    #[serde(default)]
    rows: Vec<String>,
    /// Pieces of text, each with the cell of its first character.
    #[serde(default)]
    spans: Vec<(UVec2, String)>,
    /// The shapes of a grid with numbers.
    #[serde(default)]
    shapes: Option<CellShapes>,
}

/// The character of the number 0, which no cell has.
const ZERO: u32 = '0' as u32;
/// A grid is written as rows if their total length is at most this, in bytes.
const MAX_LENGTH_OF_ROWS: u32 = 65_536;
/// The length of the quotation marks and the comma around a row.
const LENGTH_AROUND_ROW: u32 = 3;
/// This many consecutive open cells end a span: starting another one takes about as many bytes.
const GAP_BETWEEN_SPANS: u32 = 16;

impl From<Tiles> for TileText {
    fn from(tiles: Tiles) -> Self {
        let (size, cell_size) = (tiles.size(), tiles.cell_size());
        let length = (size.x + LENGTH_AROUND_ROW).saturating_mul(size.y);
        let (rows, spans) = if length <= MAX_LENGTH_OF_ROWS {
            (rows_of(&tiles), Vec::new())
        } else {
            (Vec::new(), spans_of(&tiles))
        };
        Self {
            cell_size,
            size,
            rows,
            spans,
            shapes: tiles.shapes().cloned(),
        }
    }
}

fn rows_of(tiles: &Tiles) -> Vec<String> {
    let UVec2 { x, y } = tiles.size();
    let row = |row| (0..x).map(move |column| character(tiles, UVec2::new(column, row)));
    (0..y).map(|number| row(number).collect()).collect()
}

/// The character of a cell.
fn character(tiles: &Tiles, cell: UVec2) -> char {
    match tiles.number(cell) {
        0 => '.',
        number if tiles.has_shaped_cells() => {
            char::from_u32(ZERO + u32::from(number)).unwrap_or('.')
        }
        _ => '#',
    }
}

/// The number of a character.
fn number(character: char) -> u8 {
    let number = u32::from(character).checked_sub(ZERO);
    number
        .and_then(|number| u8::try_from(number).ok())
        .unwrap_or(0)
}

fn spans_of(tiles: &Tiles) -> Vec<(UVec2, String)> {
    let mut spans: Vec<(UVec2, String)> = Vec::new();
    // The cell after the last span.
    let mut end = UVec2::ZERO;
    for cell in tiles.solid_cells() {
        match spans.last_mut() {
            Some((_, text)) if cell.y == end.y && cell.x - end.x < GAP_BETWEEN_SPANS => {
                text.extend((end.x..cell.x).map(|_| '.'));
                text.push(character(tiles, cell));
            }
            _ => spans.push((cell, character(tiles, cell).into())),
        }
        end = cell + UVec2::X;
    }
    spans
}

impl From<TileText> for Tiles {
    fn from(text: TileText) -> Self {
        let rows = (0..).map(|row| UVec2::new(0, row)).zip(text.rows);
        let spans: Vec<(UVec2, String)> = rows.chain(text.spans).collect();
        let Some(shapes) = &text.shapes else {
            return Self::from_spans(text.size, &spans, text.cell_size, is_solid_by_default);
        };
        let is_solid = |character| number(character) != 0;
        let cells = Self::from_spans(text.size, &spans, text.cell_size, is_solid);
        let UVec2 { x, y } = cells.size();
        let mut tiles = Self::with_shapes(x, y, text.cell_size, shapes);
        for (UVec2 { x, y }, text) in spans {
            for (column, character) in (x..cells.size().x).zip(text.chars()) {
                tiles.set_number(UVec2::new(column, y), number(character));
            }
        }
        tiles
    }
}
