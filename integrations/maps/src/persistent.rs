//! Entities that outlive their map.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

/// On an entity of a map, like a hero or an opened chest: it stays as it is when its map or its
/// level is unloaded or replaced, and is not spawned again while it exists. Despawn it to be rid of
/// it.
///
/// It is not a child of its level or layer: the component makes it a child of nothing, where it is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(on_add = detach)]
pub struct MapPersistent;

fn detach(mut world: DeferredWorld, context: HookContext) {
    world.commands().queue(move |world: &mut World| {
        // The `GlobalTransform` of what was just spawned is not up to date.
        let transform = transform_in_world(context.entity, world);
        match world.get_entity_mut(context.entity) {
            Ok(mut entity) if entity.contains::<ChildOf>() => drop(entity.remove::<ChildOf>()),
            _ => return,
        }
        // An observer may have despawned it meanwhile.
        if let Ok(mut entity) = world.get_entity_mut(context.entity) {
            entity.insert(transform);
        }
    });
}

/// The transform of an entity in the world, from those of its ancestors as they are now.
pub fn transform_in_world(entity: Entity, world: &World) -> Transform {
    let own = world.get::<Transform>(entity).copied().unwrap_or_default();
    match world.get::<ChildOf>(entity) {
        Some(parent) => transform_in_world(parent.parent(), world) * own,
        None => own,
    }
}
