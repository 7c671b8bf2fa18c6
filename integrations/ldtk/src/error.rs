//! What is wrong with a map, and where.

use std::{error, fmt, mem};

use bevy::{math::UVec2, platform::collections::HashMap};

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
    /// How many mistakes of this kind there are. This is the first one.
    pub count: usize,
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
    /// No level has this identifier or iid. These are the identifiers that there are.
    NoLevel(Vec<String>),
    /// Several levels have this identifier. Their iids differ.
    SeveralLevels,
    /// The layers of the level are in another file, which was not read.
    NotLoaded(String),
    /// No world has this identifier.
    NoWorld {
        /// The identifier.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// LDtk before 1.0 wrote the file, and it lacks what is read of later ones. This is the
    /// version.
    OldVersion(String),
    /// Rules name a layer that the map does not have. These are those that it has.
    NoLayer(Vec<String>),
    /// Rules name an entity that the map does not have. These are those that it has.
    NoEntity(Vec<String>),
    /// Rules name a tag that no entity has.
    NoEntityTag {
        /// The tag.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Rules name a value that the IntGrid layer does not have.
    NoValue {
        /// The name of the value.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Rules name a tag that no tile of the layer's tileset has.
    NoTag {
        /// The tag.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
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
            count: 1,
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

    /// What is wrong and where, whatever the count is.
    pub(crate) fn sentence(&self) -> String {
        let LdtkError {
            location, problem, ..
        } = self;
        format!("{location}{problem}")
    }

    /// What errors of one kind have in common. Outside of levels each has a kind of its own, but
    /// for parts that are not as LDtk writes them.
    fn kind(&self) -> (Option<&str>, mem::Discriminant<LdtkProblem>, String) {
        use LdtkProblem::{CellCount, Malformed, NotANumber, NotLoaded, NotRead};
        let detail = match &self.problem {
            Malformed(why) => {
                // Before it are names, and values that vary.
                let reason = why.rsplit(": ").next().unwrap_or_default();
                let expected = reason.split_once("expected").map(|(_, expected)| expected);
                expected.unwrap_or(reason).into()
            }
            CellCount { .. } | NotANumber(_) | NotLoaded(_) | NotRead(_) => String::new(),
            _ if self.location.level.is_none() => self.sentence(),
            problem => problem.to_string(),
        };
        let layer = self.location.layer.as_deref();
        (layer, mem::discriminant(&self.problem), detail)
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

/// Merges errors of one kind into the first of them, with their count.
pub(crate) fn merge(errors: Vec<LdtkError>) -> Vec<LdtkError> {
    let mut counts = HashMap::new();
    for error in &errors {
        *counts.entry(error.kind()).or_insert(0) += error.count;
    }
    let firsts = errors.iter().filter_map(|error| {
        let count = counts.remove(&error.kind())?;
        Some(LdtkError {
            count,
            ..error.clone()
        })
    });
    firsts.collect()
}

/// Names, as many as one may want to read.
struct Listed<'a>(&'a [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        const MAX: usize = 20;
        match self.0 {
            [] => formatter.write_str("there is none"),
            [name] => write!(formatter, "there is {name}"),
            names if names.len() <= MAX => write!(formatter, "there are {}", names.join(", ")),
            names => {
                let (listed, rest) = names.split_at(MAX);
                let listed = listed.join(", ");
                write!(formatter, "there are {listed} and {} more", rest.len())
            }
        }
    }
}

impl fmt::Display for LdtkError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.sentence())?;
        match self.count {
            0 | 1 => Ok(()),
            count => write!(formatter, " ({count} times, first here)"),
        }
    }
}

impl fmt::Display for LdtkLocation {
    /// Ends with a colon and a space.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}: ", self.file)?;
        if let Some(level) = &self.level {
            write!(formatter, "level {level}: ")?;
        }
        if let Some(layer) = &self.layer {
            write!(formatter, "layer {layer}: ")?;
        }
        if let Some(cell) = self.cell {
            write!(formatter, "column {}, row {}: ", cell.x, cell.y)?;
        }
        if let Some(entity) = &self.entity {
            write!(formatter, "entity {entity}: ")?;
        }
        Ok(())
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
            Self::NoLevel(known) => {
                let known = Listed(known);
                write!(formatter, "no level has this identifier or iid: {known}")
            }
            Self::SeveralLevels => {
                formatter.write_str("several levels have this identifier: use the iid")
            }
            Self::NotLoaded(file) => {
                write!(formatter, "its layers are in {file}, which is missing")
            }
            Self::NoWorld { name, known } => {
                let known = Listed(known);
                write!(formatter, "no world has the identifier {name}: {known}")
            }
            Self::OldVersion(version) => {
                write!(
                    formatter,
                    "written by LDtk {version}: save it with LDtk 1.5"
                )
            }
            Self::NoLayer(known) => {
                let known = Listed(known);
                write!(
                    formatter,
                    "rules name it, and the map has no such layer: {known}"
                )
            }
            Self::NoEntity(known) => {
                let known = Listed(known);
                write!(
                    formatter,
                    "rules name it, and the map has no such entity: {known}"
                )
            }
            Self::NoEntityTag { name, known } => {
                let known = Listed(known);
                write!(
                    formatter,
                    "rules name {name}, and no entity has this tag: {known}"
                )
            }
            Self::NoValue { name, known } => {
                let known = Listed(known);
                write!(
                    formatter,
                    "rules name {name}, and no value has this name: {known}"
                )
            }
            Self::NoTag { name, known } => {
                let known = Listed(known);
                write!(
                    formatter,
                    "rules name {name}, and no tile has this tag: {known}"
                )
            }
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
