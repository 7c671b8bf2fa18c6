//! Levels become entities.

use bevy::{
    ecs::{system::Command, world::EntityWorldMut},
    platform::collections::HashSet,
    prelude::*,
};
use bevy_thud::prelude::*;

use crate::{
    LdtkContents, LdtkEntity, LdtkEntityContents, LdtkError, LdtkGrid, LdtkGridContents, LdtkLevel,
    LdtkMap, LdtkPersistent, LdtkRules,
};

impl LdtkMap {
    /// Spawns a level, by its iid or identifier: an entity with [`LdtkLevel`]
    /// where the level is in its world, and in it one for each grid of cells and for each entity.
    /// Despawn the returned entity to unload the level.
    ///
    /// What is wrong with the level is logged as warnings, and the rest is spawned;
    /// [`errors`](Self::errors) returns it. Nothing that is spawned draws. To draw below it, give
    /// all levels what Bevy wants of parents:
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
        let contents = self.contents(level, rules)?;
        log(&self.errors_of(rules));
        Ok(spawn(contents, None, commands))
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
        log(&self.errors);
        log(&self.errors_of(rules));
        let levels = self.levels.iter().filter(|level| filter(&level.level));
        let contents = levels.filter_map(|level| {
            let contents = self.contents_of(level, rules);
            contents.inspect_err(|error| log::warn!("{error}")).ok()
        });
        contents
            .map(|contents| spawn(contents, None, commands))
            .collect()
    }
}

/// Warns of what is wrong with a map.
pub(crate) fn log(errors: &[LdtkError]) {
    for error in errors {
        log::warn!("{error}");
    }
}

/// Spawns a level as a child of an entity, or of none.
pub(crate) fn spawn(
    contents: LdtkContents,
    parent: Option<Entity>,
    commands: &mut Commands,
) -> Entity {
    log(&contents.errors);
    let entity = match parent {
        Some(parent) => commands.spawn(ChildOf(parent)).id(),
        None => commands.spawn_empty().id(),
    };
    commands.queue(Fill { entity, contents });
    entity
}

/// Makes an entity a level.
struct Fill {
    entity: Entity,
    contents: LdtkContents,
}

impl Command for Fill {
    type Out = ();

    fn apply(self, world: &mut World) {
        let Self { entity, contents } = self;
        let Ok(mut level) = world.get_entity_mut(entity) else {
            // It was despawned again.
            return;
        };
        level.insert((
            Transform::from_translation(contents.origin.extend(0.0)),
            Name::new(contents.level.identifier.clone()),
            contents.fields.clone(),
            contents.level.clone(),
        ));
        for grid in contents.grids {
            spawn_grid(grid, entity, world);
        }
        spawn_entities(contents.entities, entity, world);
    }
}

/// Spawns a grid in a level.
pub(crate) fn spawn_grid(grid: LdtkGridContents, level: Entity, world: &mut World) -> Entity {
    let mut entity = world.spawn((Name::new(grid.grid.layer.clone()), ChildOf(level)));
    insert_grid(grid, &mut entity);
    entity.id()
}

/// Makes an entity this grid, whatever grid it was.
pub(crate) fn insert_grid(contents: LdtkGridContents, entity: &mut EntityWorldMut) {
    let LdtkGridContents {
        center,
        cells: CellGrid { tiles, role },
        grid,
    } = contents;
    // What is as it was does not count as changed.
    if entity.get::<TileCollider>() != Some(&tiles) {
        entity.insert(tiles);
    }
    let transform = Transform::from_translation(center.extend(0.0));
    if entity.get::<LdtkGrid>().is_none() {
        entity.insert(transform);
    } else if let Some(mut old) = entity.get_mut::<Transform>()
        && old.translation.truncate() != center
    {
        old.translation = center.extend(old.translation.z);
    }
    entity.insert((grid, role.layers));
    match role.is_solid {
        true => entity.insert(Solid),
        false => entity.remove::<Solid>(),
    };
    match role.one_way {
        Some(direction) => entity.insert(OneWay(direction)),
        None => entity.remove::<OneWay>(),
    };
}

