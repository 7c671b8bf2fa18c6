//! The nearest point in half-planes, against other points in them.

use bevy::math::Vec2;
use proptest::prelude::*;

use crate::movement::half_planes::{HalfPlane, nearest_within};

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
