//! Spawns children of entities that may be gone by then.

use bevy::prelude::*;

/// Spawns a child, and lets `insert` add to it. An observer may despawn the child or its ancestors
/// meanwhile: then nothing of it is left. `insert` has to use commands that a missing entity does
/// not fail, like [`EntityCommands::try_insert`].
pub(crate) fn spawn_child(
    commands: &mut Commands,
    parent: Entity,
    bundle: impl Bundle,
    insert: impl FnOnce(&mut EntityCommands) + Send + 'static,
) -> Entity {
    let child = commands.spawn_empty().id();
    commands.queue(move |world: &mut World| {
        if world.get_entity(parent).is_err() {
            world.try_despawn(child).ok();
            return;
        }
        let mut commands = world.commands();
        let mut entity = commands.entity(child);
        // Alone: what it queues fails if an observer of the rest has despawned the parent before.
        entity.try_insert(ChildOf(parent)).try_insert(bundle);
        insert(&mut entity);
        world.flush();
    });
    child
}
