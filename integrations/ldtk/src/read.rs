//! Reads the files of a map and of its levels.

use std::{fmt::Display, fs, path::Path};

use bevy::prelude::*;

use crate::{
    LdtkError, LdtkLevel, LdtkMap, LdtkProblem, LdtkProjectId,
    error::of_json,
    json::{self, Lenient},
    map::{Layers, MapLevel},
    old_versions,
    warnings::Warned,
};

impl LdtkMap {
    /// Reads the text of a `.ldtk` file. Levels in files of their own are left to
    /// [`add_external_level`](Self::add_external_level).
    ///
    /// # Errors
    ///
    /// If the text is not JSON, is cut off, lacks what every project has, or is of a version of
    /// LDtk before 1.0 and lacks anything that is read. What is wrong further inside is skipped,
    /// and reported by [`errors`](Self::errors).
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, LdtkError> {
        Self::parse("map", "", text.as_ref())
    }

    /// Reads a `.ldtk` file, and the files of its levels.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or as [`from_json`](Self::from_json). If only the file of a
    /// level cannot be read, [`errors`](Self::errors) reports it.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LdtkError> {
        let path = path.as_ref();
        let file = path.file_name().unwrap_or(path.as_os_str());
        let file = file.to_string_lossy();
        let text = fs::read(path)
            .map_err(|error| LdtkError::new(&*file, LdtkProblem::NotRead(error.to_string())))?;
        // One file has one path, however it is written.
        let absolute = fs::canonicalize(path).unwrap_or(path.into());
        let mut map = Self::parse(&file, &absolute.to_string_lossy(), &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        map.read_external_levels(|file| fs::read(folder.join(file)));
        Ok(map)
    }

    /// The files of levels that were not read yet, relative to that of the map.
    pub fn external_levels(&self) -> Vec<String> {
        let path = |level: &MapLevel| match &level.layers {
            Layers::Here(_) => None,
            Layers::Elsewhere { path, .. } => Some(path.clone()),
        };
        self.levels.iter().filter_map(path).collect()
    }

    /// Reads all levels in files of their own that were not read yet. `read` returns the content of
    /// a file, relative to that of the map. [`errors`](Self::errors) reports what fails.
    pub fn read_external_levels<Text: AsRef<[u8]>, Error: Display>(
        &mut self,
        mut read: impl FnMut(&str) -> Result<Text, Error>,
    ) {
        for path in self.external_levels() {
            let text = read(&path).map_err(|error| error.to_string());
            self.add_external_file(&path, text);
        }
    }

    /// Adds the text of a `.ldtkl` file, which is one of [`external_levels`](Self::external_levels)
    /// or a newer version of it.
    ///
    /// # Errors
    ///
    /// If it is not the file of a level of this map.
    pub fn add_external_level(
        &mut self,
        file: &str,
        text: impl AsRef<[u8]>,
    ) -> Result<(), LdtkError> {
        let mut read: json::Level = serde_json::from_slice(without_mark(text.as_ref()))
            .map_err(|error| of_json(file, &error))?;
        read.complete_iids();
        let error = |problem| LdtkError::new(file, problem).in_level(&read.identifier);
        if let Some(version) = &self.old_version
            && !old_versions::is_level_complete(&read)
        {
            return Err(error(LdtkProblem::OldVersion(version.clone())));
        }
        let known = || self.levels().map(|level| level.identifier.clone());
        let index = self.levels().position(|level| level.iid == read.iid);
        let no_level = || error(LdtkProblem::NoLevel(known().collect()));
        let index = index.ok_or_else(no_level)?;
        let level = &mut self.levels[index];
        let no_layers = || error(LdtkProblem::Malformed("it has no layers".into()));
        level.layers = Layers::Here(read.layer_instances.ok_or_else(no_layers)?);
        level.fields = read.field_instances;
        level.file = Some(file.into());
        Ok(())
    }

    /// Adds the text of one of [`external_levels`](Self::external_levels), or why it cannot be
    /// read. What fails is the error of its level.
    pub(crate) fn add_external_file(&mut self, file: &str, text: Result<impl AsRef<[u8]>, String>) {
        let added = match text {
            Ok(text) => self.add_external_level(file, text),
            Err(why) => Err(LdtkError::new(file, LdtkProblem::NotRead(why))),
        };
        let Err(failure) = added else {
            return;
        };
        for level in &mut self.levels {
            if let Layers::Elsewhere { path, error } = &mut level.layers
                && path == file
            {
                let is_located = failure.level.is_some();
                *error = Some(match is_located {
                    true => failure.clone(),
                    false => failure.clone().in_level(&level.level.identifier),
                });
            }
        }
    }

