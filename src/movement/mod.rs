//! Entities that the plugin moves, and that solid colliders stop.

mod commit;
mod first_impact;
mod follow;
mod hits;
mod lookahead;
mod meet;
mod nearby_walls;
mod neighbors;
mod one_way;
mod plan;
mod pressing;
mod push;
mod recover;
mod relax;
mod seams;
mod separate;
mod spans;
mod spot;
mod surroundings;
mod trace;
mod world_order;

#[cfg(test)]
mod tests;

pub(crate) use commit::{carry_colliders, commit_moves};
pub(crate) use plan::{MovePlans, plan_moves};
pub(crate) use trace::{Motion, Tracer};
