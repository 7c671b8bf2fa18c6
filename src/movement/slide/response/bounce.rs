//! Bouncing off what blocks.

use bevy::math::Vec2;

use super::Response;
use crate::{
    geometry::bounce_off,
    movement::{body::Velocity, slide::Slide},
};

/// Reflects the velocity.
pub(crate) struct Bounce;

impl Response for Bounce {
    fn velocity_after(&self, slide: &Slide, normal: Vec2) -> Velocity {
        let restitution = slide.motion.restitution;
        (slide.state.velocity).map(|vector| bounce_off(vector, normal, restitution))
    }
}
