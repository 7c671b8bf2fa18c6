//! Opens the files of a map, each once.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use super::{
    Object, Shape, Tileset, objects, tilesets,
    xml::{self, Element},
};
use crate::error::{TiledError, TiledProblem};

/// Files that refer to each other are not read farther than this.
const MAX_CHAIN: usize = 32;

/// What a file is read by.
pub(crate) type Read<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// The files of one map.
pub(crate) struct Files<'a> {
    read: Read<'a>,
    found: RefCell<Found>,
}

/// What was found in the files.
#[derive(Default)]
pub(crate) struct Found {
    pub errors: Vec<TiledError>,
    /// All files that were read, or should have been.
    pub files: BTreeSet<PathBuf>,
    /// The file that is read, the one that refers to it, and so on.
    chain: Vec<PathBuf>,
    tilesets: HashMap<PathBuf, Arc<Tileset>>,
    templates: HashMap<PathBuf, Arc<Object>>,
}

impl<'a> Files<'a> {
    pub fn new(read: Read<'a>) -> Self {
        let found = RefCell::default();
        Self { read, found }
    }

    pub fn finish(self) -> Found {
        self.found.into_inner()
    }

    pub fn report(&self, error: TiledError) {
        self.found.borrow_mut().errors.push(error);
    }

    /// Reads a file whose root element has this tag.
    pub fn open<T>(
        &self,
        path: &Path,
        tag: &str,
        read: impl FnOnce(Element) -> T,
    ) -> Result<T, TiledError> {
        let plain = plain(path);
        let mut found = self.found.borrow_mut();
        found.files.insert(path.into());
        let refused = if found.chain.contains(&plain) {
            Err((None, "it refers to itself".into()))
        } else if found.chain.len() == MAX_CHAIN {
            Err((None, "too many files refer to each other".into()))
        } else {
            found.chain.push(plain);
            drop(found);
            let bytes = (self.read)(path).map_err(|error| (None, error.to_string()));
            let read = bytes.and_then(|bytes| xml::parse(path, &bytes, self, tag, read));
            self.found.borrow_mut().chain.pop();
            read
        };
        refused.map_err(|(line, why)| {
            TiledError::new(path, TiledProblem::Unreadable(why)).at_line(line)
        })
    }

    /// A tileset, which has no tiles if it cannot be read.
    pub fn tileset(&self, path: &Path) -> Arc<Tileset> {
        let known = self.found.borrow().tilesets.get(&plain(path)).cloned();
        known.unwrap_or_else(|| {
            let tileset = Arc::new(self.read_or_report(path, "tileset", tilesets::read));
            let mut found = self.found.borrow_mut();
            found.tilesets.insert(plain(path), tileset.clone());
            tileset
        })
    }

    /// The object of a template, which is a point if it cannot be read.
    pub fn template(&self, path: &Path) -> Arc<Object> {
        let known = self.found.borrow().templates.get(&plain(path)).cloned();
        known.unwrap_or_else(|| {
            let object = self.read_or_report(path, "template", objects::read_template);
            let object = Arc::new(object.unwrap_or(Object {
                shape: Shape::Point,
                ..Object::default()
            }));
            let mut found = self.found.borrow_mut();
            found.templates.insert(plain(path), object.clone());
            object
        })
    }

    fn read_or_report<T: Default>(
        &self,
        path: &Path,
        tag: &str,
        read: impl FnOnce(Element) -> T,
    ) -> T {
        let read = self.open(path, tag, read);
        read.unwrap_or_else(|error| {
            self.report(error);
            T::default()
        })
    }
}

/// Without detours: a file may have many paths.
pub(crate) fn plain(path: &Path) -> PathBuf {
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
