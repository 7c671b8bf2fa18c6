//! Questions about the colliders of the last run.

mod casts;
mod filter;
mod hits;
mod motion;
mod overlaps;

pub use filter::SpatialQueryFilter;
pub use hits::{PointProjection, RayHit, ShapeHit};
pub use motion::MoveOutcome;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::index::ColliderIndex;

/// Asks about the colliders: what a ray or a moving shape hits, what overlaps a shape or a point, what is nearest, where a mover would go.
///
/// It changes nothing, and fits beside any other parameter of a system. Every question comes with a [`SpatialQueryFilter`]. Time does not matter:
/// questions are answered in a paused game as in any other.
///
/// # Of when the answers are
///
/// The colliders are as the last run left them. A system that asks in `Update` does not see yet what was spawned, moved or despawned in
/// this frame. Two things help: to ask after [`CollisionSystems::Sync`](crate::CollisionSystems::Sync) (or `Move`) in the schedule of the
/// plugin, or to call [`refresh_colliders`](crate::refresh_colliders) before asking.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// /// Whether a guard sees the player, or a wall is between.
/// fn watch(
///     guards: Query<(Entity, &Transform)>,
///     player: Single<(Entity, &Transform), With<Mover>>,
///     query: SpatialQuery,
/// ) {
///     let (player, to) = (player.0, player.1.translation.truncate());
///     for (guard, transform) in &guards {
///         let from = transform.translation.truncate();
///         let Ok(direction) = Dir2::new(to - from) else { continue };
///         let filter = SpatialQueryFilter::default().exclude(guard);
///         let seen = query.cast_ray(Ray2d::new(from, direction), 500.0, &filter);
///         if seen.is_some_and(|hit| hit.entity == player) {
///             info!("{guard} raises the alarm");
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(watch);
/// ```
#[derive(SystemParam)]
pub struct SpatialQuery<'w> {
    index: Res<'w, ColliderIndex>,
}
