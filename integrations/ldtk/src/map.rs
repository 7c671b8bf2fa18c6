//! The levels of a map, and where they are.

use std::{fmt::Display, fs, path::Path};

use bevy::prelude::*;

use crate::{
    LdtkError, LdtkProblem, LdtkRules,
    json::{self, Defs, Lenient},
};

/// A map of LDtk: a project with its levels, which may be in files of their own.
///
/// It is data without a world. [`spawn_level`](Self::spawn_level) makes colliders of a level.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # use bevy_thud_ldtk::{LdtkMap, LdtkRules};
/// fn spawn(mut commands: Commands) -> Result {
///     let map = LdtkMap::read("assets/room.ldtk")?;
///     let rules = LdtkRules::new().named("Walls", "wall", CellShape::FULL);
///     map.spawn_level("Room", &rules, &mut commands)?;
///     Ok(())
/// }
/// # App::new().add_systems(Startup, spawn);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "asset", derive(bevy::asset::Asset, TypePath))]
pub struct LdtkMap {
    pub(crate) file: String,
    pub(crate) iid: String,
    pub(crate) defs: Defs,
    pub(crate) default_grid_size: f32,
    pub(crate) levels: Vec<MapLevel>,
    /// What is wrong with it whatever the rules are.
    pub(crate) errors: Vec<LdtkError>,
}

/// A level of a map. Also a component of the entity that it is spawned in, whose descendants are
/// all of it but for entities that are [`LdtkPersistent`](crate::LdtkPersistent), or that the game
/// gave another parent. Despawn that entity to unload the level.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct LdtkLevel {
    /// The iid of the project, which is the same in later versions of its file.
    pub project: String,
    /// The identifier of its world. Empty if the project has a single world.
    pub world: String,
    /// The identifier.
    pub identifier: String,
    /// The iid, which no other level has.
    pub iid: String,
    /// Its `worldDepth`.
    pub depth: i32,
    /// Its top left in its world, in pixels, with y down. In linear layouts levels follow each
    /// other without the gaps that the editor shows.
    pub top_left: Vec2,
    /// Its width and height in pixels.
    pub size: Vec2,
}

#[derive(Clone, Debug)]
pub(crate) struct MapLevel {
    pub level: LdtkLevel,
    /// The levels before it, along the direction of a linear layout.
    pub gaps: Vec2,
    pub fields: Vec<Lenient<json::Field>>,
    pub layers: Layers,
}

#[derive(Clone, Debug)]
pub(crate) enum Layers {
    Here(Vec<Lenient<json::Layer>>),
    /// In a file that was not read yet, relative to that of the map.
    Elsewhere(String),
}

