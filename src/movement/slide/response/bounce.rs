//! Bouncing off what blocks.

use bevy::math::Vec2;

use super::Response;
use crate::{
    geometry::bounce_off,
    movement::{body::Velocity, obstacles::Blocks, slide::Slide},
};

/// Reflects the velocity.
pub(crate) struct Bounce;

impl Response for Bounce {
    fn velocity_after<B: Blocks>(&self, slide: &Slide<B>, normal: Vec2) -> Velocity {
        let restitution = slide.motion.restitution;
        (slide.state.velocity).map(|vector| bounce_off(vector, normal, restitution))
    }
}
