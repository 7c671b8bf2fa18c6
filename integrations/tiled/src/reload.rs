//! Replaces a map by a modified one.

use bevy::prelude::*;
use bevy_thud_maps::{MapPersistent, StuckMover, stuck_movers};

use crate::{
    components::{OfMap, TiledMapRoot, TiledObject},
    error::TiledError,
    map::TiledMap,
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
    /// reports them as [`Crushed`](bevy_thud::Crushed).
    pub stuck: Vec<StuckMover>,
}

/// Replaces what is in a map by another version of it. The entity of the map stays the same, with
/// its `Transform` and what the game has added to it, children included. All layers, objects and
/// grids are spawned anew, whatever parents the game gave them, except for objects whose entities
/// are [`MapPersistent`](crate::MapPersistent). In the next update, collisions with what is
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
        stuck: stuck_movers([map], world),
    })
}

/// Despawns what was spawned for a map, whatever parent the game gave it. The map's other children
/// are the game's own.
fn despawn_spawned(map: Entity, world: &mut World) {
    type OfSomeMap = AnyOf<(&'static TiledObject, &'static OfMap)>;
    let mut spawned = world.query_filtered::<(Entity, OfSomeMap), Without<MapPersistent>>();
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
