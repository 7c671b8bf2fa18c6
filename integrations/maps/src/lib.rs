//! What the crates for maps have in common.
//!
#![doc = include_str!("../README.md")]

mod error;
mod persistent;
mod properties;
mod settings;
mod stuck;
mod value;

pub use error::{MapError, MapLocation, cell_count, merge, misfit};
pub use persistent::{MapPersistent, transform_in_world};
pub use properties::{MapProperties, MapPropertyError};
pub use settings::{MapMisfit, MapSetting, settings};
pub use stuck::{StuckMover, stuck_movers};
pub use value::{MapValue, MapValueKind};
