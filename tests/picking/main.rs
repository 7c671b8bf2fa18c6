//! Which colliders pointers are over: with windows and cameras as Bevy describes them, but without anything that is drawn.

mod cameras;
mod common;
mod events;
mod order;
mod selection;
