//! The motion of a shape that moves and turns at constant speeds.

use bevy::math::{Affine2, Vec2};

use super::{
    shape::Shape,
    vectors::{rotation_about, unit_vector},
};
use crate::aabb::{Aabb2d, grow, max_distance_from, swept};

/// How a shape came to where it is: by a translation, or along an arc about the one point that the
/// motion leaves in place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RigidMotion {
    /// The shape's center after the motion.
    pub center: Vec2,
    /// The displacement of the center, in world units.
    pub delta: Vec2,
    /// By how much it turned, in radians, counter-clockwise: by the smaller angle.
    pub turn: f32,
}

/// A smaller turn is rounding, in radians.
const MIN_TURN: f32 = 1e-6;

impl RigidMotion {
    pub const ZERO: Self = Self {
        center: Vec2::ZERO,
        delta: Vec2::ZERO,
        turn: 0.0,
    };

    /// The motion of a shape whose frame was moved. Mirroring and scaling do not count.
    pub fn between(local: &Shape, from: &Affine2, to: &Affine2) -> Self {
        let [before, now] = [from, to].map(|pose| local.transformed(pose).center());
        let [was, is] = [from, to].map(|pose| pose.matrix2);
        let turn = libm::atan2f(was.x_axis.perp_dot(is.x_axis), was.x_axis.dot(is.x_axis));
        let is_turn = turn.abs() >= MIN_TURN
            && was.determinant() * is.determinant() > 0.0
            && !matches!(local, Shape::Circle { .. });
        Self {
            center: now,
            delta: now - before,
            turn: if is_turn { turn } else { 0.0 },
        }
    }

    /// The motion from one fraction of it to another one.
    pub fn during(&self, [from, to]: [f32; 2]) -> Self {
        let rest = self.rest(to);
        Self {
            center: self.center - rest,
            delta: self.rest(from) - rest,
            turn: self.turn * (to - from),
        }
    }

    /// The displacement of the center from a fraction of the motion to its end, in world units.
    fn rest(&self, fraction: f32) -> Vec2 {
        let left = 1.0 - fraction;
        if self.turn == 0.0 {
            return self.delta * left;
        }
        // A chord of an arc is as long as the sine of half of its angle.
        let half = self.turn / 2.0;
        let length = libm::sinf(half * left) / libm::sinf(half);
        unit_vector(half * fraction).rotate(self.delta) * length
    }

    /// The shape, or a piece of it, before the motion, given that after it.
    pub fn before(&self, after: &Shape) -> Shape {
        self.at(after, 0.0)
    }

    /// The shape, or a piece of it, at a fraction of the motion, given that after it.
    pub fn at(&self, after: &Shape, fraction: f32) -> Shape {
        if self.turn == 0.0 {
            return after.translated(-self.rest(fraction));
        }
        let turn = rotation_about(self.center, self.turn * (fraction - 1.0));
        after.transformed(&(Affine2::from_translation(-self.rest(fraction)) * turn))
    }

    /// The displacement of a point of the shape, given where it is after the motion.
    pub fn delta_at(&self, point: Vec2) -> Vec2 {
        if self.turn == 0.0 {
            return self.delta;
        }
        let arm = point - self.center;
        self.delta + arm - unit_vector(-self.turn).rotate(arm)
    }

    /// The displacement of a point of the shape, given where it was.
    pub fn delta_of(&self, point: Vec2) -> Vec2 {
        let arm = point - (self.center - self.delta);
        self.delta + unit_vector(self.turn).rotate(arm) - arm
    }

    /// A bound on how far the shape gets from the path of its translation alone, in world units,
    /// given a bound on the distance of its points from its center.
    pub fn max_deviation(&self, radius: f32) -> f32 {
        self.turn.abs() * (radius + self.delta.length())
    }

    /// The box around all points of the shape, after the motion, that were in an area or passed it.
    pub fn swept(&self, area: &Aabb2d) -> Aabb2d {
        let straight = swept(area, self.delta);
        if self.turn == 0.0 {
            return straight;
        }
        let radius = max_distance_from(self.center, &straight);
        grow(&straight, self.max_deviation(radius))
    }

    pub fn is_any(&self) -> bool {
        self.delta != Vec2::ZERO || self.turn != 0.0
    }

    pub fn is_finite(&self) -> bool {
        self.delta.is_finite() && self.turn.is_finite()
    }
}
