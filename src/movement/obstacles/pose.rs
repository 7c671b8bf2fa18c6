//! A mover at one position of its path, and how far its move has come.

use bevy::math::Vec2;

use super::lookahead::Lookahead;
use crate::{
    aabb::half_size,
    geometry::{Shape, TOUCHING_SLOP},
    movement::{
        body::{Motion, Velocity},
        tolerances::{SLOP_SKINS, SURFACE_RECESSION, SURFACE_RECESSION_SKINS},
    },
};

/// A mover at one position of its path.
pub(crate) struct MoverPose {
    /// The shape at that position.
    pub shape: Shape,
    /// Relative to its start, in world units.
    pub position: Vec2,
    /// Motion into a surface by less than this is rounding, in world units.
    pub slop: f32,
    /// A slide stays in contact with surfaces nearer than this, in world units. It loses contact
    /// where a surface curves away or ends.
    pub contact_distance: f32,
}

impl MoverPose {
    pub fn new(motion: &Motion, position: Vec2) -> Self {
        let shape = motion.shape.translated(position);
        let slop = SLOP_SKINS * motion.skin + TOUCHING_SLOP * shape.largest_coordinate();
        let [least, most] = SURFACE_RECESSION_SKINS.map(|skins| skins * motion.skin);
        let recession = SURFACE_RECESSION * half_size(&shape.aabb()).max_element();
        Self {
            shape,
            position,
            slop,
            contact_distance: motion.skin + recession.max(least).min(most) + slop,
        }
    }
}

/// How far a move has come.
pub(crate) struct SlideState {
    /// Relative to the start, in world units.
    pub position: Vec2,
    /// The fraction of the update that is over.
    fraction: f64,
    pub velocity: Velocity,
    /// How far ahead obstacles are searched.
    pub lookahead: Lookahead,
}

impl SlideState {
    pub fn at_start(motion: &Motion) -> Self {
        Self {
            position: Vec2::ZERO,
            fraction: 0.0,
            velocity: motion.desired,
            lookahead: Lookahead::of(motion.shape, motion.skin),
        }
    }

    /// The fraction of the update that is over.
    pub fn fraction(&self) -> f32 {
        self.fraction as f32
    }

    /// The displacement that is left if nothing is in the path, in world units.
    pub fn remaining_displacement(&self, motion: &Motion) -> Vec2 {
        let fraction = f64::from(motion.max_fraction) - self.fraction;
        (self.velocity.per_update.as_dvec2() * fraction).as_vec2()
    }

    /// Moves to a position in the time that `distance` (world units) takes at the current speed.
    pub fn step_to(&mut self, position: Vec2, distance: f32, motion: &Motion) {
        let speed = self.velocity.per_update.length().max(f32::MIN_POSITIVE);
        let fraction = self.fraction + f64::from(distance / speed);
        self.position = position;
        self.fraction = fraction.min(motion.max_fraction.into());
    }

    /// Advances by a fraction of the remaining displacement.
    pub fn advance(&mut self, fraction: f64, motion: &Motion) {
        let remaining = self.remaining_displacement(motion).as_dvec2();
        self.position += (remaining * fraction).as_vec2();
        self.lookahead.advance(remaining.length() * fraction);
        self.fraction += (f64::from(motion.max_fraction) - self.fraction) * fraction;
    }
}
