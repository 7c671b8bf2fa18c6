//! What is wrong with a map, and where.

use std::{fmt, mem};

use bevy_thud_maps::{MapError, MapMisfit, cell_count, merge, misfit};

/// What is wrong with a map or with the rules for it, and where.
///
/// ```
/// # use bevy_thud_ldtk::LdtkMap;
/// let error = LdtkMap::from_json("{").unwrap_err();
/// assert!(error.to_string().starts_with("map: line 1, column 1: "));
/// ```
pub type LdtkError = MapError<LdtkProblem>;

/// What is wrong with a map, or with the rules for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
    /// Rules name values of a layer that is no IntGrid layer, or whose cells are missing.
    NoIntGrid,
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
    /// The value of a field that names a component does not fit. It is ignored.
    Field {
        /// The identifier of the field.
        field: String,
        /// The value.
        found: String,
        /// What it may be.
        expected: String,
    },
}

impl From<MapMisfit> for LdtkProblem {
    fn from(misfit: MapMisfit) -> Self {
        Self::Field {
            field: misfit.name,
            found: misfit.found,
            expected: misfit.expected,
        }
    }
}

pub(crate) fn of_json(file: &str, error: &serde_json::Error) -> LdtkError {
    let message = error.to_string();
    // It ends with the location, which is written before.
    let message = message.split(" at line ").next().unwrap_or_default();
    let problem = LdtkProblem::Json {
        line: error.line(),
        column: error.column(),
        message: message.into(),
    };
    LdtkError::new(file, problem)
}

/// The first mistake of each kind, with the number of all.
pub(crate) fn grouped(errors: Vec<LdtkError>) -> Vec<LdtkError> {
    merge(errors, |error| {
        let kind = mem::discriminant(&error.problem);
        (error.layer.clone(), kind, detail(error))
    })
}

/// What errors of one kind have in common beside their layer. Outside of levels each has a kind of
/// its own, but for parts that are not as LDtk writes them.
fn detail(error: &LdtkError) -> String {
    use LdtkProblem::{CellCount, Field, Malformed, NotANumber, NotLoaded, NotRead};
    match &error.problem {
        Malformed(why) => {
            // Before it are names, and values that vary.
            let reason = why.rsplit(": ").next().unwrap_or_default();
            let expected = reason.split_once("expected").map(|(_, expected)| expected);
            expected.unwrap_or(reason).into()
        }
        Field { field, .. } => field.clone(),
        CellCount { .. } | NotANumber(_) | NotLoaded(_) | NotRead(_) => String::new(),
        _ if error.level.is_none() => error.sentence(),
        problem => problem.to_string(),
    }
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
            Self::NoIntGrid => formatter.write_str("rules name values, and it has no IntGrid"),
            Self::ZeroSize(what) => write!(formatter, "{what} is not greater than zero"),
            Self::TooLarge => {
                formatter.write_str("more than 65,535 columns or rows, or than 67,108,864 cells")
            }
            Self::CellCount { expected, found } => {
                formatter.write_str(&cell_count(found, expected))
            }
            Self::NotANumber(1) => formatter.write_str("not a number"),
            Self::NotANumber(count) => write!(formatter, "not a number, the first of {count}"),
            Self::TooManyKinds => {
                formatter.write_str("more than 255 kinds of cells, with those of flipped tiles")
            }
            Self::Field {
                field,
                found,
                expected,
            } => formatter.write_str(&misfit("field", field, found, expected)),
        }
    }
}
