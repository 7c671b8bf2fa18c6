//! 2D collision detection and movement for Bevy: put a collider on an entity, receive every
//! overlap, walk into walls and stop. It is not a physics engine: it has no forces, gravity, joints
//! or stacking.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_thud::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, CollisionPlugin::default(), CollisionDebugPlugin))
//!         .add_systems(Startup, spawn)
//!         .add_systems(Update, steer)
//!         .run();
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     commands.spawn(Camera2d);
//!     // The plugin moves the player, and the wall blocks it. The coin only reports.
//!     let at = |x, y| Transform::from_xyz(x, y, 0.0);
//!     commands.spawn((CircleCollider::new(16.0), Mover::default()));
//!     commands.spawn((RectCollider::new(200.0, 20.0), Solid, at(0.0, 80.0)));
//!     commands
//!         .spawn((CircleCollider::new(8.0), at(60.0, 0.0)))
//!         .observe(|start: On<CollisionStart>, mut commands: Commands| {
//!             commands.entity(start.entity).try_despawn();
//!         });
//! }
//!
//! fn steer(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Mover>) {
//!     let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
//!     let x = axis(KeyCode::KeyA, KeyCode::KeyD);
//!     let y = axis(KeyCode::KeyS, KeyCode::KeyW);
//!     player.velocity = Vec2::new(x, y).normalize_or_zero() * 200.0;
//! }
//! ```
//!
//! The [`guide`] explains each part, and the [README][readme] has a whole game. Most items are in
//! the [`prelude`].
//!
//! # Plugins and settings
//!
//! - [`CollisionPlugin`] does all of it: once per frame in `PostUpdate`, or in another schedule.
//! - [`CollisionSystems`] are its system sets, to order systems by. See [Schedules][schedules].
//! - [`CollisionSettings`] has the rules for the whole world.
//! - `CollisionDebugPlugin` draws colliders, contacts and hits; `CollisionGizmos` has its colors.
//! - [`CollisionDiagnosticsPlugin`] counts and measures. See [Performance][performance].
//! - `CollisionPickingPlugin` lets pointers hover, click and drag colliders.
//!
//! # Components
//!
//! | on an entity | |
//! |---|---|
//! | [`CircleCollider`], [`RectCollider`], [`CapsuleCollider`] | a shape: [Colliders][colliders] |
//! | [`PolygonCollider`] | any polygon, convex or not, with holes and islands; lines |
//! | [`TileCollider`] | a grid of solid cells: [tile maps and pixels][tiles] |
//! | [`Collider`] | a trait, for shapes of your own |
//! | [`Solid`] | blocks movers. A collider without it only reports |
//! | [`OneWay`] | with `Solid`: blocks from one side only |
//! | [`Mover`] | is moved by the plugin, and blocked by `Solid` colliders: [Movers][movers] |
//! | [`MoverHits`] | what blocked a mover in the last update, and whether it is crushed |
//! | [`Pushable`], [`Turning`] | movers that others push, and movers that turn |
//! | [`MoverPart`] | on a child of a mover: part of its shape |
//! | [`Walker`], [`Ground`] | a mover for platformers, and what it stands on: [Walkers][walkers] |
//! | [`Conveyor`] | with `Solid`: a surface that carries walkers |
//! | [`Swept`] | continuous collision detection (CCD) for what your code moves |
//! | [`CollisionLayers`], [`LayerMask`] | who collides with whom: [Layers][layers] |
//! | [`CollisionLayer`], [`LayerTable`] | the same, with names and in one table |
//! | [`Ignores`] | lets two entities ignore each other |
//! | [`ColliderDisabled`] | disables the collider |
//! | [`CollidingEntities`] | what the collider overlaps, kept up to date |
//! | [`StableKey`] | a sort key of the game's own: [Rollback][rollback] |
//!
//! # In systems and observers
//!
//! | parameter | |
//! |---|---|
//! | [`Hits`] | the starts between two kinds of entities: [Events][events] |
//! | [`CollisionStart`], [`CollisionEnd`] | events for observers |
//! | [`CollisionEvent`] | messages: all starts and ends |
//! | [`MoverHit`], [`Crushed`] | messages and events: what blocked or crushed a mover |
//! | [`Landed`], [`ChangedFloor`], [`LeftFloor`] | messages and events of walkers |
//! | [`Collisions`] | the pairs that overlap now; [`explain`](Collisions::explain) says why not |
//! | [`SpatialQuery`] | rays, casts, overlaps, the nearest collider: [Queries][queries] |
//! | [`CollisionState`] | to save, restore and hash: [Rollback][rollback], [Saves][saves] |
//!
//! [`refresh_colliders`] lets queries see what was just spawned. The module [`geometry`] has the
//! narrow phase as pure functions.
//!
//! # Features
//!
//! | feature | default | |
//! |---|---|---|
//! | `parallel` | yes | uses as many threads as Bevy has; in a browser, that is one |
//! | `debug` | yes | `CollisionDebugPlugin` |
//! | `picking` | no | `CollisionPickingPlugin` |
//! | `serialize` | no | reads and writes everything with serde, and in Bevy's scenes |
//!
//! [readme]: https://docs.rs/crate/bevy_thud/latest/source/README.md
//! [colliders]: crate::guide::colliders
//! [layers]: crate::guide::layers
//! [movers]: crate::guide::movers
//! [walkers]: crate::guide::walkers
//! [events]: crate::guide::events
//! [tiles]: crate::guide::tiles
//! [queries]: crate::guide::queries
//! [schedules]: crate::guide::schedules
//! [performance]: crate::guide::performance
//! [rollback]: crate::guide::rollback
//! [saves]: crate::guide::saves

