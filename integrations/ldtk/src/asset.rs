//! Maps as assets: loaded by Bevy's asset server, and again when their files change.

use bevy::{
    asset::{AssetLoader, LoadContext, io::Reader},
    ecs::message::MessageCursor,
    platform::collections::HashSet,
    prelude::*,
};

use crate::{LdtkError, LdtkLevel, LdtkMap, LdtkProblem, LdtkReloaded, LdtkRules};

/// Loads `.ldtk` files as [`LdtkMap`]s, spawns the levels of each [`LdtkMapRoot`], and replaces
/// them when the file changes, if Bevy's feature `file_watcher` is on or the game calls
/// `AssetServer::reload`. Then it writes a [`LdtkReloaded`] message for each [`LdtkMapRoot`] with
/// this map.
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
    /// The map. When the game changes it, the levels of the old map are despawned.
    pub map: Handle<LdtkMap>,
    /// What its cells, tiles and entities become. A change holds for levels that are spawned or
    /// replaced later.
    pub rules: LdtkRules,
    /// The levels that are to be there, by iid or identifier. `None` for all. The game may change
    /// it: others are despawned, and missing ones spawned. Names that the map does not have are
    /// logged as warnings.
    pub levels: Option<Vec<String>>,
    /// The identifier of the world whose levels are to be there. `None` for all worlds, whose
    /// levels may overlap. The game may change it.
    pub world: Option<String>,
    /// The [depth](LdtkLevel::depth) whose levels are to be there. `None` for all depths, whose
    /// levels may overlap. The game may change it.
    pub depth: Option<i32>,
}

impl LdtkMapRoot {
    /// All levels of a map.
    pub fn new(map: Handle<LdtkMap>, rules: LdtkRules) -> Self {
        Self {
            map,
            rules,
            levels: None,
            world: None,
            depth: None,
        }
    }

    /// These levels of the map, by iid or identifier.
    #[must_use]
    pub fn with_levels(mut self, levels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.levels = Some(levels.into_iter().map(Into::into).collect());
        self
    }

    /// The levels of this world only, by its identifier.
    #[must_use]
    pub fn with_world(mut self, world: impl Into<String>) -> Self {
        self.world = Some(world.into());
        self
    }

    /// The levels of this depth only.
    #[must_use]
    pub fn with_depth(mut self, depth: i32) -> Self {
        self.depth = Some(depth);
        self
    }

    fn has(&self, level: &LdtkLevel) -> bool {
        if (self.world.as_ref()).is_some_and(|world| *world != level.world)
            || self.depth.is_some_and(|depth| depth != level.depth)
        {
            return false;
        }
        let levels = self.levels.as_ref();
        levels.is_none_or(|levels| levels.iter().any(|name| is_named(level, name)))
    }
}

impl Plugin for LdtkAssetPlugin {
    /// `LdtkCollisionPlugin` adds it as well.
    fn is_unique(&self) -> bool {
        false
    }

    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<Assets<LdtkMap>>() {
            return;
        }
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
        let mut text = Vec::new();
        let read = reader.read_to_end(&mut text).await;
        read.map_err(|error| LdtkError::new(&file, LdtkProblem::NotRead(error.to_string())))?;
        let mut map = LdtkMap::parse(&file, &path.to_string(), &text)?;
        // What is read so makes the map load again when it changes.
        for level in map.external_levels() {
            let text = match path.resolve_embed_str(&level) {
                Ok(path) => {
                    let read = context.read_asset_bytes(path).await;
                    read.map_err(|error| error.to_string())
                }
                Err(error) => Err(error.to_string()),
            };
            map.add_external_file(&level, text);
        }
        Ok(map)
    }

    fn extensions(&self) -> &[&str] {
        &["ldtk"]
    }
}

/// The map whose levels a [`LdtkMapRoot`] has.
#[derive(Component)]
struct Filled(AssetId<LdtkMap>);

