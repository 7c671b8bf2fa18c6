//! [firewheel]: https://docs.rs/crate/bevy_thud/latest/source/docs/pictures/firewheel.png
//! [movement]: https://docs.rs/crate/bevy_thud/latest/source/docs/pictures/movement.png
//! [examples]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/examples.md
//! [avian]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/coming-from/avian.md
//! [bevy_rapier]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/coming-from/bevy_rapier.md
//! [godot]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/coming-from/godot.md
//! [unity]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/coming-from/unity.md
//! [cookbook]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/cookbook.md
//! [rules]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/rules.md
//! [rollback]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/rollback.md
//! [smooth]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/smooth-drawing.md
//! [bevy-0.20]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/bevy-0.20.md
//! [walkers]: https://docs.rs/crate/bevy_thud/latest/source/docs/guide/walkers.md
//! [benches]: https://docs.rs/crate/bevy_thud/latest/source/benches/README.md
//! [contributing]: https://docs.rs/crate/bevy_thud/latest/source/CONTRIBUTING.md
//! [apache]: https://docs.rs/crate/bevy_thud/latest/source/LICENSE-APACHE
//! [mit]: https://docs.rs/crate/bevy_thud/latest/source/LICENSE-MIT
#![doc = include_str!("../README.md")]
//!
//! # Data flow
//!
//! ```text
//! Transform + a collider + CollisionLayers
//!   Sync    components → every collider in world space, in flat arrays, with a broad phase
//!   Move    every mover is planned on that snapshot, then all are committed together
//!   Detect  pairs of boxes → pairs of shapes → what changed since the last update
//!   Report  messages, observers, CollidingEntities
//! ```

mod aabb;
mod broad_phase;
mod components;
mod contacts;
#[cfg(feature = "debug")]
mod debug;
mod diagnostics;
mod events;
pub mod geometry;
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
    Conveyor, Ignores, KeptVelocity, LayerMask, LayerTable, LayersAppExt, Mover, MoverResponse,
    OneWay, PolygonCollider, Pushable, RectCollider, Rigid, Solid, StableKey, Swept, TileCollider,
    Turning, Walker,
};
pub use contacts::{Absence, Blocking, Collisions, Explanation, Verdict, Walkable};
#[cfg(feature = "debug")]
pub use debug::{CollisionDebugPlugin, CollisionGizmos};
pub use diagnostics::CollisionDiagnosticsPlugin;
pub use events::{
    BlockingHit, ChangedFloor, CollidingEntities, CollisionEnd, CollisionEndReason, CollisionEvent,
    CollisionStart, Crushed, Ground, Hit, Hits, Landed, LeftFloor, MoverHit, MoverHits,
    SurfaceContact,
};
pub use geometry::Contact;
pub use index::{ColliderAppExt, refresh_colliders};
#[cfg(feature = "picking")]
pub use picking::{CollisionPickingCamera, CollisionPickingPlugin, CollisionPickingSettings};
pub use plugin::CollisionPlugin;
pub use query::{
    ColliderQuery, MoveOutcome, PointProjection, RayHit, ShapeHit, SpatialQuery, SpatialQueryFilter,
};
pub use schedule::CollisionSystems;
pub use settings::CollisionSettings;
pub use state::{CollidingPair, CollisionState, CollisionStateHashes};

/// The examples of the pages in `docs` compile.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/guide/smooth-drawing.md")]
    struct SmoothDrawing;
    #[doc = include_str!("../docs/guide/coming-from/avian.md")]
    struct Avian;
    #[doc = include_str!("../docs/guide/coming-from/bevy_rapier.md")]
    struct BevyRapier;
    #[doc = include_str!("../docs/guide/coming-from/godot.md")]
    struct Godot;
    #[doc = include_str!("../docs/guide/coming-from/unity.md")]
    struct Unity;
}

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
        MoverHits, MoverResponse, OneWay, PolygonCollider, Pushable, RectCollider, Rigid, Solid,
        SpatialQuery, SpatialQueryFilter, StableKey, Swept, TileCollider, Turning, Walker,
        geometry::Shape, refresh_colliders,
    };
}
