//! A mover: its desired motion, how it walks, its plan and its path.

mod crusher;
mod footing;
mod motion;
mod move_plan;
mod plan_numbers;
mod riders;
mod size;
mod trajectory;
mod walk_rules;

pub(crate) use crusher::{CrushSite, Crusher};
pub(crate) use footing::Footing;
pub(crate) use motion::{Motion, Velocity, component_along};
pub(crate) use move_plan::{AmongBodies, Course, MoveInput, MovePlan};
pub(crate) use plan_numbers::PlanNumbers;
pub(crate) use riders::{RiddenFloor, Riders};
pub(crate) use size::{deep_overlap, overlap_deeply, size_of};
pub(crate) use trajectory::{MoveEnd, Trajectory};
pub(crate) use walk_rules::{Walk, WalkRules};
