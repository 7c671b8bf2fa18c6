//! Colliders for the maps that `bevy_ecs_tiled` loads and draws.

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::{
    MapCreated, TiledEvent, TiledMap as DrawnMap, TiledMapAsset, TiledPreUpdateSystems,
    TilemapAnchor,
};

use crate::{
    children::spawn_child,
    components::TiledMapRoot,
    map::TiledMap,
    reload::{TiledReloaded, reload_map},
    rules::{TiledOrigin, TiledRules},
};

/// Gives every map of `bevy_ecs_tiled` its colliders: a child with a [`TiledMapRoot`], where the
/// map is drawn. They are replaced when `bevy_ecs_tiled` spawns the map anew, and go with it. Each
/// time, a [`TiledReloaded`] message has the errors of the map and who is inside of a wall.
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
                collide.after(TiledPreUpdateSystems::ProcessLoadedMaps),
            );
    }
}

fn collide(
    mut created: MessageReader<TiledEvent<MapCreated>>,
    maps: Query<(&DrawnMap, &TilemapAnchor, Option<&Children>)>,
    roots: Query<(), With<TiledMapRoot>>,
    assets: Res<Assets<TiledMapAsset>>,
    plugin: Res<TiledCollisionPlugin>,
    mut commands: Commands,
) {
    for event in created.read() {
        let drawn = event.origin;
        let Ok((handle, anchor, children)) = maps.get(drawn) else {
            continue;
        };
        let Some(asset) = assets.get(&handle.0) else {
            continue;
        };
        let origin = asset.world_space_from_tiled_position(anchor, Vec2::ZERO);
        let rules = (plugin.0.clone())
            .origin(TiledOrigin::TopLeft)
            .transform(Transform::from_translation(origin.extend(0.0)));
        let map = TiledMap::from(asset.map.clone());
        let mut children = children.into_iter().flatten().copied();
        let root = children.find(|child| roots.contains(*child));
        commands.queue(move |world: &mut World| {
            replace(drawn, root, &map, &rules, world);
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
