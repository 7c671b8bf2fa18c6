//! The steps of an update.

use bevy::prelude::*;

/// The steps of a collision update, in their order. Put a system before or after one of them to
/// change what it sees.
///
/// Each of them may have a run condition, in any combination: what is left out in a frame is made
/// up for later, and nothing is reported twice.
///
/// - Without [`Sync`](Self::Sync) the other steps see the world as it was at the last one. What was spawned since collides with nothing.
/// - Without [`Move`](Self::Move) movers stay where they are, and walls that are [`Swept`](crate::Swept) push nothing.
/// - Without [`Detect`](Self::Detect) no pair starts or ends. The next one finds the pairs that overlap by then, and what was passed in the
///   motion just before it; what was passed earlier it does not.
/// - Without [`Report`](Self::Report) starts, ends and [`Crushed`](crate::Crushed) wait, while [`Collisions`](crate::Collisions) go on.
///   Of a pair that starts and ends meanwhile nothing is reported. Of [`MoverHit`](crate::MoverHit)s those of the last `Move` are.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Resource)]
/// struct CutScene;
///
/// // The world goes on, and what happens in it is reported when the scene is over.
/// App::new()
///     .add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .configure_sets(PostUpdate, CollisionSystems::Report.run_if(not(resource_exists::<CutScene>)));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// Brings the colliders up to date, where their [`Transform`]s are now.
    Sync,
    /// Moves the movers.
    Move,
    /// Finds the pairs that overlap. From here on [`Collisions`](crate::Collisions) is up to date.
    Detect,
    /// Writes the messages, triggers the observers and updates [`CollidingEntities`](crate::CollidingEntities).
    Report,
}
