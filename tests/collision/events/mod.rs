//! Collision events: when a pair starts and ends, why, in which order, and who receives it.

mod end_reasons;
mod hits;
mod observers;
mod starts_and_ends;
mod things;
