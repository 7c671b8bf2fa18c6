//! Spatial queries.

mod casts;
mod collider;
mod filter;
mod motion;
mod overlaps;
mod results;

pub use collider::ColliderQuery;
pub use filter::SpatialQueryFilter;
pub use motion::MoveOutcome;
pub use results::SpatialQueryIter;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    index::{ColliderIndex, Parents, Registration},
    movement::MovePlans,
};

/// Queries the colliders: what a ray or a moving shape hits, what overlaps a shape or a point, what
/// is nearest to a point, and where a mover would end up.
///
/// A read-only system parameter that does not conflict with any other. Each query takes a
/// [`SpatialQueryFilter`], and returns entities, or pairs of an entity and what the function of the
/// module [`geometry`](crate::geometry) returns for it: a [`Contact`](crate::Contact), a
/// [`CastHit`](crate::geometry::CastHit) or a [`Separation`](crate::geometry::Separation).
///
/// # When results are up to date
///
/// Queries see the world as of the last collision update, even while time is paused. A system in
/// `Update` does not see yet what was spawned, moved or despawned in this frame; the first frame
/// sees what was spawned in `Startup`. To see it, run the system after
/// [`CollisionSystems::Sync`](crate::CollisionSystems::Sync) (or `Move`) in the schedule of the
/// plugin, or call [`refresh_colliders`](crate::refresh_colliders) before.
///
/// Lists are sorted by entity, which is by [`StableKey`](crate::StableKey), then by id.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// /// Whether a guard sees the player, or something is between them.
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
///         if seen.is_some_and(|(entity, _)| entity == player) {
///             info!("{guard} raises the alarm");
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(watch);
/// ```
#[derive(SystemParam)]
pub struct SpatialQuery<'w, 's> {
    index: Res<'w, ColliderIndex>,
    plans: Res<'w, MovePlans>,
    parents: Parents<'w, 's>,
    registrations: Query<'w, 's, &'static Registration>,
}
