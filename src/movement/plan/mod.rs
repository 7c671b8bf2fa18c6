//! The plans of an update: of one mover, of all, and of movers that would swap places.

mod blockers;
mod compounds;
mod handing_on;
mod planner;
mod plans;
mod surfaces;
mod swaps;
mod system;

pub(crate) use compounds::compound;
pub(crate) use plans::MovePlans;
pub(crate) use system::plan_moves;
