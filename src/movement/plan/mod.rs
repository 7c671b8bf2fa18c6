//! The plans of an update: of one mover, of all, and of those that would change places.

mod plan_world;
mod planner;
mod plans;
mod pushing;
mod swaps;

pub(crate) use plans::{MovePlans, plan_moves};
