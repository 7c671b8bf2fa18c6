//! Entities of a map that stay when the map goes.

use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, OnceLock},
};

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use crate::components::TiledObject;

/// On an entity of a map: it stays as it is when the map is unloaded or replaced, like a hero or
/// an opened chest. While it exists, neither [`spawn_map`](crate::spawn_map) nor
/// [`reload_map`](crate::reload_map) spawns the object with the same file and id again. Despawn it
/// to be rid of it. An object without an id of its own, which the errors of its map name, stays as
/// well, but is spawned again: see [`TiledObject::has_unique_id`].
///
/// If its map is gone, it belongs to the next one of the same file: see
/// [`TiledObject::map`](crate::TiledObject::map).
///
/// It is not a child of its layer: the component makes it a child of nothing, where it is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(on_add = detach)]
pub struct TiledPersistent;

fn detach(mut world: DeferredWorld, context: HookContext) {
    world.commands().queue(move |world: &mut World| {
        // The `GlobalTransform` of what was just spawned is not up to date.
        let transform = in_world(context.entity, world);
        if world.get::<ChildOf>(context.entity).is_some() {
            let mut commands = world.commands();
            let mut entity = commands.entity(context.entity);
            entity.try_remove::<ChildOf>().try_insert(transform);
            world.flush();
        }
    });
}

/// Where an entity is in the world.
pub(crate) fn in_world(entity: Entity, world: &World) -> Transform {
    let local = world.get::<Transform>(entity).copied();
    let local = local.unwrap_or_default();
    match world.get::<ChildOf>(entity) {
        Some(child) => in_world(child.parent(), world) * local,
        None => local,
    }
}

/// The ids of the persistent objects of a file, from when the commands that spawn the map run.
#[derive(Clone, Debug)]
pub(crate) struct Persistent(Arc<OnceLock<HashSet<u32>>>);

impl Persistent {
    /// Queues a search for those of a file. Those whose map is gone get this one.
    pub fn find(file: Arc<Path>, map: Entity, commands: &mut Commands) -> Self {
        let ids = Arc::new(OnceLock::new());
        let found = ids.clone();
        commands.queue(move |world: &mut World| {
            found.get_or_init(|| adopt(&file, map, world));
        });
        Self(ids)
    }

    /// Whether an object is there from before.
    pub fn contains(&self, object: &TiledObject) -> bool {
        let ids = self.0.get();
        object.has_unique_id && ids.is_some_and(|ids| ids.contains(&object.id))
    }
}

fn adopt(file: &Path, map: Entity, world: &mut World) -> HashSet<u32> {
    let mut objects = world.query_filtered::<(Entity, &TiledObject), With<TiledPersistent>>();
    let objects: Vec<(Entity, TiledObject)> = (objects.iter(world))
        .filter(|(_, object)| *object.file == *file)
        .map(|(entity, object)| (entity, object.clone()))
        .collect();
    let mut ids = HashSet::new();
    for (entity, object) in objects {
        if object.has_unique_id {
            ids.insert(object.id);
        }
        if world.get_entity(object.map).is_err()
            && let Some(mut object) = world.get_mut::<TiledObject>(entity)
        {
            object.map = map;
        }
    }
    ids
}
