//! Levels become entities.

use bevy::{platform::collections::HashSet, prelude::*};
use bevy_thud_maps::{MapPersistent, transform_in_world};

use crate::{
    LdtkContents, LdtkEntity, LdtkEntityContents, LdtkError, LdtkGridContents, LdtkLevel, LdtkMap,
    LdtkProjectId, LdtkRules, from_map, map::MapLevel, ready,
};

/// Where the map and the rules put a level, from which the game may have moved it.
#[derive(Component, PartialEq)]
pub(crate) struct Origin(pub Vec2);

/// The level of a grid or of an entity, whatever parent the game gave it.
#[derive(Component)]
pub(crate) struct InLevel(pub Entity);

impl LdtkMap {
    /// Spawns a level, by its iid or identifier: an entity with [`LdtkLevel`]
    /// where the level is in its world, and in it one for each grid of cells and for each entity.
    /// Despawn the returned entity to unload the level.
    ///
    /// When all of it is there, [`LdtkLevelReady`](crate::LdtkLevelReady) and
    /// [`LdtkMapReady`](crate::LdtkMapReady) are triggered.
    ///
    /// What is wrong with the level, the map or the rules is logged as a warning, once for a map
    /// and its clones, and the rest is spawned; [`errors`](Self::errors) returns it.
    ///
    /// Nothing that is spawned draws. To draw below it, give all levels what Bevy wants of parents:
    /// `app.register_required_components::<LdtkLevel, Visibility>()`.
    ///
    /// # Errors
    ///
    /// If there is no such level, several have this identifier, or its file was not read.
    pub fn spawn_level(
        &self,
        level: &str,
        rules: &LdtkRules,
        commands: &mut Commands,
    ) -> Result<Entity, LdtkError> {
        let contents = self.contents_of(self.find(level)?, rules)?;
        let spawned = self.spawn_contents(None, vec![contents], rules, Vec::new(), commands);
        Ok(spawned[0])
    }

    /// Spawns all levels whose files were read: see [`spawn_level`](Self::spawn_level).
    ///
    /// Levels of different worlds and depths may overlap: [`spawn_levels`](Self::spawn_levels)
    /// spawns those of one.
    pub fn spawn_all(&self, rules: &LdtkRules, commands: &mut Commands) -> Vec<Entity> {
        self.spawn_levels(|_| true, rules, commands)
    }

    /// Spawns the levels for which `filter` returns true, and whose files were read: see
    /// [`spawn_level`](Self::spawn_level).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud_ldtk::{LdtkMap, LdtkRules};
    /// fn spawn_ground(map: &LdtkMap, rules: &LdtkRules, commands: &mut Commands) {
    ///     map.spawn_levels(|level| level.depth == 0, rules, commands);
    /// }
    /// # let _ = spawn_ground;
    /// ```
    pub fn spawn_levels(
        &self,
        mut filter: impl FnMut(&LdtkLevel) -> bool,
        rules: &LdtkRules,
        commands: &mut Commands,
    ) -> Vec<Entity> {
        let levels = self.levels.iter().filter(|level| filter(&level.level));
        self.spawn_in(None, levels, rules, commands)
    }

    /// Spawns levels as children of an entity, or of none.
    pub(crate) fn spawn_in<'a>(
        &self,
        root: Option<Entity>,
        levels: impl IntoIterator<Item = &'a MapLevel>,
        rules: &LdtkRules,
        commands: &mut Commands,
    ) -> Vec<Entity> {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        for level in levels {
            match self.contents_of(level, rules) {
                Ok(contents) => all.push(contents),
                Err(error) => errors.push(error),
            }
        }
        self.spawn_contents(root, all, rules, errors, commands)
    }

    /// Spawns levels, and warns of what is wrong with them, the rules and other levels.
    fn spawn_contents(
        &self,
        root: Option<Entity>,
        levels: Vec<LdtkContents>,
        rules: &LdtkRules,
        of_others: Vec<LdtkError>,
        commands: &mut Commands,
    ) -> Vec<Entity> {
        let mut errors = self.errors_outside_of_levels(rules);
        errors.extend(of_others);
        errors.extend(levels.iter().flat_map(|level| level.errors.iter().cloned()));
        self.warn(errors);
        let levels = levels.into_iter();
        let levels: Vec<Entity> = levels.map(|level| spawn(level, root, commands)).collect();
        let spawned = levels.clone();
        commands.queue(move |world: &mut World| ready::map(root, levels, world));
        spawned
    }
}

/// Spawns a level as a child of an entity, or of none.
fn spawn(contents: LdtkContents, parent: Option<Entity>, commands: &mut Commands) -> Entity {
    let level = commands.spawn_empty().id();
    commands.queue(move |world: &mut World| match parent {
        Some(parent) if world.get_entity(parent).is_err() => {
            let _ = world.try_despawn(level);
        }
        Some(parent) => {
            from_map::insert(ChildOf(parent), level, world);
            fill(level, contents, world);
        }
        None => fill(level, contents, world),
    });
    level
}

/// Makes an entity a level. The entity, or any of those in it, may be gone after each step, since
/// observers may despawn it.
fn fill(level: Entity, contents: LdtkContents, world: &mut World) {
    let components = (
        Transform::from_translation(contents.origin.extend(0.0)),
        Name::new(contents.level.identifier.clone()),
        Origin(contents.origin),
        contents.fields,
        contents.level,
    );
    from_map::insert(components, level, world);
    for grid in contents.grids {
        spawn_grid(grid, level, world);
    }
    spawn_entities(contents.entities, level, world);
    ready::level(level, world);
}

/// Spawns a grid in a level, if the level exists.
pub(crate) fn spawn_grid(grid: LdtkGridContents, level: Entity, world: &mut World) {
    if world.get_entity(level).is_ok() {
        let name = Name::new(grid.grid.layer.clone());
        let entity = world.spawn((name, InLevel(level), ChildOf(level))).id();
        from_map::insert_grid(grid, entity, world);
    }
}

/// Spawns entities in a level, but for persistent ones that are there.
pub(crate) fn spawn_entities(entities: Vec<LdtkEntityContents>, level: Entity, world: &mut World) {
    let mut persistent = world.query_filtered::<&LdtkEntity, With<MapPersistent>>();
    let persistent: HashSet<(LdtkProjectId, String)> = (persistent.iter(world))
        .map(|entity| (entity.project.clone(), entity.iid.clone()))
        .collect();
    for contents in entities {
        let entity = &contents.entity;
        if !persistent.contains(&(entity.project.clone(), entity.iid.clone())) {
            spawn_entity(contents, level, world);
        }
    }
}

/// Spawns an entity in a level, if the level exists.
fn spawn_entity(contents: LdtkEntityContents, level: Entity, world: &mut World) {
    if world.get_entity(level).is_err() {
        return;
    }
    let transform = Transform::from_translation(contents.center.extend(0.0));
    let name = Name::new(contents.entity.identifier.clone());
    let entity = if contents.is_persistent {
        let transform = transform_in_world(level, world) * transform;
        world
            .spawn((transform, name, InLevel(level), MapPersistent))
            .id()
    } else {
        world
            .spawn((transform, name, InLevel(level), ChildOf(level)))
            .id()
    };
    from_map::insert_collider(&contents, entity, world);
    // Observers of the last one see all the others.
    from_map::insert((contents.fields, contents.entity), entity, world);
}
