//! Colliders for the levels of `bevy_ecs_ldtk`.

use bevy::{
    platform::collections::{HashMap, HashSet},
    prelude::*,
};
use bevy_ecs_ldtk::{
    EntityIid, LdtkProjectHandle, LevelEvent, LevelIid, LevelSet, assets::LdtkProject,
};

use crate::{
    LdtkAssetPlugin, LdtkContents, LdtkEntity, LdtkEntityContents, LdtkFields, LdtkLevel, LdtkMap,
    LdtkRules, from_map, reload, spawn,
};

/// Gives the levels that `bevy_ecs_ldtk` spawns their colliders. Add it after its `LdtkPlugin`:
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # use bevy_thud_ldtk::{LdtkCollisionPlugin, LdtkRules};
/// # let mut app = App::new();
/// let rules = LdtkRules::new().named("Walls", "wall", CellShape::FULL);
/// app.add_plugins((CollisionPlugin::default(), LdtkCollisionPlugin::new(rules)));
/// ```
///
/// The grids of a level are in an entity with [`LdtkLevel`] beside it, a child of the project, so
/// that they stay while `bevy_ecs_ldtk` despawns a level to spawn it again; they go when it unloads
/// the `LevelSet`. Entities get the colliders and components that the rules and their fields name,
/// with [`LdtkEntity`] and [`LdtkFields`]. When the file changes, those that it does not have
/// anymore are removed, and what the game inserted stays.
///
/// [`LdtkEntityRule::persistent`](crate::LdtkEntityRule::persistent) has no effect, since
/// `bevy_ecs_ldtk` spawns and despawns the entities: its `Worldly` keeps one.
///
/// The file is read once more, as a [`LdtkMap`]: this works with levels in files of their own, and
/// when the file changes. Units are pixels, since `bevy_ecs_ldtk` draws them so, and
/// [`LdtkRules::units_per_pixel`] has no effect: scale the world.
#[derive(Clone, Debug, Resource)]
pub struct LdtkCollisionPlugin {
    rules: LdtkRules,
}

/// The map of a project that `bevy_ecs_ldtk` loads.
#[derive(Component)]
struct MapOfProject {
    project: AssetId<LdtkProject>,
    map: Handle<LdtkMap>,
}

/// The iids of levels that wait for their colliders.
#[derive(Resource, Default)]
struct Waiting(HashSet<String>);

impl LdtkCollisionPlugin {
    /// With these rules for all projects.
    pub fn new(rules: LdtkRules) -> Self {
        let rules = rules.units_per_pixel(1.0);
        Self { rules }
    }
}

impl Plugin for LdtkCollisionPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<LdtkAssetPlugin>() {
            app.add_plugins(LdtkAssetPlugin);
        }
        app.insert_resource(self.clone())
            .init_resource::<Waiting>()
            // Before `bevy_ecs_ldtk` replaces levels, and before the plugin of collisions.
            .add_systems(Update, (load_maps, unload, wait, add_colliders).chain());
    }
}

/// Loads the file of each project as a map.
fn load_maps(
    projects: Query<(Entity, &LdtkProjectHandle, Option<&MapOfProject>)>,
    assets: Res<AssetServer>,
    mut commands: Commands,
) {
    for (entity, handle, map) in &projects {
        if map.is_some_and(|map| map.project == handle.id()) {
            continue;
        }
        if let Some(path) = assets.get_path(handle.id()) {
            commands.entity(entity).insert(MapOfProject {
                project: handle.id(),
                map: assets.load(path.into_owned()),
            });
        }
    }
}

/// Despawns the grids of levels that are not to be there anymore.
fn unload(
    levels: Query<(Entity, &LdtkLevel, &ChildOf)>,
    projects: Query<&LevelSet, With<MapOfProject>>,
    mut commands: Commands,
) {
    for (entity, level, project) in &levels {
        let iid = LevelIid::new(level.iid.clone());
        if (projects.get(project.parent())).is_ok_and(|set| !set.iids.contains(&iid)) {
            commands.entity(entity).despawn();
        }
    }
}

