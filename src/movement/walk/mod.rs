//! The response of walkers: floors, walls and ceilings, steps, and the snap to the floor. What a
//! floor is, says [`WalkRules::is_floor`](super::body::WalkRules::is_floor).

mod corners;
mod steps;
mod surfaces;
mod walking;

pub(crate) use walking::Walking;
