//! Maps as assets: loaded by Bevy's asset server, and again when their files change.

use bevy::{
    asset::{AssetLoader, LoadContext, io::Reader},
    ecs::message::MessageCursor,
    prelude::*,
};

use crate::{LdtkError, LdtkLevel, LdtkMap, LdtkProblem, LdtkReloaded, LdtkRules, spawn};

/// Loads `.ldtk` files as [`LdtkMap`]s, spawns the levels of each [`LdtkMapRoot`], and replaces them
/// when the file changes, which it does if Bevy's feature `file_watcher` is on or the game calls
/// `AssetServer::reload`. Each time it writes a [`LdtkReloaded`] message.
///
/// It needs Bevy's `AssetPlugin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LdtkAssetPlugin;

/// A map whose levels are spawned as children of this entity as soon as its file is loaded.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # use bevy_thud_ldtk::{LdtkRules, LdtkMapRoot};
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     let rules = LdtkRules::new().named("Walls", "wall", CellShape::FULL);
///     commands.spawn(LdtkMapRoot::new(assets.load("room.ldtk"), rules));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct LdtkMapRoot {
    /// The map.
    pub map: Handle<LdtkMap>,
    /// What its parts become.
    pub rules: LdtkRules,
    /// The levels that are to be there, by iid or identifier. `None` for all. The game may change
    /// it: others are despawned, and missing ones spawned.
    pub levels: Option<Vec<String>>,
}

impl LdtkMapRoot {
    /// All levels of a map.
    pub fn new(map: Handle<LdtkMap>, rules: LdtkRules) -> Self {
        Self {
            map,
            rules,
            levels: None,
        }
    }

    /// These levels of the map, by iid or identifier.
    #[must_use]
    pub fn with_levels(mut self, levels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.levels = Some(levels.into_iter().map(Into::into).collect());
        self
    }

    fn has(&self, level: &LdtkLevel) -> bool {
        let Some(levels) = &self.levels else {
            return true;
        };
        let mut levels = levels.iter();
        levels.any(|name| *name == level.iid || *name == level.identifier)
    }
}

impl Plugin for LdtkAssetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<LdtkMap>()
            .register_asset_loader(LdtkLoader)
            .add_message::<LdtkReloaded>()
            .add_systems(PreUpdate, (reload, fill).chain());
    }
}

#[derive(TypePath)]
struct LdtkLoader;

impl AssetLoader for LdtkLoader {
    type Asset = LdtkMap;
    type Settings = ();
    type Error = LdtkError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<LdtkMap, LdtkError> {
        let path = context.path().clone();
        let file = path.path().to_string_lossy().into_owned();
        let not_read =
            |error: &dyn ToString| LdtkError::new(&file, LdtkProblem::NotRead(error.to_string()));
        let mut text = Vec::new();
        let read = reader.read_to_end(&mut text).await;
        read.map_err(|error| not_read(&error))?;
        let mut map = LdtkMap::parse(&file, &text)?;
        // What is read so makes the map load again when it changes.
        for level in map.external_levels() {
            let text = match path.resolve_embed_str(&level) {
                Ok(path) => {
                    (context.read_asset_bytes(path).await).map_err(|error| not_read(&error))
                }
                Err(error) => Err(not_read(&error)),
            };
            let added = text.and_then(|text| map.add_external_level(&level, text));
            map.errors.extend(added.err());
        }
        Ok(map)
    }

    fn extensions(&self) -> &[&str] {
        &["ldtk"]
    }
}

/// Replaces the levels of maps whose files changed.
fn reload(world: &mut World, mut cursor: Local<MessageCursor<AssetEvent<LdtkMap>>>) {
    let Some(events) = world.get_resource::<Messages<AssetEvent<LdtkMap>>>() else {
        return;
    };
    let mut modified = Vec::new();
    for event in cursor.read(events) {
        if let AssetEvent::Modified { id } = event
            && !modified.contains(id)
        {
            modified.push(*id);
        }
    }
    for id in modified {
        let mut worlds = world.query::<&LdtkMapRoot>();
        let mut worlds = worlds.iter(world);
        let Some(rules) = worlds
            .find(|map| map.map.id() == id)
            .map(|map| map.rules.clone())
        else {
            continue;
        };
        let map = world.resource::<Assets<LdtkMap>>().get(id).cloned();
        if let Some(map) = map {
            let reloaded = map.reload(&rules, world);
            world.write_message(reloaded);
        }
    }
}

/// Spawns levels that are to be there, and despawns others.
fn fill(
    worlds: Query<(Entity, Ref<LdtkMapRoot>, Option<&Children>)>,
    levels: Query<&LdtkLevel>,
    mut events: MessageReader<AssetEvent<LdtkMap>>,
    maps: Res<Assets<LdtkMap>>,
    mut commands: Commands,
) {
    let changed: Vec<AssetId<LdtkMap>> = (events.read())
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, world, children) in &worlds {
        if !world.is_changed() && !changed.contains(&world.map.id()) {
            continue;
        }
        let Some(map) = maps.get(&world.map) else {
            continue;
        };
        let mut there = Vec::new();
        for child in children.into_iter().flatten() {
            let Ok(level) = levels.get(*child) else {
                continue;
            };
            if world.has(level) {
                there.push(level.iid.as_str());
            } else {
                commands.entity(*child).despawn();
            }
        }
        if changed.contains(&world.map.id()) {
            spawn::log(&map.errors);
            spawn::log(&map.errors_of(&world.rules));
        }
        let missing = map
            .levels()
            .filter(|level| world.has(level) && !there.contains(&level.iid.as_str()));
        for level in missing {
            match map.contents(&level.iid, &world.rules) {
                Ok(contents) => {
                    spawn::spawn(contents, Some(entity), &mut commands);
                }
                Err(error) => log::warn!("{error}"),
            }
        }
    }
}