/// Notes the levels that were spawned, and those of maps that changed.
fn wait(
    mut spawned: MessageReader<LevelEvent>,
    mut assets: MessageReader<AssetEvent<LdtkMap>>,
    levels: Query<&LevelIid>,
    maps: Res<Assets<LdtkMap>>,
    mut waiting: ResMut<Waiting>,
) {
    for event in spawned.read() {
        match event {
            LevelEvent::Spawned(level) => waiting.0.insert(level.get().clone()),
            LevelEvent::Despawned(level) => waiting.0.remove(level.get()),
            _ => false,
        };
    }
    for event in assets.read() {
        if let AssetEvent::Modified { id } = event
            && let Some(map) = maps.get(*id)
        {
            // Of other levels an event is read when they are spawned.
            let present: HashSet<&str> = levels.iter().map(|iid| iid.as_str()).collect();
            let iids = map.levels().map(|level| &level.iid);
            let present = iids.filter(|iid| present.contains(iid.as_str()));
            waiting.0.extend(present.cloned());
        }
    }
}

/// Adds the colliders of levels whose maps are loaded.
fn add_colliders(world: &mut World) {
    if world.resource::<Waiting>().0.is_empty() {
        return;
    }
    let rules = world.resource::<LdtkCollisionPlugin>().rules.clone();
    let mut levels = world.query::<(Entity, &LevelIid, &ChildOf)>();
    let waiting = &world.resource::<Waiting>().0;
    let levels: Vec<(Entity, String, Entity)> = (levels.iter(world))
        .filter(|(_, iid, _)| waiting.contains(iid.get()))
        .map(|(entity, iid, parent)| (entity, iid.get().clone(), parent.parent()))
        .collect();
    let mut logged = HashSet::new();
    for (entity, iid, project) in levels {
        let Some(map) = world.get::<MapOfProject>(project) else {
            continue;
        };
        let id = map.map.id();
        let Some(map) = world.resource::<Assets<LdtkMap>>().get(id) else {
            continue;
        };
        let contents = map.contents(&iid, &rules);
        // Once for all levels that are spawned together.
        if logged.insert(id) {
            spawn::log(&map.errors);
            spawn::log(&map.errors_of(&rules));
        }
        match contents {
            Ok(contents) => {
                spawn::log(&contents.errors);
                fill(entity, project, contents, world);
            }
            Err(error) => log::warn!("{error}"),
        }
        world.resource_mut::<Waiting>().0.remove(&iid);
    }
}

/// Gives a level and its entities their colliders, instead of those that they have.
fn fill(level: Entity, project: Entity, contents: LdtkContents, world: &mut World) {
    // Entities that are `Worldly` are not in their level.
    let descendants = descendants(project, world);
    let transform = world.get::<Transform>(level).copied().unwrap_or_default();
    let is_holder = |entity: &&Entity| {
        let level = world.get::<LdtkLevel>(**entity);
        level.is_some_and(|level| level.iid == contents.level.iid)
    };
    let holder = descendants.iter().find(is_holder).copied();
    let holder = holder.unwrap_or_else(|| world.spawn(ChildOf(project)).id());
    let name = Name::new(format!("Grids of {}", contents.level.identifier));
    from_map::insert(
        (name, transform, contents.fields, contents.level),
        holder,
        world,
    );
    reload::replace_grids(holder, contents.grids, world);
    let mut entities: HashMap<String, LdtkEntityContents> = (contents.entities.into_iter())
        .map(|entity| (entity.entity.iid.clone(), entity))
        .collect();
    for entity in descendants {
        let iid = world
            .get::<EntityIid>(entity)
            .map(|iid| iid.as_str().to_string());
        let Some(mut contents) = iid.and_then(|iid| entities.remove(&iid)) else {
            continue;
        };
        // It draws an entity of another size by scale, which the collider has to undo.
        if let Some(transform) = world.get::<Transform>(entity)
            && let Some(collider) = &mut contents.collider
        {
            let scale = transform.scale.truncate();
            if scale.cmpne(Vec2::ZERO).all() {
                collider.size /= scale.abs();
                collider.offset /= scale;
            }
        }
        from_map::insert_collider(&contents, entity, world);
        let components: (LdtkFields, LdtkEntity) = (contents.fields, contents.entity);
        from_map::insert(components, entity, world);
    }
}

/// The descendants of an entity.
fn descendants(entity: Entity, world: &World) -> Vec<Entity> {
    let mut found = Vec::new();
    let mut pending = vec![entity];
    while let Some(entity) = pending.pop() {
        if let Some(children) = world.get::<Children>(entity) {
            found.extend(children.iter());
            pending.extend(children.iter());
        }
    }
    found
}
