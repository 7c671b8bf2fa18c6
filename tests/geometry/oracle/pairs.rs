//! Whether shapes overlap, how far they are apart, and how deep in each other.

use bevy::math::Vec2;
use bevy_thud::geometry::{contact, contains_point, separation};
use proptest::{option, prelude::*, sample::Index};

use super::test_shape::{TestShape, between, slop, test_shape, vector};
use crate::cases;

/// The second shape, moved so that it is about this far from the first, negative for overlap.
fn beside(a: &TestShape, b: &TestShape, distance: f64) -> TestShape {
    let now = separation(&a.shape, &b.shape);
    b.translated(now.normal * (distance as f32 - now.distance))
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn shapes_overlap_if_they_do_for_the_oracle(
        a in test_shape(),
        b in test_shape(),
        distance in option::of(between(-0.01, 0.01)),
    ) {
        let b = distance.map_or(b.clone(), |distance| beside(&a, &b, distance));
        let expected = a.reference.overlaps(&b.reference, slop(&[&a, &b]));
        let contacts = [contact(&a.shape, &b.shape), contact(&b.shape, &a.shape)];
        if let Some(expected) = expected {
            prop_assert_eq!(contacts.map(|contact| contact.is_some()), [expected; 2]);
        }
    }

    #[test]
    fn shapes_that_are_apart_are_as_far_apart_as_for_the_oracle(
        a in test_shape(),
        b in test_shape(),
        by in vector(40),
    ) {
        let b = b.translated(by);
        let slop = slop(&[&a, &b]);
        let expected = a.reference.distance(&b.reference);
        if let Some(expected) = expected.filter(|&distance| distance > slop) {
            let found = separation(&a.shape, &b.shape);
            let [p, q] = [found.point_a, found.point_b].map(|point| point.as_dvec2());
            for distance in [f64::from(found.distance), p.distance(q)] {
                let off = (distance - expected).abs();
                prop_assert!(off < 2.0 * slop, "{found:?} {expected}");
            }
            let off = [a.reference.distance_to_point(p), b.reference.distance_to_point(q)];
            let is_near = |off: &f64| off.abs() < 2.0 * slop;
            prop_assert!(off.iter().all(is_near), "{found:?} {off:?}");
            let along = (q - p).normalize().distance(found.normal.as_dvec2());
            // The contact point of an edge that is parallel except for 1e-5 rad is the center of
            // the edge. The normal is rounded, too.
            prop_assert!(along * expected < slop + 2e-5 * expected, "{found:?}");
        }
    }

    #[test]
    fn convex_shapes_are_as_deep_in_each_other_as_for_the_oracle(
        a in test_shape(),
        b in test_shape(),
    ) {
        let slop = slop(&[&a, &b]);
        let expected = a.reference.separation_of_convex(&b.reference);
        if let Some(expected) = expected.filter(|separation| separation.abs() > slop) {
            let found = f64::from(separation(&a.shape, &b.shape).distance);
            prop_assert!((found - expected).abs() < slop, "{found} {expected}");
        }
    }

    #[test]
    fn a_contact_separates_convex_shapes_for_the_oracle_too(a in test_shape(), b in test_shape()) {
        let are_convex = a.reference.separation_of_convex(&b.reference).is_some();
        if let Some(contact) = contact(&a.shape, &b.shape).filter(|_| are_convex) {
            let slop = slop(&[&a, &b]);
            let moved = b.translated(contact.normal * contact.depth);
            let overlaps = a.reference.overlaps(&moved.reference, slop);
            prop_assert_ne!(overlaps, Some(true), "{:?}", contact);
        }
    }

    /// Not convex ones either, of which it takes the deepest pieces apart.
    #[test]
    fn no_translation_shorter_than_the_depth_separates_shapes_for_the_oracle(
        a in test_shape(),
        b in test_shape(),
        angle in between(-3.15, 3.15),
        fraction in prop_oneof![Just(1.0), between(0.0, 1.0)],
    ) {
        if let Some(contact) = contact(&a.shape, &b.shape) {
            let slop = slop(&[&a, &b]);
            let length = fraction as f32 * contact.depth - 2.0 * slop as f32;
            let moved = b.translated(Vec2::from_angle(angle as f32) * length.max(0.0));
            let overlaps = a.reference.overlaps(&moved.reference, slop);
            prop_assert_ne!(overlaps, Some(false), "{:?}", contact);
        }
    }

    #[test]
    fn a_point_is_inside_if_it_is_for_the_oracle(
        a in test_shape(),
        (edge, along) in (any::<Index>(), between(0.0, 1.0)),
        offset in prop_oneof![between(-0.01, 0.01), between(-9.0, 9.0)],
    ) {
        let point = a.reference.point_beside_edge(edge, along, offset).as_vec2();
        let distance = a.reference.distance_to_point(point.as_dvec2());
        if distance.abs() > slop(&[&a]) {
            prop_assert_eq!(contains_point(&a.shape, point), distance < 0.0, "{}", distance);
        }
    }
}
