//! What the content of a map is spawned with.

use std::{path::Path, sync::Arc};

use bevy::prelude::*;

use crate::{
    children::spawn_child,
    components::OfMap,
    error::{TiledError, TiledProblem},
    map::TiledMap,
    persistent::Persistent,
    rules::TiledRules,
};
use bevy_thud_maps::MapLocation;

/// What the content of a map is spawned with, and what is wrong so far.
pub(crate) struct Spawner<'a, 'w, 's> {
    /// The entity of the map.
    pub root: Entity,
    pub map: &'a TiledMap,
    pub rules: &'a TiledRules,
    /// The file of the map.
    pub file: Arc<Path>,
    /// The objects that are not spawned.
    pub persistent: Persistent,
    pub commands: Commands<'w, 's>,
    pub errors: Vec<TiledError>,
    /// How many layers there are so far.
    pub count: u16,
}

impl Spawner<'_, '_, '_> {
    /// Something is wrong in the file of the map.
    pub fn report_problem(
        &mut self,
        layer: Option<&str>,
        line: u32,
        location: MapLocation,
        problem: TiledProblem,
    ) {
        let mut error = TiledError::new(&self.file, problem).at_line(line);
        (error.layer, error.location) = (layer.map(Into::into), location);
        self.report(error);
    }

    /// Something is wrong. A tile is reported once, not for each layer, flip and object.
    pub fn report(&mut self, error: TiledError) {
        let is_unknown = matches!(error.problem, TiledProblem::UnknownTile { .. });
        let is_of_tile = matches!(error.location, MapLocation::Tile { .. });
        let is_same = |known: &TiledError| {
            known.file == error.file
                && known.problem == error.problem
                && (is_unknown || known.location == error.location)
        };
        let is_once = is_unknown || is_of_tile;
        if !(is_once && self.errors.iter().any(is_same)) {
            self.errors.push(error);
        }
    }

    /// The size of a cell, in pixels.
    pub fn cell_size(&self) -> Vec2 {
        self.map.data().tile_size.as_vec2()
    }

    /// Spawns a layer, or what is in it.
    pub fn spawn_child(
        &mut self,
        parent: Entity,
        bundle: impl Bundle,
        insert: impl FnOnce(&mut EntityCommands) + Send + 'static,
    ) -> Entity {
        let bundle = (OfMap(self.root), bundle);
        spawn_child(&mut self.commands, parent, bundle, insert)
    }
}
