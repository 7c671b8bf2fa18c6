//! The kinds of files that a map is made of.

use std::{collections::BTreeMap, path::PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Map,
    Tileset,
    Template,
}

/// The files that a file refers to.
pub(crate) type References = BTreeMap<PathBuf, FileKind>;

impl FileKind {
    /// The extension of such files in XML.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Map => "tmx",
            Self::Tileset => "tsx",
            Self::Template => "tx",
        }
    }

    /// What is read instead of a file that cannot be read.
    pub fn stub(self) -> &'static str {
        match self {
            Self::Map => "",
            Self::Tileset => {
                "<tileset name=\"\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"0\" \
                 columns=\"0\"/>"
            }
            Self::Template => "<template><object><point/></object></template>",
        }
    }
}
