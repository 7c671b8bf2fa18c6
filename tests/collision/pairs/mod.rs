//! Which colliders collide, where they are, and which pairs overlap now.

mod collisions_param;
mod crossings;
mod hidden;
mod ignores;
mod layers;
mod named_layers;
mod primitives;
mod swept;
mod transforms;
