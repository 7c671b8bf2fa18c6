//! Entities that outlive their level.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use crate::from_map;

/// An entity of a map that stays as it is when its level is unloaded or replaced, like a hero or an
/// opened chest, and is not spawned again while it exists. Despawn it to remove it.
///
/// It is not a child of its level: the component makes it a child of nothing, where it stands. The
/// points of its fields are still in the frame of the level that
/// [`LdtkEntity::level`](crate::LdtkEntity::level) names.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(on_add = detach)]
pub struct LdtkPersistent;

fn detach(mut world: DeferredWorld, context: HookContext) {
    world.commands().queue(move |world: &mut World| {
        // The `GlobalTransform` of what was just spawned is not up to date.
        let transform = transform_in_world(context.entity, world);
        if let Ok(mut entity) = world.get_entity_mut(context.entity)
            && entity.contains::<ChildOf>()
        {
            entity.remove::<ChildOf>();
            from_map::insert(transform, context.entity, world);
        }
    });
}

/// The transform of an entity in the world, from those of its ancestors as they are now.
pub(crate) fn transform_in_world(entity: Entity, world: &World) -> Transform {
    let own = world.get::<Transform>(entity).copied().unwrap_or_default();
    match world.get::<ChildOf>(entity) {
        Some(parent) => transform_in_world(parent.parent(), world) * own,
        None => own,
    }
}
