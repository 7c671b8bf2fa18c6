//! Reads the files of a map.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tiled::Loader;

use crate::{
    error::{TiledError, TiledLocation, TiledProblem},
    file_kind::FileKind,
    repair::{Repaired, repair},
};

/// A map of Tiled, with what is wrong in its files. Clones share the map.
#[derive(Clone, Debug)]
pub struct TiledMap {
    data: Arc<tiled::Map>,
    errors: Vec<TiledError>,
    /// Tilesets and templates that could not be read.
    missing: BTreeSet<PathBuf>,
    /// All files that were read, or should have been.
    files: BTreeSet<PathBuf>,
}

impl TiledMap {
    /// Reads a `.tmx` file, with the tilesets and templates that it refers to. Files in JSON, like
    /// `.tmj`, are not read.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read at all. What is wrong inside of it is in
    /// [`errors`](Self::errors).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TiledError> {
        Self::read_with(path, |path: &Path| std::fs::read(path))
    }

    /// Like [`read`](Self::read), with another way to read files: from an archive, or from what is
    /// part of the program.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read at all.
    pub fn read_with(
        path: impl AsRef<Path>,
        read: impl Fn(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, TiledError> {
        let path = path.as_ref();
        let files = Files {
            read: &read,
            found: Mutex::new(Found::default()),
        };
        let map = Loader::with_reader(|file: &Path| files.open(file)).load_tmx_map(path);
        let found = files.found.into_inner();
        let found = found.unwrap_or_else(PoisonError::into_inner);
        let mut map = Self::from(map.map_err(|error| unreadable(path, &why(&error, path)))?);
        map.errors = found.errors;
        map.missing = found.missing;
        map.files = found.files;
        Ok(map)
    }

    /// The map as the crate `tiled` reads it.
    pub fn data(&self) -> &tiled::Map {
        &self.data
    }

    /// What is wrong in the files. [`spawn_map`](crate::spawn_map) returns it as well.
    pub fn errors(&self) -> &[TiledError] {
        &self.errors
    }

    /// All files that the map was made from.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    pub(crate) fn is_missing(&self, file: &Path) -> bool {
        self.missing.contains(file)
    }
}

impl From<tiled::Map> for TiledMap {
    /// A map that something else has loaded. `tiled` itself refuses more than
    /// [`read`](Self::read), and panics when cells are missing.
    fn from(map: tiled::Map) -> Self {
        Self {
            files: [map.source.clone()].into(),
            data: Arc::new(map),
            errors: Vec::new(),
            missing: BTreeSet::new(),
        }
    }
}

/// Reads the files of one map.
struct Files<Read> {
    read: Read,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    errors: Vec<TiledError>,
    references: BTreeMap<PathBuf, Reference>,
    missing: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
}

/// What files that were read refer to.
#[derive(Clone)]
struct Reference {
    kind: FileKind,
    /// The file that has the reference, the one that refers to that file, and so on.
    chain: Vec<PathBuf>,
}

impl<Read: Fn(&Path) -> io::Result<Vec<u8>>> Files<Read> {
    /// A file that `tiled` can read. Instead of a tileset or a template that it cannot read, there
    /// is an empty one.
    fn open(&self, file: &Path) -> io::Result<io::Cursor<Vec<u8>>> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.files.insert(file.into());
        let reference = found.references.get(file).cloned();
        let Reference { kind, mut chain } = reference.unwrap_or(Reference {
            kind: FileKind::Map,
            chain: Vec::new(),
        });
        let plain = plain(file);
        let repaired = if chain.contains(&plain) {
            Err("it refers to itself".into())
        } else {
            self.repair(file, kind)
        };
        match repaired {
            Ok(repaired) => {
                chain.push(plain);
                let references = repaired.references.into_iter().map(|(file, kind)| {
                    let chain = chain.clone();
                    (file, Reference { kind, chain })
                });
                found.references.extend(references);
                found.errors.extend(repaired.errors);
                Ok(io::Cursor::new(repaired.bytes))
            }
            Err(error) if kind == FileKind::Map => Err(io::Error::other(error)),
            Err(error) => {
                found.errors.push(unreadable(file, &error));
                found.missing.insert(file.into());
                Ok(io::Cursor::new(kind.stub().into()))
            }
        }
    }

    fn repair(&self, file: &Path, kind: FileKind) -> Result<Repaired, String> {
        let bytes = (self.read)(file).map_err(|error| error.to_string())?;
        check_xml(&bytes, kind.extension())?;
        let repaired = repair(file, &bytes)?;
        try_out(file, kind, &repaired)?;
        Ok(repaired)
    }
}

/// Whether `tiled` can read a tileset or a template. What it refers to does not matter.
fn try_out(file: &Path, kind: FileKind, repaired: &Repaired) -> Result<(), String> {
    let content = match kind {
        FileKind::Map => return Ok(()),
        FileKind::Tileset => "<tileset firstgid=\"1\" source=\"the file\"/>",
        FileKind::Template => "<objectgroup><object template=\"the file\"/></objectgroup>",
    };
    let map = format!("{MAP}{content}</map>");
    let [probe, copy] = ["a map to try it out", "the file"].map(|name| file.with_file_name(name));
    let mut loader = Loader::with_reader(|path: &Path| -> io::Result<_> {
        let bytes = if path == probe {
            map.clone().into()
        } else if path == copy {
            repaired.bytes.clone()
        } else {
            let kind = repaired.references.get(path);
            kind.map_or("", |kind| kind.stub()).into()
        };
        Ok(io::Cursor::new(bytes))
    });
    let loaded = loader.load_tmx_map(&probe);
    loaded.map(drop).map_err(|error| why(&error, file))
}

/// Without detours: a file may have many paths.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match (component, plain.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                plain.pop();
            }
            (component, _) => plain.push(component),
        }
    }
    plain
}

const MAP: &str = "<map version=\"1.10\" orientation=\"orthogonal\" width=\"1\" height=\"1\" \
                   tilewidth=\"1\" tileheight=\"1\">";

/// Refuses the other format of Tiled, JSON.
fn check_xml(bytes: &[u8], extension: &str) -> Result<(), String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') => Err(format!(
            "it is JSON, and only XML is read: save it as `.{extension}`"
        )),
        _ => Ok(()),
    }
}

/// Without the name of the file, which the error has anyway.
fn why(error: &tiled::Error, path: &Path) -> String {
    match error {
        tiled::Error::ResourceLoadingError { path: failed, err } if failed == path => {
            err.to_string()
        }
        other => other.to_string(),
    }
}

fn unreadable(path: &Path, error: &str) -> TiledError {
    TiledError {
        file: path.into(),
        layer: None,
        location: TiledLocation::Whole,
        problem: TiledProblem::Unreadable(error.into()),
    }
}
