//! Floors that carry walkers, and the plans of these walkers.

mod floors;
mod riders;
mod walk_plan;

pub(crate) use floors::RiddenFloor;
pub(crate) use riders::{Rider, Riders};
pub(crate) use walk_plan::WalkPlan;
