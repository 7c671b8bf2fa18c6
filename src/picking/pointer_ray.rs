use bevy::prelude::*;

use crate::broad_phase::Sweep;

/// Where a pointer points, from the near plane of a camera to the far one.
pub(super) struct PointerRay {
    ray: Ray3d,
    /// Until the far plane, in world units.
    length: f32,
}

impl PointerRay {
    /// That of a ray which starts at the near plane.
    pub fn new(ray: Ray3d, projection: &Projection, camera: &GlobalTransform) -> Self {
        let back = Vec3::from(camera.affine().matrix3.z_axis);
        let depth = |way: Vec3| -way.dot(back) / back.length_squared();
        let start = depth(ray.origin - camera.translation());
        Self {
            ray,
            length: (projection.far() - start) / depth(*ray.direction),
        }
    }

    /// The same on the plane of the colliders.
    pub fn sweep(&self) -> Sweep {
        let Ray3d { origin, direction } = self.ray;
        Sweep::of_point(origin.truncate(), direction.truncate(), self.length)
    }

    /// The point at which it comes to a height, with the distance until there; none, if it does not.
    pub fn hit_plane_z(&self, z: f32) -> Option<(f32, Vec3)> {
        let Ray3d { origin, direction } = self.ray;
        let distance = (z - origin.z) / direction.z;
        let point = self.ray.get_point(distance).with_z(z);
        (0.0..=self.length)
            .contains(&distance)
            .then_some((distance, point))
    }
}
