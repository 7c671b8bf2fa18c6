//! Functions on vectors, rotations and sizes that give the same result for all finite input.

use bevy::math::{Affine2, DVec2, Mat2, Rot2, Vec2};

use crate::aabb::Aabb2d;

/// Returns the direction and the length of a vector, even if its square under- or overflows, or
/// `None` for a zero vector.
#[inline]
pub(super) fn direction_and_length(vector: Vec2) -> Option<(Vec2, f32)> {
    let square = vector.length_squared();
    if square > f32::MIN_POSITIVE && square < f32::MAX {
        let length = square.sqrt();
        return Some((vector / length, length));
    }
    let scale = vector.abs().max_element();
    if !(scale > 0.0) {
        return None;
    }
    let scaled = vector / scale;
    let length = scaled.length();
    Some((scaled / length, length * scale))
}

/// The unit vector at an angle in radians from the x axis, the same on every platform.
pub(crate) fn unit_vector(angle: f32) -> Vec2 {
    let (sin, cos) = libm::sincosf(angle);
    Vec2::new(cos, sin)
}

/// A rotation about a point, counter-clockwise by an angle in radians, the same on every platform.
pub(crate) fn rotation_about(point: Vec2, angle: f32) -> Affine2 {
    let x_axis = unit_vector(angle);
    let rotation = Affine2::from_mat2(Mat2::from_cols(x_axis, x_axis.perp()));
    Affine2::from_translation(point) * rotation * Affine2::from_translation(-point)
}

/// Rotates a vector in double precision.
pub(super) fn rotate(rotation: Rot2, vector: DVec2) -> DVec2 {
    let (sin, cos) = (f64::from(rotation.sin), f64::from(rotation.cos));
    DVec2::new(
        vector.x * cos - vector.y * sin,
        vector.x * sin + vector.y * cos,
    )
}

/// Returns the rotation of a frame with these axes: that of its x axis, or of its y axis where the
/// x axis has no length.
pub(super) fn rotation_of_axes(x_axis: Vec2, y_axis: Vec2) -> Rot2 {
    let along_x = direction_and_length(x_axis)
        .map(|(direction, _)| direction)
        .or_else(|| direction_and_length(y_axis).map(|(direction, _)| -direction.perp()))
        .unwrap_or(Vec2::X);
    Rot2 {
        cos: along_x.x,
        sin: along_x.y,
    }
}

/// Returns zero for a negative size, and for minus zero. Unlike `max(0.0)` it keeps NaN, so that it
/// is found and reported later.
pub(super) fn not_negative(size: f32) -> f32 {
    if size <= 0.0 { 0.0 } else { size }
}

/// Returns the bounding box of some points.
pub(super) fn bounding_box(points: impl Iterator<Item = Vec2>) -> Aabb2d {
    let (min, max) = points.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), point| {
        (min.min(point), max.max(point))
    });
    // A literal, because the constructor asserts that its input is finite.
    Aabb2d { min, max }
}