mod aabb;
mod broad_phase;
mod components;
mod contacts;
#[cfg(feature = "debug")]
mod debug;
mod diagnostics;
mod events;
pub mod geometry;
#[cfg(any(doc, doctest))]
pub mod guide;
mod hints;
mod index;
mod memory;
mod movement;
mod parallel;
#[cfg(feature = "picking")]
mod picking;
mod plugin;
mod query;
mod report;
mod schedule;
#[cfg(feature = "serialize")]
mod serde_checks;
mod settings;
mod state;
#[cfg(test)]
mod strategies;

pub use components::{
    CapsuleCollider, CircleCollider, Collider, ColliderDisabled, CollisionLayer, CollisionLayers,
    Conveyor, Ignores, KeptVelocity, LayerMask, LayerTable, Mover, MoverPart, MoverResponse,
    OneWay, PolygonCollider, Pushable, RectCollider, Solid, StableKey, Swept, TileCollider,
    Turning, Walker,
};
pub use contacts::{Collisions, Explanation};
#[cfg(feature = "debug")]
pub use debug::{CollisionDebugPlugin, CollisionGizmos};
pub use diagnostics::CollisionDiagnosticsPlugin;
pub use events::{
    BlockingHit, ChangedFloor, CollidingEntities, CollisionEnd, CollisionEndReason, CollisionEvent,
    CollisionStart, Crushed, Ground, Landed, LeftFloor, MoverHit, MoverHits, SurfaceContact,
};
pub use geometry::Contact;
pub use index::{ColliderAppExt, LayersAppExt, Reason, refresh_colliders};
#[cfg(feature = "picking")]
pub use picking::{CollisionPickingCamera, CollisionPickingPlugin, CollisionPickingSettings};
pub use plugin::CollisionPlugin;
pub use query::{ColliderQuery, MoveOutcome, SpatialQuery, SpatialQueryFilter, SpatialQueryIter};
pub use report::{Hit, HitIter, Hits};
pub use schedule::CollisionSystems;
pub use settings::CollisionSettings;
pub use state::{CollidingPair, CollisionState, CollisionStateHashes};

/// The code of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What a game uses every day.
pub mod prelude {
    #[cfg(feature = "debug")]
    pub use crate::CollisionDebugPlugin;
    pub use crate::{
        CapsuleCollider, ChangedFloor, CircleCollider, Collider, ColliderAppExt, ColliderDisabled,
        CollidingEntities, CollisionEnd, CollisionEndReason, CollisionEvent, CollisionLayer,
        CollisionLayers, CollisionPlugin, CollisionSettings, CollisionStart, CollisionState,
        CollisionSystems, Collisions, Contact, Conveyor, Crushed, Ground, Hits, Ignores,
        KeptVelocity, Landed, LayerMask, LayerTable, LayersAppExt, LeftFloor, Mover, MoverHit,
        MoverHits, MoverPart, MoverResponse, OneWay, PolygonCollider, Pushable, RectCollider,
        Solid, SpatialQuery, SpatialQueryFilter, StableKey, Swept, TileCollider, Turning, Walker,
        geometry::{CellShape, CellShapes, Shape},
        refresh_colliders,
    };
}
