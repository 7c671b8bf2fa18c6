//! A backend for Bevy's picking: which colliders are under a pointer.

mod backend;
mod pointer_ray;

pub use backend::{CollisionPickingCamera, CollisionPickingPlugin, CollisionPickingSettings};
