//! Stopping at what blocks.

use super::Response;
use crate::movement::{
    body::Velocity,
    slide::{Slide, SweepHit},
};

/// Ends all motion.
pub(crate) struct Stop;

impl Response for Stop {
    fn velocity_after(&self, _: &Slide, _: &SweepHit) -> Velocity {
        Velocity::ZERO
    }
}
