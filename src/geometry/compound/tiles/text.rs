//! Grids as text, for serialization.

use bevy::math::{UVec2, Vec2};
use serde::{Deserialize, Serialize};

use super::{Tiles, is_solid_by_default};

/// A grid as rows of text, the first one on top, with `#` for solid cells. A large grid is written
/// as spans of rows instead, so that its length depends on its solid cells alone.
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
}

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
        }
    }
}

fn rows_of(tiles: &Tiles) -> Vec<String> {
    let UVec2 { x, y } = tiles.size();
    let cell = |cell| if tiles.is_solid(cell) { '#' } else { '.' };
    (0..y)
        .map(|row| (0..x).map(|column| cell(UVec2::new(column, row))).collect())
        .collect()
}

fn spans_of(tiles: &Tiles) -> Vec<(UVec2, String)> {
    let mut spans: Vec<(UVec2, String)> = Vec::new();
    // The cell after the last span.
    let mut end = UVec2::ZERO;
    for cell in tiles.solid_cells() {
        match spans.last_mut() {
            Some((_, text)) if cell.y == end.y && cell.x - end.x < GAP_BETWEEN_SPANS => {
                text.extend((end.x..cell.x).map(|_| '.'));
                text.push('#');
            }
            _ => spans.push((cell, "#".into())),
        }
        end = cell + UVec2::X;
    }
    spans
}

impl From<TileText> for Tiles {
    fn from(text: TileText) -> Self {
        let rows = (0..).map(|row| UVec2::new(0, row)).zip(text.rows);
        let spans: Vec<(UVec2, String)> = rows.chain(text.spans).collect();
        Self::from_spans(text.size, &spans, text.cell_size, is_solid_by_default)
    }
}
