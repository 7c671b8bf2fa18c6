//! Events when a level or a map is complete.

use bevy::prelude::*;

/// All of a level is there, with all of its entities: it was spawned, or replaced by a newer
/// version of the map. References to entities of other levels wait for [`LdtkMapReady`]. When a
/// file changes, `bevy_ecs_ldtk` may spawn a level once more, which triggers it once more.
///
/// Queries do not see its colliders before the next collision update, or
/// [`refresh_colliders`](bevy_thud::prelude::refresh_colliders).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud_ldtk::{LdtkFields, LdtkLevelReady};
/// fn play_music(ready: On<LdtkLevelReady>, levels: Query<&LdtkFields>) -> Result {
///     let music: String = levels.get(ready.entity)?.get("music")?;
///     info!("plays {music}");
///     Ok(())
/// }
/// # App::new().add_observer(play_music);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LdtkLevelReady {
    /// The entity with [`LdtkLevel`](crate::LdtkLevel).
    pub entity: Entity,
}

/// All levels of a map that were to be spawned or replaced at once are there, each with all of its
/// entities: the moment to resolve the references of its fields, with
/// [`LdtkLookup`](crate::LdtkLookup).
#[derive(Event, Clone, Debug, PartialEq, Eq)]
pub struct LdtkMapReady {
    /// The entity with `LdtkMapRoot`, or that of the project of `bevy_ecs_ldtk`, if there is one.
    pub root: Option<Entity>,
    /// The entities with [`LdtkLevel`](crate::LdtkLevel) that were spawned or replaced. The map may
    /// have others, which were there before.
    pub levels: Vec<Entity>,
}

/// Triggers the event of a level, if an observer did not despawn it.
pub(crate) fn level(entity: Entity, world: &mut World) {
    if world.get_entity(entity).is_ok() {
        world.trigger(LdtkLevelReady { entity });
    }
}

/// Triggers the event of a map, with those of these levels that exist, if there is any.
pub(crate) fn map(root: Option<Entity>, mut levels: Vec<Entity>, world: &mut World) {
    levels.retain(|level| world.get_entity(*level).is_ok());
    if !levels.is_empty() {
        world.trigger(LdtkMapReady { root, levels });
    }
}
