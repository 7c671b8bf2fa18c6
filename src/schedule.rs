//! The system sets of a collision update.

use bevy::{ecs::system::NonSendMarker, prelude::*};

/// A parameter of every system of a collision update: binds it to the main thread.
///
/// The systems run one after another anyway, and handing each to another thread takes longer than
/// most of them do. Other systems run on the other threads meanwhile. With many colliders the work
/// is split among all threads, of which the main thread is one.
pub(crate) type OnMainThread = NonSendMarker;

/// The system sets of a collision update, in order. Order a system before or after one of them to
/// change what it reads.
///
/// Each set may have a run condition, in any combination. Skipped work is done later, and nothing
/// is reported twice.
///
/// - Without [`Sync`](Self::Sync), the other sets use the colliders as of the last `Sync`. Those
///   spawned since then collide with nothing. Movers and their children, parents, and why a pair
///   ended are read as they are. [`refresh_colliders`](crate::refresh_colliders) counts as a
///   `Sync`, except that it takes no settings and no restored state, and that
///   [`Swept`](crate::Swept) colliders are not swept to where it finds them. After another
///   [`CollisionState`](crate::CollisionState) was restored, movers and pairs wait for the `Sync`.
/// - Without [`Move`](Self::Move), movers do not move, and [`Swept`](crate::Swept) walls push
///   nothing.
/// - Without [`Detect`](Self::Detect), no pair starts or ends. The next `Detect` finds the pairs
///   that overlap by then, and those that were passed in the motion just before it, but not those
///   that were passed earlier.
/// - Without [`Report`](Self::Report), starts, ends, [`Crushed`](crate::Crushed),
///   [`LeftFloor`](crate::LeftFloor) and [`Landed`](crate::Landed) stay pending, while
///   [`Collisions`](crate::Collisions) is still updated. A pair that starts and ends in the
///   meantime is not reported, nor is a walker that lands and leaves again. Of the
///   [`MoverHit`](crate::MoverHit)s, those of the last `Move` are reported.
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
