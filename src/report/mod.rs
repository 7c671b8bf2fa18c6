//! Reports the pending events: messages, observers, and the lists of [`CollidingEntities`].
//!
//! [`CollidingEntities`]: crate::CollidingEntities

mod colliding_entities;
mod hits;
mod messages;
mod start_log;
#[cfg(test)]
mod tests;
mod triggers;

pub(crate) use colliding_entities::update_colliding_entities;
pub use hits::{Hit, HitIter, Hits};
pub(crate) use messages::write_messages;
pub(crate) use start_log::{LogSource, StartLog};
pub(crate) use triggers::trigger_observers;
