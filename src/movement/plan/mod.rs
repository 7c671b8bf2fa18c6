//! The plans of an update: of one mover, of all, and of movers that would swap places.

mod compounds;
mod handing_on;
mod plan_world;
mod planner;
mod plans;
mod swaps;
mod system;

pub(crate) use compounds::compound;
pub(crate) use plans::MovePlans;
pub(crate) use system::plan_moves;
