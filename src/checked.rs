//! Values that are checked when they are read with serde.

use bevy::{
    ecs::entity::Entity,
    math::{Dir2, Rot2, UVec2, Vec2},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

use crate::geometry::{Tiles, is_solid_by_default};

/// Reads a direction. It need not be of unit length; one that is stays as it is, to the last bit.
pub(crate) fn direction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dir2, D::Error> {
    let vector = unit_vector(*Dir2::deserialize(deserializer)?)?;
    Ok(Dir2::new_unchecked(vector))
}

/// Reads a rotation in the same way.
pub(crate) fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rot2, D::Error> {
    let Rot2 { cos, sin } = Rot2::deserialize(deserializer)?;
    let Vec2 { x: cos, y: sin } = unit_vector(Vec2::new(cos, sin))?;
    Ok(Rot2 { cos, sin })
}

/// Reads a list of entities, and sorts it.
pub(crate) fn sorted_entities<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Entity>, D::Error> {
    let mut entities = Vec::deserialize(deserializer)?;
    entities.sort_unstable();
    entities.dedup();
    Ok(entities)
}

/// A grid as it is written: as rows of text, the first one on top, with `#` for what is solid. A
/// large grid is written as spans of rows instead, so that it takes what its solid cells take.
#[derive(Serialize, Deserialize)]
pub(crate) struct TileText {
    cell_size: Vec2,
    /// Columns and rows. The grid is larger if the text needs it.
    #[serde(default)]
    size: UVec2,
    #[serde(default)]
    rows: Vec<String>,
    /// Each with the cell of its first character.
    #[serde(default)]
    spans: Vec<(UVec2, String)>,
}

/// A grid is written as rows if those are no longer than this together, in bytes.
const MAX_LENGTH_OF_ROWS: u32 = 65_536;
/// Quotation marks and a comma around a row.
const LENGTH_AROUND_ROW: u32 = 3;
/// So many open cells in a row end a span: to begin another one is about as long.
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
    // Behind the last span.
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

fn unit_vector<E: Error>(vector: Vec2) -> Result<Vec2, E> {
    if vector.is_normalized() {
        return Ok(vector);
    }
    // In f64 the squares of all numbers can be told from zero and infinity.
    let unit = vector.as_dvec2().try_normalize();
    let unit = unit.ok_or_else(|| E::custom(format!("{vector} has no direction")))?;
    Ok(unit.as_vec2())
}
