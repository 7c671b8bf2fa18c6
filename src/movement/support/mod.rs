//! Floors that carry walkers, and the plans of these walkers.

mod floors;
mod walk_plan;

pub(crate) use floors::conveyor_displacement;
pub(crate) use walk_plan::WalkPlan;
