//! Entities that the plugin moves, and that solid colliders block.
//!
//! The stages of an update, each in a folder, which imports from those before it:
//!
//! - `body`: what a mover wants, and its plan.
//! - `obstacles`: what blocks it, near a position and ahead of it.
//! - `escape`: it turns, walls that moved push it, and it is depenetrated or crushed.
//! - `slide`: it moves from surface to surface, and responds to each.
//! - `walk`: how a walker responds.
//! - `support`: the floors that carry walkers.
//! - `crowd`: movers whose plans end in each other are separated.
//! - `plan`: the plan of one mover, and of all, on one snapshot; pushes and rides are handed on.
//! - `commit`: all are moved together.
//!
//! `move_and_slide` is the move of one shape, for plans, crowds and queries.

mod body;
mod commit;
mod crowd;
mod escape;
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
pub(crate) use obstacles::Blockers;
pub(crate) use plan::{MovePlans, plan_moves};
pub(crate) use slide::SlideBuffers;
