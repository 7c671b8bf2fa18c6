//! World transforms as 2D shapes see them.

use bevy::math::{Affine2, Affine3A, Quat, Vec2, Vec3};

/// The part of a world transform that affects 2D shapes: x and y of its axes and its translation.
pub(crate) fn world_pose(affine: &Affine3A) -> Affine2 {
    Affine2::from_cols(
        affine.x_axis.truncate(),
        affine.y_axis.truncate(),
        affine.translation.truncate(),
    )
}

/// The [`world_pose`] of an affine with this scale, rotation and translation, in half the time.
#[inline]
pub(crate) fn pose_from_scale_rotation_translation(
    scale: Vec3,
    rotation: Quat,
    translation: Vec3,
) -> Affine2 {
    let [x, y, z, w] = rotation.to_array();
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let x_axis = Vec2::new(1.0 - (y * y2 + z * z2), x * y2 + w * z2);
    let y_axis = Vec2::new(x * y2 - w * z2, 1.0 - (x * x2 + z * z2));
    Affine2::from_cols(x_axis * scale.x, y_axis * scale.y, translation.truncate())
}
