//! Updating the index between two updates, on request.
//!
//! The next update has to find what it would have found without: it treats as changed what was
//! synced here, and sweeps colliders from where they were in the last update.

use bevy::{
    ecs::{schedule::SingleThreadedExecutor, system::SystemParamBuilder},
    prelude::*,
};

use super::{
    labels::{RefreshColliders, SyncIndex},
    sync::WorldSync,
};

/// Lets [`SpatialQuery`](crate::SpatialQuery) see the colliders as they are now, including those
/// that were spawned, moved, changed or despawned since the last update.
///
/// It is a system for any schedule, a function to call, and a command:
/// `commands.queue(refresh_colliders)`. It moves nothing and reports nothing, and the next update
/// reports what it would have reported without. It costs about as much as
/// [`CollisionSystems::Sync`](crate::CollisionSystems::Sync). Without the plugin it does nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// fn build(mut commands: Commands) {
///     commands.spawn((RectCollider::new(200.0, 20.0), Solid));
/// }
///
/// fn place_treasure(query: SpatialQuery) {
///     let filter = SpatialQueryFilter::default();
///     let is_free = query.point_intersections(Vec2::ZERO, &filter).is_empty();
///     info!("room for a treasure: {is_free}");
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .add_systems(Startup, (build, refresh_colliders, place_treasure).chain())
///     .update();
/// ```
#[doc(alias = "SyncTransforms")]
pub fn refresh_colliders(world: &mut World) {
    // An error says that there is no such schedule, so no plugin.
    let _ = world.try_run_schedule(RefreshColliders);
}

/// Adds the schedule that reads the shapes of all kinds of colliders, then syncs the index. It runs
/// once after startup: queries of the first frame see what was spawned there.
pub(crate) fn add_refresh_schedule(app: &mut App) {
    let sync = (WorldSync::of_every_entity(),).build_system(sync_between_updates);
    app.init_schedule(RefreshColliders)
        .edit_schedule(RefreshColliders, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .add_systems(RefreshColliders, sync.in_set(SyncIndex))
        .add_systems(PostStartup, refresh_colliders);
}

fn sync_between_updates(mut sync: WorldSync) {
    sync.index.attached_to_movers.clear();
    sync.run(true);
    sync.index.refresh_broad_phase();
}
