//! What depends on where a mover is on its way.

use bevy::math::{Vec2, bounding::BoundingVolume};

use super::trace::Motion;
use crate::geometry::{Shape, TOUCHING_SLOP};

/// Motion that comes less than this part of the skin nearer than the skin, or rounding, is not blocked: it is what rounding
/// leaves of a motion along a wall, where a side begins that is flush with the one before, or where it ends.
pub(super) const CREEP: f32 = 0.01;
/// A slide around something round is cut where the surface has gone away by this part of the mover's size, so that it turns by at most
/// some 0.05 radians at a time. More turns make a smoother way, and take longer.
const LEAVES_BEYOND: f32 = 0.001;
/// But at least, and at most, by these parts of the skin.
const LEAVES_WITHIN: [f32; 2] = [0.1, 0.9];

/// Where a mover is on its way.
pub(super) struct Spot {
    /// The mover there.
    pub shape: Shape,
    /// Relative to its start, in world units.
    pub position: Vec2,
    /// What of a motion into a surface is rounding there, in world units.
    pub creep: f32,
    /// How far from a surface a mover stays that follows it, in world units. It leaves it where that curves away, or is over.
    pub reach: f32,
}

impl Spot {
    pub fn of(motion: &Motion, position: Vec2) -> Self {
        let shape = motion.shape.translated(position);
        let creep = CREEP * motion.skin + TOUCHING_SLOP * shape.largest_coordinate();
        let [least, most] = LEAVES_WITHIN.map(|part| part * motion.skin);
        let away = LEAVES_BEYOND * shape.aabb().half_size().max_element();
        Self {
            shape,
            position,
            creep,
            reach: motion.skin + away.max(least).min(most) + creep,
        }
    }
}
