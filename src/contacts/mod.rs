//! Narrow phase: the pairs that overlap, what changed about them, and why two entities do not
//! collide.

mod collider_lookup;
mod colliding_pair;
mod collisions;
mod end_reason;
mod explain;
mod pair_bucket;
mod pair_changes;
mod pair_store;
mod resource;
mod rules;
mod update;
mod views;

pub use colliding_pair::CollidingPair;
pub use collisions::Collisions;
pub use explain::{Absence, Blocking, Explanation, Verdict, Walkable};
pub(crate) use resource::Contacts;
pub(crate) use update::update_contacts;
