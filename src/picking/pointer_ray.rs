//! The ray of a pointer.

use bevy::prelude::*;

use crate::broad_phase::Sweep;

/// The ray of a pointer, from the near plane of a camera to the far plane.
pub(super) struct PointerRay {
    ray: Ray3d,
    /// The distance to the far plane, in world units.
    length: f32,
}

impl PointerRay {
    /// Limits a ray that starts at the near plane.
    pub fn new(ray: Ray3d, projection: &Projection, camera: &GlobalTransform) -> Self {
        let back = Vec3::from(camera.affine().matrix3.z_axis);
        let depth = |vector: Vec3| -vector.dot(back) / back.length_squared();
        let start = depth(ray.origin - camera.translation());
        Self {
            ray,
            length: (projection.far() - start) / depth(*ray.direction),
        }
    }

    /// The ray projected onto the plane of the colliders.
    pub fn sweep(&self) -> Sweep {
        let Ray3d { origin, direction } = self.ray;
        Sweep::of_point(origin.truncate(), direction.truncate(), self.length)
    }

    /// Returns the distance (world units) and the point at which the ray hits the plane of this z,
    /// or `None` if it does not.
    pub fn hit_plane_z(&self, z: f32) -> Option<(f32, Vec3)> {
        let Ray3d { origin, direction } = self.ray;
        let distance = (z - origin.z) / direction.z;
        let point = self.ray.get_point(distance).with_z(z);
        (0.0..=self.length)
            .contains(&distance)
            .then_some((distance, point))
    }
}
