//! Entities of a map that stay when the map goes.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

/// On an entity of a map: it stays as it is when the map is unloaded or replaced, like a hero or
/// an opened chest. While it exists, [`reload_map`](crate::reload_map) does not spawn its object
/// again. Despawn it to be rid of it.
///
/// It is not a child of its layer: the component makes it a child of nothing, where it is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(on_add = detach)]
pub struct TiledPersistent;

fn detach(mut world: DeferredWorld, context: HookContext) {
    world.commands().queue(move |world: &mut World| {
        // The `GlobalTransform` of what was just spawned is not up to date.
        let transform = in_world(context.entity, world);
        if let Ok(mut entity) = world.get_entity_mut(context.entity)
            && entity.contains::<ChildOf>()
        {
            entity.remove::<ChildOf>().insert(transform);
        }
    });
}

/// Where an entity is in the world.
fn in_world(entity: Entity, world: &World) -> Transform {
    let local = world.get::<Transform>(entity).copied();
    let local = local.unwrap_or_default();
    match world.get::<ChildOf>(entity) {
        Some(child) => in_world(child.parent(), world) * local,
        None => local,
    }
}
