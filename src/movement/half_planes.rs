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
    fn contains(&self, point: Vec2) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// On a lattice, or anywhere.
    fn any_vector() -> impl Strategy<Value = Vec2> {
        let on_lattice = (-4i8..=4, -4i8..=4).prop_map(|(x, y)| Vec2::new(x.into(), y.into()));
        let anywhere = (-4.0f32..4.0, -4.0f32..4.0).prop_map(Vec2::from);
        prop_oneof![on_lattice, anywhere]
    }

    fn any_half_plane() -> impl Strategy<Value = HalfPlane> {
        let normal = any_vector().prop_filter("a direction", |vector| vector.length() > 0.1);
        (normal, 0.0f32..4.0).prop_map(|(normal, max_distance)| HalfPlane {
            normal: normal.normalize(),
            max_distance,
        })
    }

    proptest! {
        /// Against points around the result, and on the way to it.
        #[test]
        fn no_other_point_in_the_half_planes_is_nearer(
            point in any_vector(),
            half_planes in prop::collection::vec(any_half_plane(), 0..5),
            other in any_vector(),
        ) {
            let nearest = nearest_within(point, &half_planes);
            let is_inside = |point: Vec2| half_planes.iter().all(|plane| plane.contains(point));
            prop_assert!(is_inside(nearest), "{nearest}");
            for part in [1.0f32, 0.1, 0.01] {
                for candidate in [other * part, nearest + other * part, nearest.lerp(point, part)] {
                    let strictly = half_planes
                        .iter()
                        .all(|plane| candidate.dot(plane.normal) <= plane.max_distance);
                    let is_nearer = candidate.distance(point) < nearest.distance(point) - 1e-3;
                    prop_assert!(!(strictly && is_nearer), "{candidate} instead of {nearest}");
                }
            }
        }
    }

    #[test]
    fn half_planes_that_have_no_point_in_common_leave_the_origin() {
        let opposite = [Vec2::X, Vec2::NEG_X].map(|normal| HalfPlane {
            normal,
            max_distance: -1.0,
        });
        assert_eq!(nearest_within(Vec2::ONE, &opposite), Vec2::ZERO);
    }
}
