//! Values that are checked when they are read with serde.

use bevy::{
    ecs::entity::Entity,
    math::{Dir2, Rot2, UVec2, Vec2},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

use crate::geometry::Tiles;

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

/// A grid as it is written: rows of text, the first one on top, with `#` for what is solid.
#[derive(Serialize, Deserialize)]
pub(crate) struct TileRows {
    cell_size: Vec2,
    rows: Vec<String>,
}

impl From<Tiles> for TileRows {
    fn from(tiles: Tiles) -> Self {
        let UVec2 {
            x: columns,
            y: rows,
        } = tiles.size();
        let cell = |x, y| {
            if tiles.is_solid(UVec2::new(x, y)) {
                '#'
            } else {
                '.'
            }
        };
        Self {
            cell_size: tiles.cell_size(),
            rows: (0..rows)
                .map(|y| (0..columns).map(|x| cell(x, y)).collect())
                .collect(),
        }
    }
}

impl From<TileRows> for Tiles {
    fn from(TileRows { cell_size, rows }: TileRows) -> Self {
        Self::from_rows(rows, cell_size)
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
