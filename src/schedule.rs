//! The system sets of a collision update.

use bevy::{ecs::system::NonSendMarker, prelude::*};

/// A parameter of every system of a collision update: binds it to the main thread.
///
/// The systems run one after another anyway, and handing each to another thread takes longer than
/// most of them do. Other systems run on the other threads meanwhile. With many colliders the work
/// is split among all threads, including the main thread.
pub(crate) type OnMainThread = NonSendMarker;

/// The system sets of a collision update, in order. Order a system before or after one of them to
/// change what it reads.
///
/// Each set may have a run condition, in any combination. Skipped work is done later, and nothing
/// is reported twice.
///
/// - Without [`Sync`](Self::Sync), the other sets use the colliders as of the last `Sync`. Those
///   spawned since then collide with nothing. Movers, their children, parents, and the reasons why
///   pairs end are up to date. [`refresh_colliders`](crate::refresh_colliders) counts as a `Sync`,
///   except that it applies no settings and no restored state, and does not sweep
///   [`Swept`](crate::Swept) colliders to their new positions. After another
///   [`CollisionState`](crate::CollisionState) was restored, movers and pairs wait for the `Sync`.
/// - Without [`Move`](Self::Move), movers do not move, and [`Swept`](crate::Swept) walls push
///   nothing.
/// - Without [`Detect`](Self::Detect), no pair starts or ends. The next `Detect` finds the pairs
///   that overlap by then, and those passed in the last motion, but not those passed earlier.
/// - Without [`Report`](Self::Report), starts, ends, [`Crushed`](crate::Crushed),
///   [`LeftFloor`](crate::LeftFloor), [`Landed`](crate::Landed) and
///   [`ChangedFloor`](crate::ChangedFloor) stay pending, while [`Collisions`](crate::Collisions) is
///   still updated. A pair that starts and ends in the meantime is not reported, and a walker's
///   landing cancels with its leaving again. Only the [`MoverHit`](crate::MoverHit)s of the last
///   `Move` are reported.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Resource)]
/// struct CutScene;
///
/// // Collisions continue, but are reported only when the scene is over.
/// App::new()
///     .add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .configure_sets(
///         PostUpdate,
///         CollisionSystems::Report.run_if(not(resource_exists::<CutScene>)),
///     );
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// Syncs the colliders with the world, at the current [`Transform`]s.
    Sync,
    /// Moves the movers.
    Move,
    /// Finds the pairs that overlap, and updates [`Collisions`](crate::Collisions).
    Detect,
    /// Writes the messages, triggers the observers and updates
    /// [`CollidingEntities`](crate::CollidingEntities).
    Report,
}
