//! What is wrong with a map, and where.

use std::{fmt, path::PathBuf};

use bevy_thud::geometry::PolygonError;

/// One thing that is wrong with a map. The rest of the map is loaded.
///
/// Its text names the file, the layer, and the cell or the object:
/// `level.tmx, layer "Walls", object 7 "crate": its size is zero, so it has no collider`.
#[derive(Clone, Debug, PartialEq)]
pub struct TiledError {
    /// The file that it is in.
    pub file: PathBuf,
    /// The name of the layer, if it is in one.
    pub layer: Option<String>,
    /// The cell, tile or object.
    pub location: TiledLocation,
    /// What is wrong.
    pub problem: TiledProblem,
}

/// Where in a file or a layer something is wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TiledLocation {
    /// All of the file or the layer.
    #[default]
    Whole,
    /// A cell, as Tiled counts: x to the right, y downward.
    Cell {
        /// The column.
        x: i32,
        /// The row.
        y: i32,
    },
    /// An object of a layer or of a template.
    Object {
        /// Its number.
        id: u32,
        /// Its name, which may be empty.
        name: String,
    },
    /// A tile of a tileset.
    Tile {
        /// Its number in the tileset.
        id: u32,
        /// The number of the object in its collision shapes, if it is about one.
        object: Option<u32>,
    },
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
    /// The tileset has more tiles than are read.
    TooManyTiles {
        /// The number of its tiles.
        found: u64,
        /// How many of them are read.
        read: u64,
    },
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
        expected: &'static str,
    },
    /// An attribute is not a number of its kind. It counts as missing, or as zero.
    Attribute {
        /// The name of the attribute.
        name: String,
        /// The value.
        found: String,
    },
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

impl fmt::Display for TiledError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}", self.file.display())?;
        if let Some(layer) = &self.layer {
            write!(formatter, ", layer \"{layer}\"")?;
        }
        match &self.location {
            TiledLocation::Whole => {}
            TiledLocation::Cell { x, y } => write!(formatter, ", cell ({x}, {y})")?,
            TiledLocation::Object { id, name } if name.is_empty() => {
                write!(formatter, ", object {id}")?;
            }
            TiledLocation::Object { id, name } => write!(formatter, ", object {id} \"{name}\"")?,
            TiledLocation::Tile { id, object: None } => write!(formatter, ", tile {id}")?,
            TiledLocation::Tile {
                id,
                object: Some(object),
            } => write!(formatter, ", tile {id}, its object {object}")?,
        }
        write!(formatter, ": {}", self.problem)
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
            Self::TooManyTiles { found, read } => write!(
                formatter,
                "the tileset has {found} tiles, of which the first {read} are read"
            ),
            Self::TooDeep => write!(
                formatter,
                "elements are nested too deep; what is inside of them is ignored"
            ),
            Self::NoCells => write!(formatter, "the layer has no cells"),
            Self::Data(error) => write!(
                formatter,
                "its cells are empty, since their data cannot be decoded: {error}"
            ),
            Self::CellCount { expected, found } => write!(
                formatter,
                "there are {found} cells, and not {expected}; missing ones are empty"
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
            } => write!(
                formatter,
                "the property `{name}` is `{found}`, and not {expected}; it is ignored"
            ),
            Self::Attribute { name, found } => write!(
                formatter,
                "the attribute `{name}` is `{found}`, which cannot be read; it is ignored"
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

impl std::error::Error for TiledError {}
