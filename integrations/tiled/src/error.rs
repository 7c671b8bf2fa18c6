//! What is wrong with a map, and where.

use std::{
    fmt, mem,
    path::{Path, PathBuf},
};

use bevy_thud::geometry::PolygonError;

/// A kind of mistake in a layer or a file of a map. The rest of the map is loaded.
///
/// Its text names the file with the line, the layer, and the cell or the object of the first one:
/// `level.tmx:12, layer "Walls", object 7 "crate": its size is zero, so it has no collider (and 3
/// more like this)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TiledError {
    /// The file that it is in.
    pub file: PathBuf,
    /// The line of the element that it is about, from 1. `None` if it is about all of the file.
    pub line: Option<u32>,
    /// The name of the layer, if it is in one.
    pub layer: Option<String>,
    /// The cell, tile or object.
    pub location: TiledLocation,
    /// What is wrong.
    pub problem: TiledProblem,
    /// How many more mistakes of this kind there are in the layer, or in the file's tiles.
    pub more: u32,
}

impl TiledError {
    /// A mistake that is not in a layer.
    pub(crate) fn new(file: &Path, line: Option<u32>, problem: TiledProblem) -> Self {
        Self {
            file: file.into(),
            line,
            layer: None,
            location: TiledLocation::Whole,
            problem,
            more: 0,
        }
    }

    /// Whether both are mistakes of the same kind.
    fn is_like(&self, other: &Self) -> bool {
        let is_of_tile = |it: &Self| matches!(it.location, TiledLocation::Tile { .. });
        let [kind, other_kind] = [self, other].map(|it| mem::discriminant(&it.problem));
        kind == other_kind
            && self.problem.name() == other.problem.name()
            && self.file == other.file
            && (self.layer == other.layer || is_of_tile(self) && is_of_tile(other))
    }
}

/// The first mistake of each kind, with the number of others.
pub(crate) fn grouped(errors: Vec<TiledError>) -> Vec<TiledError> {
    let mut grouped: Vec<TiledError> = Vec::new();
    for error in errors {
        match grouped.iter_mut().find(|known| known.is_like(&error)) {
            Some(known) => known.more += error.more + 1,
            None => grouped.push(error),
        }
    }
    grouped
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
        /// Its id, or 0 if it has none.
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

impl fmt::Display for TiledError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(formatter, ":{line}")?;
        }
        if let Some(layer) = &self.layer {
            write!(formatter, ", layer \"{layer}\"")?;
        }
        match &self.location {
            TiledLocation::Whole => {}
            TiledLocation::Cell { x, y } => write!(formatter, ", cell ({x}, {y})")?,
            TiledLocation::Object { id: 0, name } if name.is_empty() => {
                write!(formatter, ", an object without id and name")?;
            }
            TiledLocation::Object { id: 0, name } => write!(formatter, ", object \"{name}\"")?,
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
        write!(formatter, ": {}", self.problem)?;
        match self.more {
            0 => Ok(()),
            more => write!(formatter, " (and {more} more like this)"),
        }
    }
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
            Self::CellCount { expected, found } => write!(
                formatter,
                "there are {found} cells, and not {expected}; missing ones are empty"
            ),
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
            } => write!(
                formatter,
                "the property `{name}` is `{found}`, and not {expected}; it is ignored"
            ),
            Self::Attribute { name, found } => write!(
                formatter,
                "the attribute `{name}` is `{found}`, which cannot be read; it is ignored"
            ),
            Self::NoId => write!(
                formatter,
                "it has no id, by which `TiledPersistent` finds it again: save the map with a \
                 newer Tiled"
            ),
            Self::SharedId => write!(
                formatter,
                "another object has the same id, by which `TiledPersistent` finds it again: cut it \
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

impl std::error::Error for TiledError {}
