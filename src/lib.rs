//! x

mod broad_phase;
pub mod collider;
mod contacts;
mod events;
pub mod geometry;
mod hierarchy;
mod index;
mod movement;
mod plugin;
mod settings;
mod sync;

pub use collider::{
    CircleCollider, Collider, ColliderAppExt, ColliderDisabled, CollisionLayers, LayerMask,
    RectCollider, Solid,
};
pub use contacts::{CollidingEntities, CollidingPair, Collisions};
pub use events::{CollisionEnd, CollisionEvent, CollisionStart, EndReason, Hit, Hits};
pub use geometry::Contact;
pub use movement::{Mover, MoverHit, MoverHits, MoverResponse};
pub use plugin::{CollisionPlugin, CollisionSystems};
pub use settings::CollisionSettings;

/// What a game writes every day.
pub mod prelude {
    pub use crate::{
        CircleCollider, Collider, ColliderAppExt, ColliderDisabled, CollidingEntities,
        CollisionEnd, CollisionEvent, CollisionLayers, CollisionPlugin, CollisionSettings,
        CollisionStart, CollisionSystems, Collisions, Contact, EndReason, Hits, LayerMask, Mover,
        MoverHit, MoverHits, MoverResponse, RectCollider, Solid,
    };
}
