//! Bouncing off what blocks.

use bevy::math::Vec2;

use super::Response;
use crate::{
    geometry::bounce_off,
    movement::{
        body::Velocity,
        slide::{Slide, SweepHit},
    },
};

/// Reflects the velocity, relative to that of the surface.
pub(crate) struct Bounce;

impl Response for Bounce {
    fn velocity_after(&self, slide: &Slide, hit: &SweepHit) -> Velocity {
        let (motion, velocity) = (&slide.motion, slide.state.velocity);
        let (normal, restitution) = (hit.cast.normal, motion.restitution);
        let surface = slide.surface_displacement(hit);
        if surface == Vec2::ZERO {
            return velocity.map(|vector| bounce_off(vector, normal, restitution));
        }
        let bounce = |vector: Vec2, by: Vec2| by + bounce_off(vector - by, normal, restitution);
        let per_update = bounce(velocity.per_update, surface);
        Velocity {
            // The wall is at its end already. What still follows it waits for the next update.
            per_update: if per_update.dot(normal) < 0.0 {
                Vec2::ZERO
            } else {
                per_update
            },
            per_second: bounce(velocity.per_second, surface / motion.seconds),
        }
        .finite()
    }
}
