//! The system sets of a collision update.

use bevy::{ecs::system::NonSendMarker, prelude::*};

/// A parameter of every system of a collision update: binds it to the main thread.
///
/// The systems run one after another anyway, and handing each to another thread takes longer than
/// most of them do. Other systems run on the other threads meanwhile. With many colliders the work
/// is split among all threads, including the main thread.
pub(crate) type OnMainThread = NonSendMarker;

/// The system sets of a collision update: four stages, in order, and the set that contains them.
/// Order a system before or after one of them to change what it reads.
///
/// A run condition on [`All`](Self::All) pauses the plugin:
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Resource)]
/// struct Paused;
///
/// // Nothing moves, and no pair starts or ends, until the game goes on.
/// App::new()
///     .add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .configure_sets(
///         PostUpdate,
///         CollisionSystems::All.run_if(not(resource_exists::<Paused>)),
///     );
/// ```
///
/// The stages run together: with a run condition on one of them alone nothing panics, and no more
/// is promised.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// The whole update. The first update after a pause finds what has changed in the meantime.
    All,
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
