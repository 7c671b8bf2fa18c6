//! The frame of a shape that is described in coordinates of its own.

use bevy::math::{Affine2, DVec2, Mat2, Rot2, Vec2, Vec2Swizzles};

use super::{
    tolerances::FLAT_ASPECT,
    vectors::{direction_and_length, rotation_of_axes},
};
use crate::aabb::{Aabb2d, center, half_size};

/// An axis that is scaled to nothing keeps this length, so that the other one can be derived from
/// it.
const SHORTEST_AXIS: f32 = 1e-18;
/// Axes whose lengths differ by less than this fraction count as equally long: it is rounding.
const UNIFORM_SCALE_TOLERANCE: f32 = 1e-6;

/// Position, rotation and scale of a shape that is described in a frame of its own. The frame may
/// be mirrored, but not sheared.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The position of the frame's origin, in world units.
    pub center: Vec2,
    x_axis: Vec2,
    /// The length of the y axis, as a multiple of that of the x axis. Negative if it is mirrored.
    aspect: f32,
}

impl Placement {
    /// A frame at `center` that is neither rotated nor scaled.
    pub const fn at(center: Vec2) -> Self {
        Self {
            center,
            x_axis: Vec2::X,
            aspect: 1.0,
        }
    }

    /// The transform from the frame to the world.
    pub fn pose(&self) -> Affine2 {
        Affine2 {
            matrix2: Mat2::from_cols(self.x_axis, self.y_axis()),
            translation: self.center,
        }
    }

    /// The frame's x axis in the world, with its scale as the length.
    pub fn x_axis(&self) -> Vec2 {
        self.x_axis
    }

    /// The frame's y axis in the world, with its scale as the length.
    pub fn y_axis(&self) -> Vec2 {
        self.x_axis.perp() * self.aspect
    }

