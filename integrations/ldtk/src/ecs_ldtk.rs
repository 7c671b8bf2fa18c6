//! Colliders for the levels of `bevy_ecs_ldtk`.

use std::mem;

use bevy::{
    platform::collections::{HashMap, HashSet},
    prelude::*,
};
use bevy_ecs_ldtk::{
    EntityIid, LdtkProjectHandle, LevelEvent, LevelIid, LevelSet, assets::LdtkProject,
};

use crate::{
    LdtkAssetPlugin, LdtkContents, LdtkEntity, LdtkEntityContents, LdtkError, LdtkFields,
    LdtkLevel, LdtkMap, LdtkReloaded, LdtkRules, error::grouped, from_map, ready, reload,
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
/// anymore are removed, what the game inserted stays, and a [`LdtkReloaded`] message is written.
/// Its levels are the entities with [`LdtkLevel`], on which the fields of levels are as well.
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

/// What is still to be done.
#[derive(Resource, Default)]
struct Pending {
    /// The levels that need their colliders, by their project and iid: while `bevy_ecs_ldtk`
    /// replaces one, it has no entity.
    levels: HashSet<(Entity, String)>,
    /// What is to be reported of maps that changed.
    reloaded: HashMap<AssetId<LdtkMap>, LdtkReloaded>,
}

impl LdtkCollisionPlugin {
    /// With these rules for all projects.
    pub fn new(rules: LdtkRules) -> Self {
        let rules = rules.units_per_pixel(1.0);
        Self { rules }
    }
}

impl Plugin for LdtkCollisionPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(LdtkAssetPlugin)
            .insert_resource(self.clone())
            .init_resource::<Pending>()
            // Before `bevy_ecs_ldtk` replaces levels, and before the plugin of collisions.
            .add_systems(
                Update,
                (
                    load_maps,
                    unload,
                    record_spawned,
                    record_changed,
                    add_colliders,
                )
                    .chain(),
            );
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
            commands.entity(entity).try_insert(MapOfProject {
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
            commands.entity(entity).try_despawn();
        }
    }
}

/// Records the levels that were spawned.
fn record_spawned(
    mut events: MessageReader<LevelEvent>,
    levels: Query<(&LevelIid, &ChildOf)>,
    mut pending: ResMut<Pending>,
) {
    for event in events.read() {
        if let LevelEvent::Spawned(iid) = event {
            // Copies of a project have the iids of its levels.
            let spawned = levels.iter().filter(|(known, _)| *known == iid);
            let spawned = spawned.map(|(iid, project)| (project.parent(), iid.get().clone()));
            pending.levels.extend(spawned);
        }
    }
}

/// Records the levels of maps that changed, and despawns the grids of levels that are gone.
fn record_changed(
    mut assets: MessageReader<AssetEvent<LdtkMap>>,
    maps: Res<Assets<LdtkMap>>,
    projects: Query<&MapOfProject>,
    levels: Query<(&LevelIid, &ChildOf)>,
    grids: Query<(Entity, &LdtkLevel, &ChildOf)>,
    mut pending: ResMut<Pending>,
    mut commands: Commands,
) {
    let pending = &mut *pending;
    for event in assets.read() {
        let AssetEvent::Modified { id } = event else {
            continue;
        };
        let is_of_map = |project: Entity| projects.get(project).is_ok_and(|it| it.map.id() == *id);
        let Some(map) = maps.get(*id) else {
            continue;
        };
        if !projects.iter().any(|project| project.map.id() == *id) {
            continue;
        }
        let known: HashSet<&str> = map.levels().map(|level| level.iid.as_str()).collect();
        let present = levels
            .iter()
            .map(|(iid, project)| (project.parent(), iid.get()));
        let present =
            present.filter(|(project, iid)| is_of_map(*project) && known.contains(&***iid));
        let present = present.map(|(project, iid)| (project, iid.clone()));
        pending.levels.extend(present);
        let reloaded = pending.reloaded.entry(*id).or_default();
        for (entity, level, project) in &grids {
            let project = project.parent();
            if !is_of_map(project) {
                continue;
            }
            if known.contains(level.iid.as_str()) {
                pending.levels.insert((project, level.iid.clone()));
            } else {
                commands.entity(entity).try_despawn();
                reloaded.removed.push(level.iid.clone());
            }
        }
    }
}

