//! What a user receives: events, messages and lists, as plain data.

mod colliding_entities;
mod collision;
mod ground;
mod mover_hits;
mod pending;

pub use colliding_entities::CollidingEntities;
pub use collision::{CollisionEnd, CollisionEndReason, CollisionEvent, CollisionStart};
pub use ground::{ChangedFloor, Ground, Landed, LeftFloor, SurfaceContact};
pub(crate) use ground::{FloorAnchor, TouchedSurfaces, clear_ground};
pub(crate) use mover_hits::clear_hits;
pub use mover_hits::{BlockingHit, Crushed, MoverHit, MoverHits};
pub(crate) use pending::PendingEvents;