/// Replaces the levels of each root whose map's file changed.
fn reload(world: &mut World, mut cursor: Local<MessageCursor<AssetEvent<LdtkMap>>>) {
    let Some(events) = world.get_resource::<Messages<AssetEvent<LdtkMap>>>() else {
        return;
    };
    let mut modified = HashSet::new();
    for event in cursor.read(events) {
        if let AssetEvent::Modified { id } = event {
            modified.insert(*id);
        }
    }
    if modified.is_empty() {
        return;
    }
    let mut roots = world.query::<(Entity, &LdtkMapRoot, &Filled)>();
    let roots: Vec<(Entity, LdtkMapRoot)> = (roots.iter(world))
        .filter(|(_, root, filled)| modified.contains(&filled.0) && root.map.id() == filled.0)
        .map(|(entity, root, _)| (entity, root.clone()))
        .collect();
    for (entity, root) in roots {
        let map = world.resource::<Assets<LdtkMap>>().get(&root.map).cloned();
        let Some(map) = map else {
            continue;
        };
        let children = world.get::<Children>(entity).into_iter().flatten();
        let levels: Vec<(Entity, String)> = children
            .filter_map(|child| Some((*child, world.get::<LdtkLevel>(*child)?.iid.clone())))
            .collect();
        let reloaded = map.replace_levels(Some(entity), levels, &root.rules, world);
        world.write_message(reloaded);
    }
}

/// Spawns levels that are to be there, and despawns others.
fn fill(
    roots: Query<(Entity, Ref<LdtkMapRoot>, Option<&Filled>, Option<&Children>)>,
    levels: Query<&LdtkLevel>,
    mut events: MessageReader<AssetEvent<LdtkMap>>,
    maps: Res<Assets<LdtkMap>>,
    mut commands: Commands,
) {
    let changed: HashSet<AssetId<LdtkMap>> = (events.read())
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, root, filled, children) in &roots {
        let id = root.map.id();
        if !root.is_changed() && !changed.contains(&id) {
            continue;
        }
        let is_of_other_map = filled.is_some_and(|filled| filled.0 != id);
        let mut spawned = HashSet::new();
        for child in children.into_iter().flatten() {
            match levels.get(*child) {
                Ok(level) if root.has(level) && !is_of_other_map => {
                    spawned.insert(level.iid.as_str());
                }
                Ok(_) => commands.entity(*child).try_despawn(),
                Err(_) => {}
            }
        }
        if let Some(map) = maps.get(&root.map) {
            commands.entity(entity).try_insert(Filled(id));
            root.spawn_missing(map, entity, &spawned, &mut commands);
        } else if is_of_other_map {
            commands.entity(entity).try_remove::<Filled>();
        }
    }
}

impl LdtkMapRoot {
    /// Spawns the levels that are to be there, but for those with these iids.
    fn spawn_missing(
        &self,
        map: &LdtkMap,
        root: Entity,
        spawned: &HashSet<&str>,
        commands: &mut Commands,
    ) {
        map.warn(self.unknown_names(map));
        let wanted = map.levels.iter().filter(|level| self.has(&level.level));
        let missing = wanted.filter(|level| !spawned.contains(level.level.iid.as_str()));
        map.spawn_in(Some(root), missing, &self.rules, commands);
    }

    /// The names of levels and of a world that the map does not have.
    fn unknown_names(&self, map: &LdtkMap) -> Vec<LdtkError> {
        let names = self.levels.iter().flatten();
        let unknown = names.filter(|name| !map.levels().any(|level| is_named(level, name)));
        let mut errors: Vec<LdtkError> = unknown.filter_map(|name| map.find(name).err()).collect();
        let unknown = self
            .world
            .iter()
            .filter(|world| !map.worlds.contains(*world));
        let problem = |world: &String| LdtkProblem::NoWorld {
            name: world.clone(),
            // That of a project with a single world has none.
            known: (map.worlds.iter().filter(|name| !name.is_empty()).cloned()).collect(),
        };
        errors.extend(unknown.map(|world| LdtkError::new(&map.file, problem(world))));
        errors
    }
}

/// Whether a level has this iid or identifier.
fn is_named(level: &LdtkLevel, name: &str) -> bool {
    level.iid == name || level.identifier == name
}
