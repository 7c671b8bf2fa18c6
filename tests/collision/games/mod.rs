//! Whole games, played for minutes and hours.

pub mod firewheel;
mod soak;