    /// `file` is what messages name it.
    pub(crate) fn parse(file: &str, path: &str, text: &[u8]) -> Result<Self, LdtkError> {
        let text = without_mark(text);
        let project: Result<json::Project, _> = serde_json::from_slice(text);
        if let Some(version) = old_versions::unreadable(&project, text) {
            return Err(LdtkError::new(file, LdtkProblem::OldVersion(version)));
        }
        let project = project.map_err(|error| of_json(file, &error))?;
        let path = path.into();
        let mut map = Self {
            file: file.into(),
            project: LdtkProjectId {
                path,
                iid: project.iid,
            },
            old_version: Some(project.json_version).filter(|version| old_versions::is_old(version)),
            defs: project.defs,
            default_grid_size: project.default_grid_size,
            worlds: Vec::new(),
            levels: Vec::new(),
            errors: Vec::new(),
            warned: Warned::default(),
        };
        for (what, name, why) in map.defs.bad() {
            let why = format!("the definition of {what} {name}: {why}");
            let error = LdtkError::new(file, LdtkProblem::Malformed(why));
            map.errors.push(error);
        }
        if !project.levels.is_empty() {
            map.add_world("", project.world_layout.as_deref(), project.levels);
        }
        for world in project.worlds {
            match world {
                Lenient::Good(json::World {
                    identifier,
                    world_layout,
                    levels,
                }) => map.add_world(&identifier, world_layout.as_deref(), levels),
                Lenient::Bad { name, why } => {
                    let problem = LdtkProblem::Malformed(format!("world {name}: {why}"));
                    map.errors.push(LdtkError::new(file, problem));
                    map.worlds.push(name);
                }
            }
        }
        Ok(map)
    }

    fn add_world(&mut self, world: &str, layout: Option<&str>, levels: Vec<Lenient<json::Level>>) {
        self.worlds.push(world.into());
        let direction = match layout {
            Some("LinearHorizontal") => Some(Vec2::X),
            Some("LinearVertical") => Some(Vec2::Y),
            _ => None,
        };
        let mut next = Vec2::ZERO;
        let mut gaps = Vec2::ZERO;
        for level in levels {
            let mut level = match level {
                Lenient::Good(level) => level,
                Lenient::Bad { name, why } => {
                    let error = LdtkError::new(&self.file, LdtkProblem::Malformed(why));
                    self.errors.push(error.in_level(&name));
                    continue;
                }
            };
            level.complete_iids();
            let top_left = match direction {
                Some(_) => next,
                None => Vec2::new(level.world_x, level.world_y),
            };
            let level = self.map_level(level, world, top_left, gaps);
            let direction = direction.unwrap_or_default();
            next += level.level.size * direction;
            gaps += direction;
            self.levels.push(level);
        }
    }

    fn map_level(&self, level: json::Level, world: &str, top_left: Vec2, gaps: Vec2) -> MapLevel {
        let mut errors = Vec::new();
        let mut report = |problem| {
            let error = LdtkError::new(&self.file, problem);
            errors.push(error.in_level(&level.identifier));
        };
        let size = Vec2::new(level.px_wid, level.px_hei);
        if !size.cmpgt(Vec2::ZERO).all() {
            report(LdtkProblem::ZeroSize("its size"));
        }
        let layers = match (level.layer_instances, level.external_rel_path) {
            (Some(layers), _) => Layers::Here(layers),
            (None, Some(path)) => Layers::Elsewhere { path, error: None },
            (None, None) => {
                report(LdtkProblem::Malformed("it has no layers".into()));
                Layers::Here(Vec::new())
            }
        };
        MapLevel {
            level: LdtkLevel {
                project: self.project.clone(),
                world: world.into(),
                identifier: level.identifier,
                iid: level.iid,
                depth: level.world_depth,
                top_left,
                size,
            },
            gaps,
            fields: level.field_instances,
            layers,
            file: None,
            errors,
        }
    }
}

/// A text without the byte order mark that some editors put first.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}
