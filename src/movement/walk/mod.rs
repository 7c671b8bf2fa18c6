//! The response of walkers: floors, walls and ceilings, steps, and the snap to the floor.

mod steps;
mod surfaces;
mod walking;

pub(crate) use walking::Walking;
