//! Reads the files of a map.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    error::{TiledError, grouped},
    file::{Files, Map, read_map},
};

/// A map of Tiled, with what is wrong in its files. Clones share the map.
#[derive(Clone, Debug)]
pub struct TiledMap {
    data: Arc<Map>,
    errors: Vec<TiledError>,
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

    /// Like [`read`](Self::read), with a function that reads each file: from an archive, or from
    /// what is part of the program.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read at all.
    pub fn read_with(
        path: impl AsRef<Path>,
        read: impl Fn(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, TiledError> {
        let files = Files::new(&read);
        let data = files.open(path.as_ref(), "map", read_map)?;
        let found = files.finish();
        Ok(Self {
            data: Arc::new(data),
            errors: grouped(found.errors),
            files: found.files,
        })
    }

    /// What is in the files, for instance to draw the tiles.
    pub fn data(&self) -> &Map {
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
}