impl LdtkMap {
    /// Reads the text of a `.ldtk` file. Levels in files of their own are left to
    /// [`add_external_level`](Self::add_external_level).
    ///
    /// # Errors
    ///
    /// If the text is not JSON, is cut off, or lacks what every project has. What
    /// is wrong further inside is skipped, and reported by [`errors`](Self::errors).
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, LdtkError> {
        Self::parse("map", text.as_ref())
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
            .map_err(|error| LdtkError::new(&file, LdtkProblem::NotRead(error.to_string())))?;
        let mut map = Self::parse(&file, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        map.read_external_levels(|file| fs::read(folder.join(file)));
        Ok(map)
    }

    /// Names the file, for messages.
    #[must_use]
    pub fn with_file_name(mut self, file: &str) -> Self {
        for error in &mut self.errors {
            if error.location.file == self.file {
                error.location.file = file.into();
            }
        }
        self.file = file.into();
        self
    }

    /// The levels, in the order of the file.
    pub fn levels(&self) -> impl Iterator<Item = &LdtkLevel> {
        self.levels.iter().map(|level| &level.level)
    }

    /// A level by its iid or its identifier.
    ///
    /// # Errors
    ///
    /// If there is none, or if several have this identifier.
    pub fn level(&self, name: &str) -> Result<&LdtkLevel, LdtkError> {
        self.find(name).map(|level| &level.level)
    }

    /// The files of levels that were not read yet, relative to that of the map.
    pub fn external_levels(&self) -> Vec<String> {
        let path = |level: &MapLevel| match &level.layers {
            Layers::Here(_) => None,
            Layers::Elsewhere(path) => Some(path.clone()),
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
            let added = match read(&path) {
                Ok(text) => self.add_external_level(&path, text),
                Err(error) => {
                    let problem = LdtkProblem::NotRead(error.to_string());
                    Err(LdtkError::new(&path, problem))
                }
            };
            self.errors.extend(added.err());
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
        let read: json::Level = serde_json::from_slice(text.as_ref())
            .map_err(|error| LdtkError::of_json(file, &error))?;
        let mut levels = self.levels.iter_mut();
        let level = levels.find(|level| level.level.iid == read.iid);
        let error = |problem| LdtkError::new(file, problem).in_level(&read.identifier);
        let level = level.ok_or_else(|| error(LdtkProblem::NoLevel))?;
        let no_layers = || error(LdtkProblem::Malformed("it has no layers".into()));
        level.layers = Layers::Here(read.layer_instances.ok_or_else(no_layers)?);
        level.fields = read.field_instances;
        Ok(())
    }

    pub(crate) fn parse(file: &str, text: &[u8]) -> Result<Self, LdtkError> {
        let project: json::Project =
            serde_json::from_slice(text).map_err(|error| LdtkError::of_json(file, &error))?;
        let mut map = Self {
            file: file.into(),
            iid: project.iid,
            defs: project.defs,
            default_grid_size: project.default_grid_size,
            levels: Vec::new(),
            errors: Vec::new(),
        };
        map.add_world("", project.world_layout.as_deref(), project.levels);
        for world in project.worlds {
            match world {
                Lenient::Good(world) => {
                    map.add_world(
                        &world.identifier,
                        world.world_layout.as_deref(),
                        world.levels,
                    );
                }
                Lenient::Bad { name, why } => {
                    let why = format!("world {name}: {why}");
                    let problem = LdtkProblem::Malformed(why);
                    map.errors.push(LdtkError::new(file, problem));
                }
            }
        }
        Ok(map)
    }

    fn add_world(&mut self, world: &str, layout: Option<&str>, levels: Vec<Lenient<json::Level>>) {
        let direction = match layout {
            Some("LinearHorizontal") => Some(Vec2::X),
            Some("LinearVertical") => Some(Vec2::Y),
            _ => None,
        };
        let mut next = Vec2::ZERO;
        let mut gaps = Vec2::ZERO;
        for level in levels {
            let level = match level {
                Lenient::Good(level) => level,
                Lenient::Bad { name, why } => {
                    let error = LdtkError::new(&self.file, LdtkProblem::Malformed(why));
                    self.errors.push(error.in_level(&name));
                    continue;
                }
            };
            let size = Vec2::new(level.px_wid, level.px_hei);
            if !size.cmpgt(Vec2::ZERO).all() {
                let error = LdtkError::new(&self.file, LdtkProblem::ZeroSize("its size"));
                self.errors.push(error.in_level(&level.identifier));
            }
            let top_left = match direction {
                Some(_) => next,
                None => Vec2::new(level.world_x, level.world_y),
            };
            let layers = match (level.layer_instances, level.external_rel_path) {
                (Some(layers), _) => Layers::Here(layers),
                (None, Some(path)) => Layers::Elsewhere(path),
                (None, None) => {
                    let problem = LdtkProblem::Malformed("it has no layers".into());
                    let error = LdtkError::new(&self.file, problem);
                    self.errors.push(error.in_level(&level.identifier));
                    Layers::Here(Vec::new())
                }
            };
            self.levels.push(MapLevel {
                level: LdtkLevel {
                    project: self.iid.clone(),
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
            });
            let direction = direction.unwrap_or_default();
            next += size * direction;
            gaps += direction;
        }
    }

    pub(crate) fn find(&self, name: &str) -> Result<&MapLevel, LdtkError> {
        if let Some(level) = self.levels.iter().find(|level| level.level.iid == name) {
            return Ok(level);
        }
        let mut levels = self.levels.iter();
        let mut named = levels
            .by_ref()
            .filter(|level| level.level.identifier == name);
        let error = |problem| LdtkError::new(&self.file, problem).in_level(name);
        match (named.next(), named.next()) {
            (Some(level), None) => Ok(level),
            (Some(_), Some(_)) => Err(error(LdtkProblem::SeveralLevels)),
            (None, _) => {
                // It may be there, but not as LDtk writes levels.
                let is_it = |error: &&LdtkError| error.location.level.as_deref() == Some(name);
                let known = self.errors.iter().find(is_it).cloned();
                Err(known.unwrap_or_else(|| error(LdtkProblem::NoLevel)))
            }
        }
    }
}

impl MapLevel {
    /// The lower left of the level in the world, in world units, with y up.
    pub fn origin(&self, rules: &LdtkRules) -> Vec2 {
        let LdtkLevel { top_left, size, .. } = &self.level;
        let top_left = top_left + self.gaps * rules.linear_gap;
        Vec2::new(top_left.x, -(top_left.y + size.y)) * rules.units_per_pixel
    }
}
