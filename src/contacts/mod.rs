//! Narrow phase: the pairs that overlap, what changed about them, and why two entities do not
//! collide.

mod collider_lookup;
mod collisions;
mod drop_ignores;
mod end_reason;
mod explainer;
mod explanation;
mod pair_bucket;
mod pair_changes;
mod pair_lookup;
mod update;

pub use collisions::Collisions;
pub(crate) use drop_ignores::drop_ignores;
pub use explanation::Explanation;
pub(crate) use pair_lookup::PairLookup;
pub(crate) use update::update_contacts;
