//! Replaces a map by a modified one.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    components::{OfMap, TiledMapRoot, TiledObject},
    error::TiledError,
    map::TiledMap,
    persistent::TiledPersistent,
    rules::TiledRules,
    spawn::fill,
};

/// A map was replaced. Also a message, of [`TiledReloadPlugin`](crate::TiledReloadPlugin).
#[derive(Message, Clone, Debug, PartialEq)]
pub struct TiledReloaded {
    /// The entity of the map, the same as before.
    pub map: Entity,
    /// What is wrong with the new map.
    pub errors: Vec<TiledError>,
    /// The movers that are inside of a wall of the new map. The next update pushes them out, or
    /// reports them as [`Crushed`].
    pub stuck: Vec<TiledStuck>,
}

/// A mover that is inside of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiledStuck {
    /// The mover.
    pub mover: Entity,
    /// The wall.
    pub wall: Entity,
}

/// Replaces what is in a map by another version of it. The entity of the map stays the same, with
/// its `Transform` and what the game has added to it, children included. All layers, objects and
/// grids are spawned anew, whatever parents the game gave them, except for objects whose entities
/// are [`TiledPersistent`](crate::TiledPersistent). In the next update, collisions with what is
/// gone end, and others start: no event is lost.
///
/// Returns `None` if the entity is not a map, or if an observer despawns it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud_tiled::{TiledMap, TiledRules, reload_map};
///
/// fn replace(map: Entity, rules: &TiledRules, world: &mut World) -> Result {
///     let new = TiledMap::read("assets/level.tmx")?;
///     for stuck in reload_map(map, &new, rules, world).into_iter().flat_map(|it| it.stuck) {
///         warn!("{} is inside of a wall", stuck.mover);
///     }
///     Ok(())
/// }
/// # let _ = replace;
/// ```
pub fn reload_map(
    map: Entity,
    new: &TiledMap,
    rules: &TiledRules,
    world: &mut World,
) -> Option<TiledReloaded> {
    world.get::<TiledMapRoot>(map)?;
    despawn_spawned(map, world);
    let errors = fill(map, new, rules, &mut world.commands());
    world.flush();
    world.get::<TiledMapRoot>(map)?;
    Some(TiledReloaded {
        map,
        errors,
        stuck: stuck_in(map, world),
    })
}

/// Despawns what was spawned for a map, whatever parent the game gave it. The map's other children
/// are the game's own.
fn despawn_spawned(map: Entity, world: &mut World) {
    type OfSomeMap = AnyOf<(&'static TiledObject, &'static OfMap)>;
    let mut spawned = world.query_filtered::<(Entity, OfSomeMap), Without<TiledPersistent>>();
    let is_of_map = |(object, other): (Option<&TiledObject>, Option<&OfMap>)| {
        object.is_some_and(|it| it.map == map) || other.is_some_and(|it| it.0 == map)
    };
    let spawned: Vec<Entity> = (spawned.iter(world))
        .filter(|(_, of)| is_of_map(*of))
        .map(|(entity, _)| entity)
        .collect();
    for entity in spawned {
        // It may have been despawned with another one, or by an observer.
        world.try_despawn(entity).ok();
    }
}

/// The movers that are inside of walls of a map. Empty without the collision plugin.
fn stuck_in(map: Entity, world: &mut World) -> Vec<TiledStuck> {
    refresh_colliders(world);
    let stuck = world.run_system_cached_with(find_stuck, map);
    stuck.unwrap_or_default()
}

fn find_stuck(
    In(map): In<Entity>,
    movers: Query<Entity, With<Mover>>,
    parents: Query<&ChildOf>,
    query: SpatialQuery,
) -> Vec<TiledStuck> {
    let is_of_map = |wall| parents.iter_ancestors(wall).any(|ancestor| ancestor == map);
    let mut stuck: Vec<TiledStuck> = (movers.iter())
        .filter_map(|mover| Some((mover, query.of(mover)?.in_the_way())))
        .flat_map(|(mover, walls)| walls.map(move |wall| TiledStuck { mover, wall }))
        .filter(|stuck| is_of_map(stuck.wall) && !movers.contains(stuck.wall))
        .collect();
    stuck.sort_unstable_by_key(|stuck| (stuck.mover, stuck.wall));
    stuck
}
