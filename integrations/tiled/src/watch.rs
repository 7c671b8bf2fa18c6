//! Replaces maps whose files were modified.

use std::{
    fs, io,
    time::{Duration, SystemTime},
};

use bevy::{platform::collections::HashMap, prelude::*};

use crate::{
    components::TiledMapRoot,
    map::TiledMap,
    reload::{TiledReloaded, reload_map},
};

/// Replaces each map that was spawned from files when one of its files is modified, and writes a
/// [`TiledReloaded`] message. For development: it looks at the files in `First`, every half second.
///
/// If the file of the map cannot be read, the map stays as it is, and the message has the reason.
#[derive(Clone, Copy, Debug, Default)]
pub struct TiledReloadPlugin;

const INTERVAL: Duration = Duration::from_millis(500);

/// When the files of each map were modified, as it was last seen.
#[derive(Resource, Default)]
struct Watched(HashMap<Entity, Vec<Option<SystemTime>>>);

impl Plugin for TiledReloadPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Watched>()
            .add_message::<TiledReloaded>()
            .add_systems(First, reload_modified.run_if(is_due));
    }
}

fn is_due(time: Res<Time<Real>>, mut last: Local<Option<Duration>>) -> bool {
    let now = time.elapsed();
    let is_due = last.is_none_or(|last| now - last >= INTERVAL);
    if is_due {
        *last = Some(now);
    }
    is_due
}

fn reload_modified(world: &mut World) {
    let mut maps = world.query::<(Entity, &TiledMapRoot)>();
    let maps: Vec<(Entity, TiledMapRoot)> = maps
        .iter(world)
        .map(|(entity, root)| (entity, root.clone()))
        .collect();
    let mut seen = std::mem::take(&mut world.resource_mut::<Watched>().0);
    let mut now = HashMap::default();
    for (entity, root) in maps {
        let before = seen.remove(&entity);
        let mut times = times(&root);
        if before.is_some_and(|before| before != times) {
            let reloaded = match TiledMap::read(&root.map.data().source) {
                Ok(map) => reload_map(entity, &map, &root.rules, world),
                Err(error) => Some(TiledReloaded {
                    map: entity,
                    errors: vec![error],
                    stuck: Vec::new(),
                }),
            };
            if let Some(reloaded) = reloaded {
                world.write_message(reloaded);
            }
            // The new map may have other files.
            if let Some(now) = world.get::<TiledMapRoot>(entity)
                && now.map.files().ne(root.map.files())
            {
                times = self::times(now);
            }
        }
        now.insert(entity, times);
    }
    world.resource_mut::<Watched>().0 = now;
}

fn times(root: &TiledMapRoot) -> Vec<Option<SystemTime>> {
    let times = root.map.files().map(|file| fs::metadata(file)?.modified());
    times.map(io::Result::ok).collect()
}
