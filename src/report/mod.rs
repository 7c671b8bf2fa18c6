//! Reports the pending events: messages, observers, and the lists of [`CollidingEntities`].
//!
//! [`CollidingEntities`]: crate::CollidingEntities

mod colliding_entities;
mod messages;
mod triggers;

pub(crate) use colliding_entities::update_colliding_entities;
pub(crate) use messages::write_messages;
pub(crate) use triggers::trigger_observers;
