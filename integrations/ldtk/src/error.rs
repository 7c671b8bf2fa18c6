//! What is wrong with a map, and where.

use std::{error, fmt};

use bevy::math::UVec2;

/// What is wrong with a map or with the rules for it, and where.
///
/// ```
/// # use bevy_thud_ldtk::LdtkMap;
/// let error = LdtkMap::from_json("{").unwrap_err();
/// assert!(error.to_string().starts_with("map: line 1, column 1: "));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LdtkError {
    /// Where.
    pub location: Box<LdtkLocation>,
    /// What is wrong.
    pub problem: LdtkProblem,
}

/// Where something is wrong with a map, as exactly as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LdtkLocation {
    /// The file, as the map was named. "map" if it has no name.
    pub file: String,
    /// The identifier of the level.
    pub level: Option<String>,
    /// The identifier of the layer.
    pub layer: Option<String>,
    /// The column and row of the first cell in question.
    pub cell: Option<UVec2>,
    /// The identifier and iid of the entity.
    pub entity: Option<String>,
}

/// What is wrong with a map, or with the rules for it.
#[derive(Clone, Debug, PartialEq)]
pub enum LdtkProblem {
    /// The text is not JSON, ends too early, or is not what LDtk writes.
    Json {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What was expected.
        message: String,
    },
    /// A file cannot be read, and why.
    NotRead(String),
    /// An item of the file is not what LDtk writes there. The rest is loaded.
    Malformed(String),
    /// No level has this identifier or iid.
    NoLevel,
    /// Several levels have this identifier. Their iids differ.
    SeveralLevels,
    /// The layers of the level are in another file, which was not read.
    NotLoaded(String),
    /// No world has this identifier.
    NoWorld(String),
    /// Rules name a layer that the map does not have.
    NoLayer,
    /// Rules name an entity that the map does not have.
    NoEntity,
    /// Rules name a tag that no entity has.
    NoEntityTag(String),
    /// Rules name a value that the IntGrid layer does not have.
    NoValue(String),
    /// Rules name a tag that no tile of the layer's tileset has.
    NoTag(String),
    /// Rules name a tile, and the layer has no tileset.
    NoTileset,
    /// Rules name numbers of a layer that has no cells with numbers.
    NoCells,
    /// This is zero or negative. It gets no collider.
    ZeroSize(&'static str),
    /// The layer has more cells than the 65,535 columns or rows, or 2²⁶ cells, that fit.
    TooLarge,
    /// The layer does not have as many cells as fit into its size. Missing ones are open, and
    /// further ones ignored.
    CellCount {
        /// Columns times rows.
        expected: usize,
        /// The length of the list.
        found: usize,
    },
    /// This many cells are not numbers. They are open.
    NotANumber(usize),
    /// The layer has more than 255 kinds of cells, with flipped ones. Further ones are open.
    TooManyKinds,
    /// A field that names a component has a value that does not fit.
    Field {
        /// The identifier of the field.
        field: String,
        /// What would fit.
        expected: &'static str,
    },
}

impl LdtkError {
    /// Nowhere in particular in a file.
    pub(crate) fn new(file: &str, problem: LdtkProblem) -> Self {
        let location = LdtkLocation {
            file: file.into(),
            ..LdtkLocation::default()
        };
        Self {
            location: Box::new(location),
            problem,
        }
    }

    pub(crate) fn of_json(file: &str, error: &serde_json::Error) -> Self {
        let message = error.to_string();
        // It ends with the location, which is written before.
        let message = message.split(" at line ").next().unwrap_or_default();
        let problem = LdtkProblem::Json {
            line: error.line(),
            column: error.column(),
            message: message.into(),
        };
        Self::new(file, problem)
    }

    pub(crate) fn in_level(mut self, level: &str) -> Self {
        self.location.level = Some(level.into());
        self
    }

    pub(crate) fn in_layer(mut self, layer: &str) -> Self {
        self.location.layer = Some(layer.into());
        self
    }

    pub(crate) fn at_cell(mut self, cell: UVec2) -> Self {
        self.location.cell = Some(cell);
        self
    }

    pub(crate) fn of_entity(mut self, entity: String) -> Self {
        self.location.entity = Some(entity);
        self
    }
}

impl fmt::Display for LdtkError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}: ", self.location.file)?;
        if let Some(level) = &self.location.level {
            write!(formatter, "level {level}: ")?;
        }
        if let Some(layer) = &self.location.layer {
            write!(formatter, "layer {layer}: ")?;
        }
        if let Some(cell) = self.location.cell {
            write!(formatter, "column {}, row {}: ", cell.x, cell.y)?;
        }
        if let Some(entity) = &self.location.entity {
            write!(formatter, "entity {entity}: ")?;
        }
        self.problem.fmt(formatter)
    }
}

impl fmt::Display for LdtkProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Json {
                line,
                column,
                message,
            } => write!(formatter, "line {line}, column {column}: {message}"),
            Self::NotRead(why) => write!(formatter, "cannot be read: {why}"),
            Self::Malformed(why) => write!(formatter, "is not as LDtk writes it: {why}"),
            Self::NoLevel => formatter.write_str("no level has this identifier or iid"),
            Self::SeveralLevels => {
                formatter.write_str("several levels have this identifier: use the iid")
            }
            Self::NotLoaded(file) => {
                write!(formatter, "its layers are in {file}, which is missing")
            }
            Self::NoWorld(name) => write!(formatter, "no world has the identifier {name}"),
            Self::NoLayer => formatter.write_str("rules name it, and the map has no such layer"),
            Self::NoEntity => formatter.write_str("rules name it, and the map has no such entity"),
            Self::NoEntityTag(name) => {
                write!(formatter, "rules name {name}, and no entity has this tag")
            }
            Self::NoValue(name) => {
                write!(formatter, "rules name {name}, and no value has this name")
            }
            Self::NoTag(name) => write!(formatter, "rules name {name}, and no tile has this tag"),
            Self::NoTileset => formatter.write_str("rules name tiles, and it has no tileset"),
            Self::NoCells => formatter.write_str("rules name numbers, and it has no cells"),
            Self::ZeroSize(what) => write!(formatter, "{what} is not greater than zero"),
            Self::TooLarge => {
                formatter.write_str("more than 65,535 columns or rows, or than 67,108,864 cells")
            }
            Self::CellCount { expected, found } => {
                write!(formatter, "{found} cells are listed instead of {expected}")
            }
            Self::NotANumber(1) => formatter.write_str("not a number"),
            Self::NotANumber(count) => write!(formatter, "not a number, the first of {count}"),
            Self::TooManyKinds => {
                formatter.write_str("more than 255 kinds of cells, with those of flipped tiles")
            }
            Self::Field { field, expected } => {
                write!(formatter, "the field {field} has to be {expected}")
            }
        }
    }
}

impl error::Error for LdtkError {}
