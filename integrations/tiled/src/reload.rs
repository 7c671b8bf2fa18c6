//! Replaces a map by a modified one.

use std::collections::{HashMap, HashSet};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_thud::{geometry::Contact, prelude::*};

use crate::{
    components::{TiledLayer, TiledMapRoot, TiledObject, TiledSurvivor},
    error::TiledError,
    map::TiledMap,
    rules::TiledRules,
    spawn::fill,
};

/// An overlap no deeper than this is no reason to tell, in world units.
const SLOP: f32 = 0.01;

/// A map was replaced. Also a message, of [`TiledReloadPlugin`](crate::TiledReloadPlugin).
#[derive(Message, Clone, Debug, PartialEq)]
pub struct TiledReloaded {
    /// The entity of the map, the same as before.
    pub map: Entity,
    /// What is wrong with the new map.
    pub errors: Vec<TiledError>,
    /// The movers that are inside of a wall of the new map. Where they can, they are pushed out in
    /// the next update.
    pub inside: Vec<TiledInside>,
}

/// A mover that is inside of a wall of a map that was replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TiledInside {
    /// The mover.
    pub mover: Entity,
    /// The wall.
    pub wall: Entity,
    /// How deep it is inside, in world units.
    pub depth: f32,
}

/// Replaces what is in a map by another version of it. The entity of the map stays the same, with
/// its `Transform` and what the game has added to it. All layers, objects and grids are spawned
/// anew, but for entities with [`TiledSurvivor`]. Colliders that go end their collisions in the
/// next update, as always.
///
/// Returns `None` if the entity is not a map.
pub fn reload_map(
    map: Entity,
    new: &TiledMap,
    rules: &TiledRules,
    world: &mut World,
) -> Option<TiledReloaded> {
    world.get::<TiledMapRoot>(map)?;
    let survivors = detach_survivors(map, world);
    world.entity_mut(map).despawn_children();
    let without: HashSet<u32> = (survivors.iter())
        .filter_map(|survivor| world.get::<TiledObject>(survivor.entity))
        .map(|object| object.id)
        .collect();
    let filling = fill(map, new, rules, &without, &mut world.commands());
    world.flush();
    attach(map, &survivors, &filling.layers, world);
    refresh_colliders(world);
    Some(TiledReloaded {
        map,
        errors: filling.errors,
        inside: inside(map, world),
    })
}

struct Survivor {
    entity: Entity,
    /// The number of its layer.
    layer: Option<u32>,
    /// Where it is in the world.
    transform: Transform,
}

/// Takes the topmost survivors out of the map.
fn detach_survivors(map: Entity, world: &mut World) -> Vec<Survivor> {
    let mut survivors = Vec::new();
    let mut open = vec![(map, None)];
    while let Some((entity, layer)) = open.pop() {
        if entity != map && world.get::<TiledSurvivor>(entity).is_some() {
            survivors.push(Survivor {
                entity,
                layer,
                transform: in_world(entity, world),
            });
            continue;
        }
        let layer = world.get::<TiledLayer>(entity).map(|it| it.id).or(layer);
        let children = world.get::<Children>(entity).into_iter().flatten();
        open.extend(children.map(|child| (*child, layer)));
    }
    for survivor in &survivors {
        world.entity_mut(survivor.entity).remove::<ChildOf>();
    }
    survivors
}

/// Puts survivors into their layers. They stay where they are in the world.
fn attach(map: Entity, survivors: &[Survivor], layers: &HashMap<u32, Entity>, world: &mut World) {
    for survivor in survivors {
        let layer = survivor.layer.and_then(|layer| layers.get(&layer));
        let parent = layer.copied().unwrap_or(map);
        let from_world = in_world(parent, world).compute_affine().inverse();
        let local = from_world * survivor.transform.compute_affine();
        let local = Transform::from_matrix(local.into());
        // What is where it was keeps its numbers.
        let is_same = (world.get::<Transform>(survivor.entity))
            .is_some_and(|old| old.to_matrix().abs_diff_eq(local.to_matrix(), 1e-4));
        let mut entity = world.entity_mut(survivor.entity);
        entity.insert(ChildOf(parent));
        if !is_same {
            entity.insert(local);
        }
    }
}

/// Where an entity is in the world now. `GlobalTransform` may be from before.
fn in_world(entity: Entity, world: &World) -> Transform {
    let local = world.get::<Transform>(entity).copied();
    let local = local.unwrap_or_default();
    match world.get::<ChildOf>(entity) {
        Some(child) => in_world(child.parent(), world) * local,
        None => local,
    }
}

/// The movers that are inside of walls of a map.
fn inside(map: Entity, world: &mut World) -> Vec<TiledInside> {
    let mut state = SystemState::<(
        SpatialQuery,
        Query<Entity, With<Mover>>,
        Query<&Solid, Without<OneWay>>,
        Query<&ChildOf>,
    )>::new(world);
    let Ok((query, movers, solids, parents)) = state.get(world) else {
        return Vec::new();
    };
    let is_wall = |wall: Entity| {
        solids.contains(wall) && parents.iter_ancestors(wall).any(|ancestor| ancestor == map)
    };
    let mut found = Vec::new();
    for mover in &movers {
        let contacts = query.of(mover).map(|mover| mover.contacts());
        let walls = contacts.into_iter().flatten();
        let walls = walls.filter(|(wall, _)| is_wall(*wall) && !movers.contains(*wall));
        found.extend(walls.filter_map(|(wall, contact): (Entity, Contact)| {
            let depth = contact.depth;
            (depth > SLOP).then_some(TiledInside { mover, wall, depth })
        }));
    }
    found
}
