//! The objects of a map that are there from before.

use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, OnceLock},
};

use bevy::prelude::*;
use bevy_thud_maps::MapPersistent;

use crate::components::TiledObject;

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
    let mut objects = world.query_filtered::<(Entity, &TiledObject), With<MapPersistent>>();
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
