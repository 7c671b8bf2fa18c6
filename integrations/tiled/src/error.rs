//! What is wrong with a map, and where.

use std::{fmt, mem};

use bevy_thud::geometry::PolygonError;
use bevy_thud_maps::{MapError, MapLocation, MapMisfit, cell_count, merge, misfit};

/// What is wrong with a map, and where.
pub type TiledError = MapError<TiledProblem>;

/// The first mistake of each kind, with the number of all. Those of tiles are one for all layers.
pub(crate) fn grouped(errors: Vec<TiledError>) -> Vec<TiledError> {
    merge(errors, |error| {
        let is_of_tile = matches!(error.location, MapLocation::Tile { .. });
        let layer = error.layer.clone().filter(|_| !is_of_tile);
        let name = error.problem.name().map(String::from);
        let kind = mem::discriminant(&error.problem);
        (kind, name, error.file.clone(), is_of_tile, layer)
    })
}

/// What is wrong with a map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TiledProblem {
    /// The file cannot be read, or is of another format. A map that has this is not loaded.
    /// Tilesets and templates that have this are left out.
    Unreadable(String),
    /// The map is not orthogonal: isometric, staggered, hexagonal or oblique.
    Orientation(String),
    /// The size of the map's cells or of a tileset's tiles is zero.
    NoTileSize,
    /// Groups, or values of properties, are in each other beyond any use. Those that are in too
    /// many others are ignored.
    TooDeep,
    /// The layer has no cells.
    NoCells,
    /// The data of the layer's cells cannot be decoded. They are empty.
    Data(String),
    /// There is another number of cells than by the size of the layer or of the chunk. Those that
    /// are missing are empty.
    CellCount {
        /// The number by the size.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// This is not the number of a cell's tile. The cell is empty.
    Cell {
        /// The text of the cell.
        found: String,
    },
    /// No tileset has this global number. The cell is empty; the object has no tile.
    UnknownGid {
        /// The number, without the bits of its flips.
        gid: u32,
    },
    /// The tileset, which is the file of this error, does not have this tile.
    UnknownTile {
        /// The number of the tile in its tileset.
        id: u32,
    },
    /// A property has a type that Tiled 1.12 does not have. It is handed on as a string.
    PropertyType {
        /// The name of the property.
        name: String,
        /// The type.
        found: String,
    },
    /// The value of a property does not fit its type, or is none that this crate understands. It
    /// is ignored.
    PropertyValue {
        /// The name of the property.
        name: String,
        /// The value.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// An attribute is not a number of its kind. It counts as missing, or as zero.
    Attribute {
        /// The name of the attribute.
        name: String,
        /// The value.
        found: String,
    },
    /// The object has no id. If it is persistent, it is spawned again with its map.
    NoId,
    /// Another object of the map has the same id. If it is persistent, it is spawned again with
    /// its map.
    SharedId,
    /// The width or the height of the object is zero, negative or not finite. It has no collider.
    NoSize,
    /// The polygon of the object is not one. It has no collider.
    Polygon(PolygonError),
    /// A polyline has fewer than two different points, or one that is not finite. It has no
    /// collider.
    Polyline,
    /// The collision shape of a tile is a point or a text, which has no area.
    NoArea,
}

impl TiledProblem {
    /// The name of the property or attribute that it is about.
    fn name(&self) -> Option<&str> {
        match self {
            Self::PropertyType { name, .. }
            | Self::PropertyValue { name, .. }
            | Self::Attribute { name, .. } => Some(name),
            _ => None,
        }
    }
}

impl From<MapMisfit> for TiledProblem {
    fn from(misfit: MapMisfit) -> Self {
        Self::PropertyValue {
            name: misfit.name,
            found: misfit.found,
            expected: misfit.expected,
        }
    }
}

impl fmt::Display for TiledProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(formatter, "cannot be read: {error}"),
            Self::Orientation(name) => write!(
                formatter,
                "the map is {name}, and only orthogonal maps have colliders"
            ),
            Self::NoTileSize => write!(formatter, "the size of its tiles is zero"),
            Self::TooDeep => write!(
                formatter,
                "elements are nested too deep; what is inside of them is ignored"
            ),
            Self::NoCells => write!(formatter, "the layer has no cells"),
            Self::Data(error) => write!(
                formatter,
                "its cells are empty, since their data cannot be decoded: {error}"
            ),
            Self::CellCount { expected, found } => {
                formatter.write_str(&cell_count(found, expected))
            }
            Self::Cell { found } => write!(
                formatter,
                "`{found}` is not the number of a tile; the cell is empty"
            ),
            Self::UnknownGid { gid } => write!(formatter, "no tileset has the number {gid}"),
            Self::UnknownTile { id } => write!(formatter, "the tileset has no tile {id}"),
            Self::PropertyType { name, found } => write!(
                formatter,
                "the property `{name}` has the unknown type `{found}`, and is read as a string"
            ),
            Self::PropertyValue {
                name,
                found,
                expected,
            } => formatter.write_str(&misfit("property", name, found, expected)),
            Self::Attribute { name, found } => write!(
                formatter,
                "the attribute `{name}` is `{found}`, which cannot be read; it is ignored"
            ),
            Self::NoId => write!(
                formatter,
                "it has no id, by which `MapPersistent` finds it again: save the map with a \
                 newer Tiled"
            ),
            Self::SharedId => write!(
                formatter,
                "another object has the same id, by which `MapPersistent` finds it again: cut it \
                 and paste it in Tiled"
            ),
            Self::NoSize => write!(formatter, "its size is zero, so it has no collider"),
            Self::Polygon(error) => write!(formatter, "it has no collider: {error}"),
            Self::Polyline => write!(
                formatter,
                "it has no collider: a polyline needs two different, finite points"
            ),
            Self::NoArea => write!(
                formatter,
                "a point or a text has no area, and is no collision shape of a tile"
            ),
        }
    }
}
