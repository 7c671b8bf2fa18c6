//! The levels of a map, and where they are.

use bevy::prelude::*;

use crate::{
    LdtkError, LdtkProblem, LdtkRules,
    json::{self, Defs, Lenient},
    warnings::Warned,
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
    /// What messages name it.
    pub(crate) file: String,
    pub(crate) project: LdtkProjectId,
    /// The version of LDtk that wrote it, if that is before 1.0.
    pub(crate) old_version: Option<String>,
    pub(crate) defs: Defs,
    pub(crate) default_grid_size: f32,
    /// The identifiers of its worlds. Empty for the one of a project with a single world.
    pub(crate) worlds: Vec<String>,
    pub(crate) levels: Vec<MapLevel>,
    /// What is wrong with it outside of these levels, whatever the rules are.
    pub(crate) errors: Vec<LdtkError>,
    pub(crate) warned: Warned,
}

/// Identifies a project. Copies of a file share its iid, but not its path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LdtkProjectId {
    /// The path of its file: absolute if [`LdtkMap::read`] read it, that of the asset if the asset
    /// server did. Otherwise its [name](LdtkMap::with_file_name), or empty.
    pub path: String,
    /// The iid, which is the same in later versions of the file. Empty before LDtk 1.0.
    pub iid: String,
}

/// A level of a map. Also a component of the entity that it is spawned in, whose descendants are
/// all of it but for entities that are [`MapPersistent`](crate::MapPersistent), or that the game
/// gave another parent. Despawn that entity to unload the level.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct LdtkLevel {
    /// Its project.
    pub project: LdtkProjectId,
    /// The identifier of its world. Empty if the project has a single world.
    pub world: String,
    /// The identifier.
    pub identifier: String,
    /// The iid, which no other level of the project has. The identifier in files of LDtk before
    /// 1.0, which have no iids.
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
    /// The file of its layers, if it is not that of the map.
    pub file: Option<String>,
    /// What is wrong with the level as a whole.
    pub errors: Vec<LdtkError>,
}

#[derive(Clone, Debug)]
pub(crate) enum Layers {
    Here(Vec<Lenient<json::Layer>>),
    /// In a file that was not read, relative to that of the map.
    Elsewhere {
        path: String,
        /// Why it cannot be read.
        error: Option<LdtkError>,
    },
}

impl LdtkMap {
    /// Names the file: in messages, and instead of its path where
    /// [`reload`](Self::reload) finds the levels of an earlier version.
    #[must_use]
    pub fn with_file_name(mut self, file: &str) -> Self {
        let of_levels = self.levels.iter_mut().flat_map(|level| &mut level.errors);
        for error in self.errors.iter_mut().chain(of_levels) {
            if error.file == self.file {
                error.file = file.into();
            }
        }
        self.file = file.into();
        self.project.path = file.into();
        for level in &mut self.levels {
            level.level.project.path = file.into();
        }
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

    /// Logs errors as warnings, but for those that were logged before: one line for each kind of
    /// mistake.
    pub(crate) fn warn(&self, errors: Vec<LdtkError>) {
        self.warned.warn(errors);
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
                let is_it = |error: &&LdtkError| error.level.as_deref() == Some(name);
                let known = self.errors.iter().find(is_it).cloned();
                let known_levels = || self.levels().map(|level| level.identifier.clone());
                let no_level = || error(LdtkProblem::NoLevel(known_levels().collect()));
                Err(known.unwrap_or_else(no_level))
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
