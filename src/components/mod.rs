//! The components that a user adds to entities: plain data.

mod collider;
mod ignores;
mod layers;
mod mover;
mod named_layers;
mod polygon;
mod shapes;
mod solid;
mod stable_key;
mod swept;
mod tiles;
mod walker;

pub use collider::{Collider, ColliderDisabled};
pub use ignores::Ignores;
pub use layers::{CollisionLayers, LayerMask};
pub use mover::{Mover, MoverPart, MoverResponse, Pushable, Turning};
pub use named_layers::{CollisionLayer, LayerTable};
pub use polygon::PolygonCollider;
pub use shapes::{CapsuleCollider, CircleCollider, RectCollider};
pub use solid::{OneWay, Solid};
pub(crate) use stable_key::EntityOrder;
pub use stable_key::StableKey;
pub use swept::Swept;
pub use tiles::TileCollider;
pub use walker::{Conveyor, KeptVelocity, Walker};
