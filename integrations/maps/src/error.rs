//! What is wrong with a map, and where.

use std::{
    collections::HashMap,
    error, fmt,
    hash::Hash,
    path::{Path, PathBuf},
};

/// A kind of mistake in a map, or in the rules for it, and where the first one is. The rest of the
/// map is loaded.
///
/// Its text names the file with the line, the level, the layer, and the cell or the object:
/// `level.tmx:12, layer "Walls", object 7 "crate": its size is zero, so it has no collider (and 3
/// more like this)`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapError<P> {
    /// The file that it is in.
    pub file: PathBuf,
    /// The line of the element that it is about, from 1, if it is known and not all of the file.
    pub line: Option<u32>,
    /// The name of the level, if it is in one.
    pub level: Option<String>,
    /// The name of the layer, if it is in one.
    pub layer: Option<String>,
    /// The cell, tile, object or entity.
    pub location: MapLocation,
    /// What is wrong.
    pub problem: P,
    /// How many mistakes of this kind there are.
    pub count: usize,
}

/// Where in a file, a level or a layer something is wrong.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum MapLocation {
    /// All of it.
    #[default]
    Whole,
    /// A cell, as the editor counts: x to the right, y downward.
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
    /// An entity, by its identifier, with its iid if that is known.
    Entity(String),
    /// A tile of a tileset.
    Tile {
        /// Its number in the tileset.
        id: u32,
        /// The number of the object in its collision shapes, if it is about one.
        object: Option<u32>,
    },
}

impl<P> MapError<P> {
    /// Something is wrong with a file.
    pub fn new(file: impl AsRef<Path>, problem: P) -> Self {
        Self {
            file: file.as_ref().into(),
            line: None,
            level: None,
            layer: None,
            location: MapLocation::Whole,
            problem,
            count: 1,
        }
    }

    /// At this line, if it is known.
    #[must_use]
    pub fn at_line(self, line: impl Into<Option<u32>>) -> Self {
        let line = line.into();
        Self { line, ..self }
    }

    /// In this level.
    #[must_use]
    pub fn in_level(mut self, level: &str) -> Self {
        self.level = Some(level.into());
        self
    }

    /// In this layer.
    #[must_use]
    pub fn in_layer(mut self, layer: &str) -> Self {
        self.layer = Some(layer.into());
        self
    }

    /// Exactly here.
    #[must_use]
    pub fn at(self, location: MapLocation) -> Self {
        Self { location, ..self }
    }
}

impl<P: fmt::Display> MapError<P> {
    /// What is wrong and where, without how often.
    pub fn sentence(&self) -> String {
        let line = self.line.map(|line| format!(":{line}"));
        let named = |what, name: &Option<String>| {
            let name = name.as_ref().map(|name| format!(", {what} \"{name}\""));
            name.unwrap_or_default()
        };
        format!(
            "{}{}{}{}{}: {}",
            self.file.display(),
            line.unwrap_or_default(),
            named("level", &self.level),
            named("layer", &self.layer),
            self.location,
            self.problem
        )
    }
}

/// The first mistake of each kind, with the number of all.
pub fn merge<P, K: Eq + Hash>(
    errors: Vec<MapError<P>>,
    kind: impl Fn(&MapError<P>) -> K,
) -> Vec<MapError<P>> {
    let mut merged: Vec<MapError<P>> = Vec::new();
    let mut known = HashMap::new();
    for error in errors {
        match known.get(&kind(&error)) {
            Some(index) => {
                let first: &mut MapError<P> = &mut merged[*index];
                first.count += error.count;
            }
            None => {
                known.insert(kind(&error), merged.len());
                merged.push(error);
            }
        }
    }
    merged
}

/// What is wrong with a layer that lists another number of cells than fit into its size.
pub fn cell_count(found: impl fmt::Display, expected: impl fmt::Display) -> String {
    format!("{found} cells are listed instead of {expected}; missing ones are empty")
}

/// What is wrong with a property whose value does not fit. `noun` is what its editor calls one.
pub fn misfit(noun: &str, name: &str, found: &str, expected: &str) -> String {
    format!("the {noun} `{name}` is `{found}`, and not {expected}; it is ignored")
}

impl<P: fmt::Display> fmt::Display for MapError<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.sentence())?;
        match self.count {
            0 | 1 => Ok(()),
            count => write!(formatter, " (and {} more like this)", count - 1),
        }
    }
}

impl fmt::Display for MapLocation {
    /// Begins with a comma, unless it is empty.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Cell { x, y } => write!(formatter, ", cell ({x}, {y})"),
            Self::Object { id: 0, name } if name.is_empty() => {
                formatter.write_str(", an object without id and name")
            }
            Self::Object { id: 0, name } => write!(formatter, ", object \"{name}\""),
            Self::Object { id, name } if name.is_empty() => write!(formatter, ", object {id}"),
            Self::Object { id, name } => write!(formatter, ", object {id} \"{name}\""),
            Self::Entity(name) => write!(formatter, ", entity {name}"),
            Self::Tile { id, object: None } => write!(formatter, ", tile {id}"),
            Self::Tile {
                id,
                object: Some(object),
            } => write!(formatter, ", tile {id}, its object {object}"),
        }
    }
}

impl<P: fmt::Debug + fmt::Display> error::Error for MapError<P> {}
