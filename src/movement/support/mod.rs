//! What carries whom: floors, those who stand on them, and what they make of it.

mod floors;
mod riders;
mod walk_plan;

pub(crate) use floors::RiddenFloor;
pub(crate) use riders::{Rider, Riders};
pub(crate) use walk_plan::WalkPlan;