/// Adds the colliders of levels whose maps are loaded.
fn add_colliders(world: &mut World) {
    let pending = world.resource::<Pending>();
    if pending.levels.is_empty() && pending.reloaded.is_empty() {
        return;
    }
    let rules = world.resource::<LdtkCollisionPlugin>().rules.clone();
    forget_unloaded(world);
    let mut levels = world.query::<(Entity, &LevelIid, &ChildOf)>();
    let levels: Vec<(Entity, (Entity, String))> = (levels.iter(world))
        .map(|(level, iid, project)| (level, (project.parent(), iid.get().clone())))
        .filter(|(_, key)| world.resource::<Pending>().levels.contains(key))
        .collect();
    let mut done: HashMap<Entity, Filled> = HashMap::new();
    for (level, key) in levels {
        let (project, iid) = &key;
        let project = *project;
        let Some(id) = world.get::<MapOfProject>(project).map(|map| map.map.id()) else {
            continue;
        };
        let Some(map) = world.resource::<Assets<LdtkMap>>().get(id) else {
            continue;
        };
        let contents = map.contents(iid, &rules);
        let filled = done.entry(project).or_insert_with(|| Filled::of(id));
        filled.errors.extend(match &contents {
            Ok(contents) => contents.errors.clone(),
            Err(error) => vec![error.clone()],
        });
        let contents = contents.ok();
        let holder = contents.map(|contents| fill(level, project, contents, world));
        filled.levels.extend(holder);
        world.resource_mut::<Pending>().levels.remove(&key);
    }
    for (project, filled) in done {
        filled.report(project, &rules, world);
    }
    report(&rules, world);
}

/// Levels that are unloaded need no colliders.
fn forget_unloaded(world: &mut World) {
    let mut sets = world.query::<&LevelSet>();
    let levels = mem::take(&mut world.resource_mut::<Pending>().levels);
    let is_loaded = |(project, iid): &(Entity, String)| {
        let set = sets.get(world, *project);
        set.is_ok_and(|set| set.iids.contains(&LevelIid::new(iid.clone())))
    };
    let levels = levels.into_iter().filter(is_loaded).collect();
    world.resource_mut::<Pending>().levels = levels;
}

/// What became of the levels of a project at once.
struct Filled {
    map: AssetId<LdtkMap>,
    levels: Vec<Entity>,
    errors: Vec<LdtkError>,
}

impl Filled {
    fn of(map: AssetId<LdtkMap>) -> Self {
        let (levels, errors) = (Vec::new(), Vec::new());
        Self {
            map,
            levels,
            errors,
        }
    }

    fn report(self, project: Entity, rules: &LdtkRules, world: &mut World) {
        if let Some(map) = world.resource::<Assets<LdtkMap>>().get(self.map) {
            let mut errors = map.errors_outside_of_levels(rules);
            errors.extend(self.errors.iter().cloned());
            map.warn(errors);
        }
        let mut pending = world.resource_mut::<Pending>();
        if let Some(reloaded) = pending.reloaded.get_mut(&self.map) {
            reloaded.levels.extend(&self.levels);
            reloaded.errors.extend(self.errors);
        }
        ready::map(Some(project), self.levels, world);
    }
}

/// Reports what became of the levels of maps that changed, when none of them is pending anymore.
fn report(rules: &LdtkRules, world: &mut World) {
    let map_of = |(project, _): &(Entity, String)| world.get::<MapOfProject>(*project);
    let pending = world.resource::<Pending>();
    let waiting: HashSet<AssetId<LdtkMap>> = (pending.levels.iter())
        .filter_map(|level| Some(map_of(level)?.map.id()))
        .collect();
    let reloaded = &mut world.resource_mut::<Pending>().reloaded;
    let done: Vec<_> = reloaded.extract_if(|id, _| !waiting.contains(id)).collect();
    for (id, mut reloaded) in done {
        if let Some(map) = world.resource::<Assets<LdtkMap>>().get(id) {
            let of_levels = mem::take(&mut reloaded.errors);
            reloaded.errors = map.errors_outside_of_levels(rules);
            reloaded.errors.extend(of_levels);
            reloaded.errors = grouped(mem::take(&mut reloaded.errors));
        }
        // An observer may have despawned one.
        reloaded
            .levels
            .retain(|level| world.get_entity(*level).is_ok());
        reloaded.stuck = reload::stuck_in(&reloaded.levels, world);
        world.write_message(reloaded);
    }
}

/// Gives a level and its entities their colliders, instead of those that they have. Returns the
/// entity that has its grids.
fn fill(level: Entity, project: Entity, contents: LdtkContents, world: &mut World) -> Entity {
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
    ready::level(holder, world);
    holder
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
