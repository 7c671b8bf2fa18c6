//! A grid of cells of a level.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::LdtkRole;

/// A grid of cells of a level, on the entity of its [`TileCollider`], which is a child of that of
/// the level. Cells of a layer with the same role are one grid. Tiles that are stacked in a cell,
/// or off the grid, are in further ones.
///
/// In grids of IntGrid layers, and of tiles as large as the layer's cells, columns and rows are
/// those of the editor, and numbers up to 255 are those of the values.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct LdtkGrid {
    /// The identifier of the layer.
    pub layer: String,
    /// The iid of the layer in this level.
    pub layer_iid: String,
    /// What its cells do.
    pub role: LdtkRole,
    /// The names of numbers: those of IntGrid values, or of the tags of tiles.
    pub names: BTreeMap<u8, String>,
    /// The index among the grids of the layer with this role.
    pub(crate) index: usize,
}

impl LdtkGrid {
    /// The name that the author of the map gave to a number: of an IntGrid value, or a tag. `None`
    /// for values without a name, and tiles that were chosen by number. Numbers are those of
    /// [`Tiles::number`](bevy_thud::geometry::Tiles::number).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # use bevy_thud_ldtk::LdtkGrid;
    /// fn burn(mut hits: MessageReader<MoverHit>, grids: Query<(&LdtkGrid, &TileCollider)>) {
    ///     for hit in hits.read() {
    ///         if let Ok((grid, tiles)) = grids.get(hit.blocker)
    ///             && let Some(cell) = hit.cell
    ///             && grid.name_of(tiles.number(cell)) == Some("lava")
    ///         {
    ///             info!("{} burns", hit.entity);
    ///         }
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(burn);
    /// ```
    pub fn name_of(&self, number: u8) -> Option<&str> {
        self.names.get(&number).map(String::as_str)
    }
}

/// A grid of a level, before it is spawned.
#[derive(Clone, Debug, PartialEq)]
pub struct LdtkGridContents {
    /// Its center, in world units from the lower left of the level.
    pub center: Vec2,
    /// Its cells.
    pub tiles: TileCollider,
    /// What it is.
    pub grid: LdtkGrid,
}
