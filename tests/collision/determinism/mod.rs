//! The same bits in every build, on any number of threads, after a rollback, and in any order of
//! spawning.

mod crowd_order;
mod recorded;
mod replay;
mod rollback;
mod spawn_order;
mod walkers;