    /// The same frame with its origin elsewhere in the world.
    pub(super) const fn moved_to(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// Whether the frame is mirrored, so that counter-clockwise in it is clockwise in the world.
    pub fn is_mirrored(&self) -> bool {
        self.aspect < 0.0
    }

    /// The counter-clockwise rotation (with y up) of the frame's x axis.
    pub fn rotation(&self) -> Rot2 {
        rotation_of_axes(self.x_axis, Vec2::ZERO)
    }

    /// The lengths of both axes, neither negative.
    pub fn scale(&self) -> Vec2 {
        let length = self.x_axis.length();
        Vec2::new(length, length * self.aspect.abs())
    }

    /// Returns [`rotation`](Self::rotation) and [`scale`](Self::scale) together, which is faster.
    #[inline]
    pub(super) fn rotation_and_scale(&self) -> (Rot2, Vec2) {
        if self.is_translation() {
            (Rot2::IDENTITY, Vec2::ONE)
        } else {
            (self.rotation(), self.scale())
        }
    }

    /// Whether the frame is neither rotated nor scaled nor mirrored, as most frames of grids are.
    #[inline]
    fn is_translation(&self) -> bool {
        self.x_axis == Vec2::X && self.aspect == 1.0
    }

    /// Whether one axis is scaled to nothing, compared with the other one.
    pub(super) fn is_flat(&self) -> bool {
        !(FLAT_ASPECT..1.0 / FLAT_ASPECT).contains(&self.aspect.abs())
    }

    /// Transforms a point from the frame to the world.
    #[inline]
    pub fn transform_point(&self, point: Vec2) -> Vec2 {
        self.center + self.transform_vector(point)
    }

    /// Transforms a vector from the frame to the world.
    #[inline]
    pub fn transform_vector(&self, vector: Vec2) -> Vec2 {
        self.x_axis * vector.x + self.y_axis() * vector.y
    }

    /// Transforms a point from the world to the frame. Not finite where the frame has a scale of
    /// zero.
    pub fn inverse_transform_point(&self, point: Vec2) -> Vec2 {
        self.inverse_transform_vector(point - self.center)
    }

    /// Transforms a vector from the world to the frame. Not finite where the frame has a scale of
    /// zero.
    pub fn inverse_transform_vector(&self, vector: Vec2) -> Vec2 {
        let along = Vec2::new(vector.dot(self.x_axis), self.x_axis.perp_dot(vector));
        self.unscaled(along)
    }

    /// Transforms a vector from the world to the frame in double precision.
    pub(super) fn inverse_transform_dvector(&self, vector: DVec2) -> DVec2 {
        let x_axis = self.x_axis.as_dvec2();
        let along = DVec2::new(vector.dot(x_axis), x_axis.perp_dot(vector));
        along / x_axis.length_squared() / DVec2::new(1.0, self.aspect.into())
    }

    /// A vector of the frame from its dot products with the axes, as if the y axis were as long as
    /// the x axis.
    #[inline]
    fn unscaled(&self, along: Vec2) -> Vec2 {
        along / self.x_axis.length_squared() / Vec2::new(1.0, self.aspect)
    }

    /// Transforms a surface normal from the frame to the world, given the frame's rotation. The
    /// result has unit length.
    pub(super) fn transform_normal(&self, normal: Vec2, Rot2 { cos, sin }: Rot2) -> Vec2 {
        let scaled = if (self.aspect.abs() - 1.0).abs() < UNIFORM_SCALE_TOLERANCE {
            normal * Vec2::new(1.0, 1f32.copysign(self.aspect))
        } else {
            // A shape that is scaled to nothing has only this normal.
            let scaled = normal * Vec2::new(self.aspect.abs(), 1f32.copysign(self.aspect));
            direction_and_length(scaled).map_or(normal, |(direction, _)| direction)
        };
        Vec2::new(cos, sin) * scaled.x + Vec2::new(-sin, cos) * scaled.y
    }

    /// Returns half of the size of the bounding box, in the world, of a box around the frame's
    /// origin.
    // Out of line: few shapes need it, and the code that all colliders run has to stay short.
    #[inline(never)]
    pub(super) fn transform_half_size(&self, half_size: Vec2) -> Vec2 {
        self.x_axis.abs() * half_size.x + self.y_axis().abs() * half_size.y
    }

    /// Returns the bounding box, in the world, of a box in the frame. It contains each transformed
    /// point of that box even after rounding: [`transform_point`](Self::transform_point) takes the
    /// same steps, and no step changes the order of two numbers.
    #[inline]
    pub(super) fn transform_aabb(&self, Aabb2d { min, max }: &Aabb2d) -> Aabb2d {
        let (x_axis, y_axis) = (self.x_axis, self.y_axis());
        let (left, right) = (x_axis * min.x, x_axis * max.x);
        let (low, high) = (y_axis * min.y, y_axis * max.y);
        Aabb2d {
            min: self.center + (left.min(right) + low.min(high)),
            max: self.center + (left.max(right) + low.max(high)),
        }
    }

    /// Returns a box in the frame that contains a box in the world. It may be infinite or NaN where
    /// the frame has a scale of zero.
    #[inline]
    pub(super) fn inverse_transform_aabb(&self, area: &Aabb2d) -> Aabb2d {
        if self.is_translation() {
            return Aabb2d {
                min: area.min - self.center,
                max: area.max - self.center,
            };
        }
        self.inverse_transform_aabb_with_axes(area)
    }

    /// Like [`inverse_transform_aabb`](Self::inverse_transform_aabb), for rotated or scaled frames.
    // Out of line: few grids are rotated.
    #[inline(never)]
    fn inverse_transform_aabb_with_axes(&self, area: &Aabb2d) -> Aabb2d {
        let center = self.inverse_transform_point(center(area));
        let (half, axis) = (half_size(area), self.x_axis.abs());
        let along = Vec2::new(half.dot(axis), half.dot(axis.yx()));
        let half = self.unscaled(along).abs();
        Aabb2d {
            min: center - half,
            max: center + half,
        }
    }

    /// Transforms the frame by `pose`. A shear only changes the x axis.
    // Out of line: few shapes need it.
    #[inline(never)]
    pub(super) fn transformed(&self, pose: &Affine2) -> Self {
        let x_axis = pose.matrix2 * self.x_axis;
        let y_axis = pose.matrix2 * self.y_axis();
        let direction = rotation_of_axes(x_axis, y_axis) * Vec2::X;
        let length = x_axis.length();
        // Not `max`, which would hide a NaN.
        let length = if length < SHORTEST_AXIS {
            SHORTEST_AXIS
        } else {
            length
        };
        let aspect = y_axis.length() / length;
        Self {
            center: pose.transform_point2(self.center),
            x_axis: direction * length,
            aspect: if x_axis.perp_dot(y_axis) < 0.0 {
                -aspect
            } else {
                aspect
            },
        }
    }
}
