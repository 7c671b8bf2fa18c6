//! What the crates for maps have in common.
//!
#![doc = include_str!("../README.md")]

mod error;
mod persistent;
mod properties;
mod stuck;

pub use error::{MapError, MapLocation, merge};
pub use persistent::{MapPersistent, transform_in_world};
pub use properties::{MapPropertyError, MapValue, get, parse};
pub use stuck::{StuckMover, stuck_movers};
