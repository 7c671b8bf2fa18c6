//! The point nearest to another one in an intersection of half-planes.

use bevy::math::Vec2;
use smallvec::SmallVec;

use super::tolerances::HALF_PLANE_SLOP;

/// The points up to a distance from the origin in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfPlane {
    /// Outward, unit length.
    pub normal: Vec2,
    /// In world units.
    pub max_distance: f32,
}

/// A few half-planes, without allocation.
pub(crate) type HalfPlanes = SmallVec<[HalfPlane; 4]>;

impl HalfPlane {
    pub fn contains(&self, point: Vec2) -> bool {
        let slop = HALF_PLANE_SLOP * (point.length() + self.max_distance.abs());
        point.dot(self.normal) <= self.max_distance + slop
    }

    /// The point on the boundary that is nearest to `point`.
    fn projection_of(&self, point: Vec2) -> Vec2 {
        point - self.normal * (point.dot(self.normal) - self.max_distance)
    }

    /// The point on both boundaries: not finite if they are parallel.
    fn intersection(&self, other: &Self) -> Vec2 {
        let along = other.normal * self.max_distance - self.normal * other.max_distance;
        -along.perp() / self.normal.perp_dot(other.normal)
    }
}

/// The point in all half-planes that is nearest to `point`, or the origin if they have none in
/// common. It is `point`, or on the boundary of one half-plane or of two.
pub(crate) fn nearest_within(point: Vec2, half_planes: &[HalfPlane]) -> Vec2 {
    let on_one = half_planes.iter().map(|plane| plane.projection_of(point));
    let on_two = (half_planes.iter().enumerate()).flat_map(|(number, plane)| {
        let others = half_planes[..number].iter();
        others.map(|other| plane.intersection(other))
    });
    let distance = |candidate: &Vec2| candidate.distance_squared(point);
    std::iter::once(point)
        .chain(on_one)
        .chain(on_two)
        .filter(|candidate| candidate.is_finite())
        .filter(|candidate| half_planes.iter().all(|plane| plane.contains(*candidate)))
        .min_by(|p, q| distance(p).total_cmp(&distance(q)))
        .unwrap_or_default()
}
