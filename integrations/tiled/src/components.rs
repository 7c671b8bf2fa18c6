//! What the entities of a map carry as data.

use std::{path::Path, sync::Arc};

use crate::{
    file::TileRef, flips::TiledFlips, map::TiledMap, properties::TiledProperties, rules::TiledRules,
};
use bevy::prelude::*;

/// On the entity of a map, the parent of its layers. Despawn it to unload the map.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct TiledMapRoot {
    /// The map, for instance to draw its tiles.
    pub map: TiledMap,
    /// The rules by which it was spawned.
    pub rules: TiledRules,
    /// From Tiled's origin to this entity, in pixels with y up.
    shift: Vec2,
}

impl TiledMapRoot {
    pub(crate) fn new(map: &TiledMap, rules: &TiledRules) -> Self {
        Self {
            map: map.clone(),
            rules: rules.clone(),
            shift: rules.shift(map.data()),
        }
    }

    /// The position of a point of the map in the local space of the entity. `pixels` are as Tiled
    /// shows them, with y down.
    pub fn position(&self, pixels: Vec2) -> Vec2 {
        self.shift + flip(pixels)
    }

    /// The pixel, as Tiled shows it, at a position in the local space of the entity.
    pub fn pixel(&self, position: Vec2) -> Vec2 {
        flip(position - self.shift)
    }
}

/// On the entity of a layer, a child of the map or of the group that it is in.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
#[require(Transform)]
pub struct TiledLayer {
    /// Its number, unique in the map.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its class. Empty if it has none.
    pub class: String,
    /// Its kind.
    pub kind: TiledLayerKind,
}

/// The kinds of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TiledLayerKind {
    /// Cells with tiles.
    Tiles,
    /// Objects.
    Objects,
    /// An image, which has no colliders.
    Image,
    /// Other layers.
    Group,
}

/// On the entity of a layer, a grid or a tile, whatever parent it has: its map.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct OfMap(pub Entity);

/// On the entity of an object, a child of its layer: whether it has a collider or not.
///
/// A rectangle, an ellipse, a capsule, a text or a tile has its entity at its center, where a
/// sprite belongs. A polygon, a polyline or a point has it at its position in Tiled.
///
/// It is the last component that the entity gets: observers of `On<Add, TiledObject>` find all
/// others.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct TiledObject {
    /// The entity of its map. If that is gone, a [`MapPersistent`](crate::MapPersistent) object
    /// belongs to the next one of the same file.
    pub map: Entity,
    /// The file of its map. With the id, it identifies the object.
    pub file: Arc<Path>,
    /// Its id, or 0 if it has none.
    pub id: u32,
    /// Whether it has an id that no other object of the map has, as in all maps that Tiled has
    /// saved. Otherwise nothing finds it again: a [`MapPersistent`](crate::MapPersistent) one
    /// stays, and is spawned again with its map.
    pub has_unique_id: bool,
    /// Its name, which may be empty.
    pub name: String,
    /// Its class, or the one of its tile. Empty if it has none.
    pub class: String,
    /// The width and height of a rectangle, an ellipse, a capsule, a text or a tile, in pixels,
    /// before flips: a diagonal flip swaps what is drawn of them. Zero for others.
    pub size: Vec2,
    /// The points of a polygon or a polyline, such as a path, in world space with y up: where they
    /// were when the map was spawned. Empty for others.
    pub points: Vec<Vec2>,
    /// Whether Tiled shows it. Colliders do not depend on this.
    pub is_visible: bool,
    /// The text, if it is one.
    pub text: Option<String>,
}

/// A tile as it lies in a cell. It is also a component: of objects that show a tile, and of
/// colliders that are a single tile, because their shape does not fit into cells.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct TiledTile {
    /// The name of its tileset.
    pub tileset: String,
    /// Its number in the tileset.
    pub id: u32,
    /// Its class, or the one of its tileset. Empty if it has none.
    pub class: String,
    /// Its properties, and those of its tileset that it does not have.
    pub properties: TiledProperties,
    /// How it is flipped.
    pub flips: TiledFlips,
}

impl TiledTile {
    pub(crate) fn new(tile: &TileRef) -> Self {
        Self {
            tileset: tile.tileset.name.clone(),
            id: tile.id,
            class: tile.class().into(),
            properties: TiledProperties(tile.properties()),
            flips: tile.flips,
        }
    }
}

/// On each grid, a child of its layer: which tiles its cells are.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
/// use bevy_thud_tiled::TiledCells;
///
/// fn burn(mut hits: MessageReader<MoverHit>, grids: Query<&TiledCells>) {
///     for hit in hits.read() {
///         let tile = hit.cell.zip(grids.get(hit.blocker).ok());
///         if let Some(tile) = tile.and_then(|(cell, grid)| grid.tile(cell))
///             && tile.properties.bool("lava") == Some(true)
///         {
///             info!("{} burns", hit.entity);
///         }
///     }
/// }
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
pub struct TiledCells {
    /// The cell of Tiled that is the first of the grid, at its top left.
    pub first: IVec2,
    /// The columns of the grid.
    pub(crate) columns: u32,
    /// The tiles of the layer.
    pub(crate) tiles: Arc<[TiledTile]>,
    /// The indices of cells, row by row, and of their tiles.
    pub(crate) cells: Vec<CellTile>,
}

/// What tile is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellTile {
    pub cell: u32,
    pub tile: u32,
}

impl TiledCells {
    /// The tile whose shape is in a cell of the grid. `None` if the grid has nothing there.
    pub fn tile(&self, cell: UVec2) -> Option<&TiledTile> {
        if cell.x >= self.columns {
            return None;
        }
        let index = cell.y.checked_mul(self.columns)?.checked_add(cell.x)?;
        let found = self.cells.binary_search_by_key(&index, |it| it.cell).ok()?;
        self.tiles.get(self.cells[found].tile as usize)
    }

    /// Where Tiled counts a cell of the grid.
    pub fn in_tiled(&self, cell: UVec2) -> IVec2 {
        self.first + cell.as_ivec2()
    }
}

/// From y down to y up, and back.
pub(crate) fn flip(point: Vec2) -> Vec2 {
    Vec2::new(point.x, -point.y)
}
