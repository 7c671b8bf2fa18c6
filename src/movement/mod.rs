//! Entities that the plugin moves, and that solid colliders block.
//!
//! The stages of an update. Each is a folder that imports from those before it:
//!
//! - `body`: a mover's desired motion, and its plan.
//! - `obstacles`: what blocks a mover, near a position and ahead of it.
//! - `escape`: before its own motion, a mover turns, is pushed by walls that moved, and is
//!   depenetrated or crushed.
//! - `slide`: the mover moves from surface to surface, and responds to each.
//! - `walk`: how a walker responds.
//! - `support`: the floors that carry walkers.
//! - `crowd`: movers whose plans end in each other are separated.
//! - `plan`: plans one mover, and all on one snapshot; passes pushes and rides on.
//! - `commit`: all are moved together.
//!
//! `move_and_slide` moves one shape, for plans, crowds and queries.

mod body;
mod commit;
mod crowd;
mod escape;
mod half_planes;
mod move_and_slide;
mod neighbors;
mod obstacles;
mod plan;
mod slide;
mod support;
mod tolerances;
mod walk;
mod world;
mod world_order;

#[cfg(test)]
mod tests;

pub(crate) use body::{Motion, Trajectory, Walk, overlap_deeply};
pub(crate) use commit::{carry_colliders, commit_moves};
pub(crate) use move_and_slide::move_and_slide;
pub(crate) use obstacles::{Blockers, MoverStart, WHOLE_UPDATE};
pub(crate) use plan::{MovePlans, compound, plan_moves};
pub(crate) use slide::SlideBuffers;
pub(crate) use tolerances::MIN_SKIN_FRACTION;