/// Spawns entities in a level, but for persistent ones that are there.
pub(crate) fn spawn_entities(
    entities: Vec<LdtkEntityContents>,
    level: Entity,
    world: &mut World,
) -> Vec<Entity> {
    let mut persistent = world.query_filtered::<&LdtkEntity, With<LdtkPersistent>>();
    let persistent: HashSet<String> = persistent
        .iter(world)
        .map(|entity| entity.iid.clone())
        .collect();
    let is_new = |entity: &LdtkEntityContents| !persistent.contains(&entity.entity.iid);
    let new = entities.into_iter().filter(is_new);
    new.map(|entity| spawn_entity(entity, level, world))
        .collect()
}

fn spawn_entity(contents: LdtkEntityContents, level: Entity, world: &mut World) -> Entity {
    let mut transform = Transform::from_translation(contents.center.extend(0.0));
    if contents.is_persistent {
        transform = transform_in_world(level, world) * transform;
    }
    let name = Name::new(contents.entity.identifier.clone());
    let mut entity = world.spawn((transform, name));
    if contents.is_persistent {
        entity.insert(LdtkPersistent);
    } else {
        entity.insert(ChildOf(level));
    }
    insert_collider(&contents, &mut entity);
    // Observers of the last one see all the others.
    entity.insert((contents.fields, contents.entity));
    entity.id()
}

/// The components that an entity has from the map. When the map does not have one anymore it is
/// removed, unless the game inserted it.
#[derive(Component, Clone, Copy, Default)]
struct FromMap {
    collider: bool,
    solid: bool,
    one_way: bool,
    swept: bool,
    layers: bool,
}

/// Gives an entity the components that the rules and its fields name, instead of those that it has
/// from an earlier version of the map.
pub(crate) fn insert_collider(contents: &LdtkEntityContents, entity: &mut EntityWorldMut) {
    let old = entity.get::<FromMap>().copied().unwrap_or_default();
    let solid = contents.is_solid.then_some(Solid);
    let swept = contents.is_swept.then_some(Swept);
    let new = FromMap {
        collider: replace(old.collider, contents.collider, entity),
        solid: replace(old.solid, solid, entity),
        one_way: replace(old.one_way, contents.one_way.map(OneWay), entity),
        swept: replace(old.swept, swept, entity),
        layers: replace(old.layers, contents.layers, entity),
    };
    entity.insert(new);
}

/// Inserts a component, or removes the one that was inserted before. Returns whether there is one.
fn replace<C: Component>(was_inserted: bool, new: Option<C>, entity: &mut EntityWorldMut) -> bool {
    let is_inserted = new.is_some();
    if let Some(component) = new {
        entity.insert(component);
    } else if was_inserted {
        entity.remove::<C>();
    }
    is_inserted
}

/// The transform of an entity in the world, from those of its ancestors as they are now.
pub(crate) fn transform_in_world(entity: Entity, world: &World) -> Transform {
    let own = world.get::<Transform>(entity).copied().unwrap_or_default();
    match world.get::<ChildOf>(entity) {
        Some(parent) => transform_in_world(parent.parent(), world) * own,
        None => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> LdtkEntityContents {
        LdtkEntityContents {
            center: Vec2::ZERO,
            entity: LdtkEntity {
                identifier: "Crate".into(),
                iid: "iid".into(),
                layer: "Things".into(),
                tags: Vec::new(),
                size: Vec2::ONE,
                pivot: Vec2::ZERO,
            },
            fields: default(),
            collider: None,
            is_solid: false,
            one_way: None,
            is_swept: false,
            layers: None,
            is_persistent: false,
        }
    }

    fn count(entity: &EntityWorldMut) -> usize {
        let known = [
            entity.contains::<RectCollider>(),
            entity.contains::<Solid>(),
            entity.contains::<OneWay>(),
            entity.contains::<Swept>(),
            entity.contains::<CollisionLayers>(),
        ];
        known.into_iter().filter(|is_there| *is_there).count()
    }

    #[test]
    fn what_the_map_has_no_longer_goes_and_what_the_game_inserted_stays() {
        let all = LdtkEntityContents {
            collider: Some(RectCollider::new(1.0, 1.0)),
            is_solid: true,
            one_way: Some(Dir2::Y),
            is_swept: true,
            layers: Some(default()),
            ..plain()
        };
        let mut world = World::new();
        let mut entity = world.spawn_empty();
        for _ in 0..2 {
            insert_collider(&all, &mut entity);
            assert_eq!(count(&entity), 5);
            insert_collider(&plain(), &mut entity);
            assert_eq!(count(&entity), 0);
        }
        entity.insert((Solid, Swept));
        insert_collider(&plain(), &mut entity);
        assert_eq!(count(&entity), 2);
    }
}
