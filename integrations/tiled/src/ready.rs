//! An event when a map is complete.

use bevy::prelude::*;

use crate::components::TiledMapRoot;

/// All of a map is there, with all of its layers and objects: it was spawned, or replaced by
/// another version of it. The moment to resolve the references of its properties, with
/// [`TiledLookup`](crate::TiledLookup).
///
/// Queries do not see its colliders before the next collision update, or
/// [`refresh_colliders`](bevy_thud::prelude::refresh_colliders).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud_tiled::{TiledMapReady, TiledProperties};
/// fn play_music(ready: On<TiledMapReady>, maps: Query<&TiledProperties>) -> Result {
///     let music: String = maps.get(ready.entity)?.get("music")?;
///     info!("plays {music}");
///     Ok(())
/// }
/// # App::new().add_observer(play_music);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiledMapReady {
    /// The entity with [`TiledMapRoot`].
    pub entity: Entity,
}

/// Triggers the event of a map, if an observer did not despawn it.
pub(crate) fn map(entity: Entity, world: &mut World) {
    if world.get::<TiledMapRoot>(entity).is_some() {
        world.trigger(TiledMapReady { entity });
    }
}
