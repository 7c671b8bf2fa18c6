//! Colliders for the maps that `bevy_ecs_tiled` loads and draws.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    io,
    path::{Path, PathBuf},
};

use bevy::{
    asset::AssetPath,
    prelude::*,
    tasks::{IoTaskPool, Task, futures::check_ready},
};
use bevy_ecs_tiled::prelude::{
    MapCreated, TiledEvent, TiledMap as DrawnMap, TiledMapAsset, TiledPreUpdateSystems,
    TilemapAnchor,
};

use crate::{
    children::spawn_child,
    components::TiledMapRoot,
    error::TiledError,
    file::plain,
    map::TiledMap,
    reload::{TiledReloaded, reload_map},
    rules::{TiledOrigin, TiledRules},
};

/// Gives every map of `bevy_ecs_tiled` its colliders: a child with a [`TiledMapRoot`], where the
/// map is drawn. They are replaced when `bevy_ecs_tiled` spawns the map anew, and go with it. Each
/// time, a [`TiledReloaded`] message has the errors of the map and who is inside of a wall.
///
/// The files are read again, by the [`AssetServer`], so that the colliders come some frames after
/// what is drawn.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
/// use bevy_thud_tiled::{TiledCollisionPlugin, TiledRules};
///
/// App::new()
///     .add_plugins((DefaultPlugins, bevy_ecs_tiled::prelude::TiledPlugin::default()))
///     .add_plugins(CollisionPlugin::default())
///     .add_plugins(TiledCollisionPlugin(TiledRules::new()));
/// ```
///
/// Objects are entities of this crate, with a [`TiledObject`](crate::TiledObject), beside those of
/// `bevy_ecs_tiled`. The transform and the origin of the rules do not count: the map decides.
#[derive(Resource, Clone, Debug, Default)]
pub struct TiledCollisionPlugin(
    /// The rules for all maps.
    pub TiledRules,
);

impl Plugin for TiledCollisionPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.clone())
            .add_message::<TiledReloaded>()
            .add_systems(
                PreUpdate,
                (read_created, collide)
                    .chain()
                    .after(TiledPreUpdateSystems::ProcessLoadedMaps),
            );
    }
}

/// On a map that is drawn, while its files are read.
#[derive(Component)]
struct Reading(Task<Result<TiledMap, TiledError>>);

fn read_created(
    mut created: MessageReader<TiledEvent<MapCreated>>,
    maps: Query<&DrawnMap>,
    assets: Res<Assets<TiledMapAsset>>,
    server: Res<AssetServer>,
    mut commands: Commands,
) {
    for event in created.read() {
        let Ok(DrawnMap(handle)) = maps.get(event.origin) else {
            continue;
        };
        let Some(asset) = assets.get(handle) else {
            continue;
        };
        // An asset that was not loaded by the server has the path of its file at most.
        let path = server.get_path(handle).map(AssetPath::into_owned);
        let path = path.unwrap_or_else(|| asset.map.source.clone().into());
        let task = IoTaskPool::get().spawn(read(path, server.clone()));
        commands.entity(event.origin).try_insert(Reading(task));
    }
}

/// Reads a map from its source: all files that are known so far, until it needs no other.
async fn read(path: AssetPath<'static>, server: AssetServer) -> Result<TiledMap, TiledError> {
    let mut files: HashMap<PathBuf, Result<Vec<u8>, String>> = HashMap::new();
    loop {
        let unread = RefCell::new(BTreeSet::new());
        let map = TiledMap::read_with(path.path(), |file: &Path| match files.get(file) {
            Some(read) => read.clone().map_err(io::Error::other),
            None => {
                unread.borrow_mut().insert(file.to_path_buf());
                Err(io::ErrorKind::NotFound.into())
            }
        });
        let unread = unread.into_inner();
        if unread.is_empty() {
            return map;
        }
        for file in unread {
            let read = read_file(&path, &file, &server).await;
            files.insert(file, read);
        }
    }
}

async fn read_file(
    map: &AssetPath<'static>,
    file: &Path,
    server: &AssetServer,
) -> Result<Vec<u8>, String> {
    let source = server.get_source(map.source());
    let source = source.map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let file = plain(file);
    let reader = source.reader().read(&file).await;
    let mut reader = reader.map_err(|error| error.to_string())?;
    let read = reader.read_to_end(&mut bytes).await;
    read.map(|_| bytes).map_err(|error| error.to_string())
}

fn collide(
    mut maps: Query<(
        Entity,
        &mut Reading,
        &DrawnMap,
        &TilemapAnchor,
        Option<&Children>,
    )>,
    roots: Query<(), With<TiledMapRoot>>,
    assets: Res<Assets<TiledMapAsset>>,
    plugin: Res<TiledCollisionPlugin>,
    mut commands: Commands,
) {
    for (drawn, mut reading, handle, anchor, children) in &mut maps {
        let Some(map) = check_ready(&mut reading.0) else {
            continue;
        };
        commands.entity(drawn).try_remove::<Reading>();
        let Some(asset) = assets.get(&handle.0) else {
            continue;
        };
        let origin = asset.world_space_from_tiled_position(anchor, Vec2::ZERO);
        let rules = (plugin.0.clone())
            .origin(TiledOrigin::TopLeft)
            .transform(Transform::from_translation(origin.extend(0.0)));
        let mut children = children.into_iter().flatten().copied();
        let root = children.find(|child| roots.contains(*child));
        commands.queue(move |world: &mut World| match map {
            Ok(map) => replace(drawn, root, &map, &rules, world),
            Err(error) => {
                world.write_message(TiledReloaded {
                    map: root.unwrap_or(drawn),
                    errors: vec![error],
                    stuck: Vec::new(),
                });
            }
        });
    }
}

fn replace(
    drawn: Entity,
    root: Option<Entity>,
    map: &TiledMap,
    rules: &TiledRules,
    world: &mut World,
) {
    let root = root.unwrap_or_else(|| {
        // What is in it is spawned below.
        let root = TiledMapRoot::new(map, rules);
        spawn_child(&mut world.commands(), drawn, root, |_| {})
    });
    world.commands().entity(root).try_insert(rules.transform);
    world.flush();
    if let Some(reloaded) = reload_map(root, map, rules, world) {
        world.write_message(reloaded);
    }
}
