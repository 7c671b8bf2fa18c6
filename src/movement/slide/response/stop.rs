//! Stopping at what blocks.

use bevy::math::Vec2;

use super::Response;
use crate::movement::{body::Velocity, slide::Slide};

/// Ends all motion.
pub(crate) struct Stop;

impl Response for Stop {
    fn velocity_after(&self, _: &Slide, _: Vec2) -> Velocity {
        Velocity::ZERO
    }
}
