//! Entities that the plugin moves, and that solid colliders block.
//!
//! The files in the order in which they build on each other: `tolerances` and `world_order`; what
//! moves (`walk_rules`, `motion`, `lookahead`) and among what (`one_way`, `obstacles`); the stages
//! of a move (`sweep`, `planes`, `respond`, `hits`, `crush_site`, `depenetrate`), those of a walker
//! (`slide`, `footing`, `steps`, `walk`), and the move itself (`move_and_slide`, after `push`); the
//! plan of one mover (`move_plan`, `riders`, `ride`, `planner`), and those of all (`plan_numbers`,
//! `swaps`, `crowd`, `plan`, `commit`).

mod commit;
mod crowd;
mod crush_site;
mod depenetrate;
mod footing;
mod hits;
mod lookahead;
mod motion;
mod move_and_slide;
mod move_plan;
mod obstacles;
mod one_way;
mod plan;
mod plan_numbers;
mod planes;
mod planner;
mod push;
mod respond;
mod ride;
mod riders;
mod slide;
mod steps;
mod swaps;
mod sweep;
mod tolerances;
mod walk;
mod walk_rules;
mod world;
mod world_order;

#[cfg(test)]
mod tests;

pub(crate) use commit::{carry_colliders, commit_moves};
pub(crate) use motion::{Motion, Trajectory};
pub(crate) use move_and_slide::move_and_slide;
pub(crate) use obstacles::Blockers;
pub(crate) use plan::{MovePlans, plan_moves};
pub(crate) use slide::SlideBuffers;
pub(crate) use walk_rules::WalkRules;
