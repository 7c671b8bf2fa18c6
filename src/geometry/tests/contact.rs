//! Contacts, against oracles and known cases.

use bevy::math::{Rot2, Vec2};
use proptest::prelude::*;

use super::{
    reference::{
        Outline, SeparatingTranslation, only_separating_translation, shared_area, signed_distance,
    },
    shapes::{
        between, carried, cases, circle, four_ulp, mirrored, pair, rect, thickness, touching_pair,
        turn, vector,
    },
};
use crate::geometry::{Contact, Shape, contact, contact_within, contains_point};

/// The rounding error of a result in single precision, in world units: coordinates in these tests
/// stay below 60, where one unit in the last place is 4e-6, and a result is the sum of about ten
/// products.
const ROUNDING: f32 = 4e-5;

/// How far a normal may be off by rounding. It is the worse the nearer two rounded corners are to
/// being concentric.
const NORMAL_ROUNDING: f32 = 1e-3;

/// The contact must be there where the shapes overlap by more than twice what counts as touching,
/// and must not be there where they do not overlap at all.
fn check_decision(a: &Shape, b: &Shape) -> Result<(), TestCaseError> {
    let distance = signed_distance(a, b);
    let touching = four_ulp(a, b);
    let found = contact(a, b);
    if distance < -2.0 * touching {
        prop_assert!(found.is_some(), "missed an overlap of {}", -distance);
    }
    if distance >= 0.0 {
        prop_assert_eq!(found, None, "{} apart", distance);
    }
    Ok(())
}

/// The normal and depth must be a shortest separating translation, by trying directions, and must
/// separate the shapes.
fn check_separating_translation(a: &Shape, b: &Shape) -> Result<(), TestCaseError> {
    let Some(Contact { normal, depth, .. }) = contact(a, b) else {
        return Ok(());
    };
    prop_assert!((normal.length() - 1.0).abs() < 1e-5);
    prop_assert!(depth > 0.0);
    let shortest = -signed_distance(a, b);
    prop_assert!(
        (f64::from(depth) - shortest).abs() < ROUNDING.into(),
        "depth {} instead of {}",
        depth,
        shortest
    );
    let needed = SeparatingTranslation::along(&a.into(), &b.into(), normal.as_dvec2().normalize());
    prop_assert!(
        needed.length < f64::from(depth + ROUNDING),
        "the normal {} asks for {}, the depth is {}",
        normal,
        needed.length,
        depth
    );
    let parted = b.translated(normal * (depth + ROUNDING));
    prop_assert_eq!(contact(a, &parted), None);
    let still_in = b.translated(normal * (depth * 0.98 - ROUNDING));
    if depth > 100.0 * ROUNDING {
        prop_assert!(contact(a, &still_in).is_some());
    }
    Ok(())
}

/// The contact point is halfway in: within both shapes, unless one is so deep in the other that it
/// sticks out again.
fn check_point(a: &Shape, b: &Shape) -> Result<(), TestCaseError> {
    let Some(Contact { point, depth, .. }) = contact(a, b) else {
        return Ok(());
    };
    if depth > thickness(a).min(thickness(b)) {
        return Ok(());
    }
    for shape in [a, b] {
        let beyond = Outline::from(shape).beyond(point.as_dvec2());
        // At its tips a polygon is thinner than anywhere.
        let is_polygon = matches!(shape, Shape::Polygon { .. });
        let slack = if is_polygon { depth / 2.0 } else { 0.0 };
        prop_assert!(
            beyond < f64::from(ROUNDING + slack),
            "{} lies {} outside of {:?}",
            point,
            beyond,
            shape
        );
    }
    Ok(())
}

fn check_all(a: &Shape, b: &Shape) -> Result<(), TestCaseError> {
    check_decision(a, b)?;
    check_separating_translation(a, b)?;
    check_point(a, b)
}

/// Whether a contact is what is expected where only one separating translation is shortest.
fn check_same(found: Option<Contact>, expected: Contact) -> Result<(), TestCaseError> {
    let found = found.ok_or_else(|| TestCaseError::fail("no contact"))?;
    prop_assert!((found.depth - expected.depth).abs() < 2.0 * ROUNDING);
    prop_assert!(
        found.normal.distance(expected.normal) < NORMAL_ROUNDING,
        "normal {} instead of {}",
        found.normal,
        expected.normal
    );
    prop_assert!(
        found.point.distance(expected.point) < 20.0 * NORMAL_ROUNDING,
        "point {} instead of {}",
        found.point,
        expected.point
    );
    Ok(())
}

/// The contact of a pair that overlaps clearly, and has one shortest separating translation.
fn clear_contact(a: &Shape, b: &Shape) -> Option<Contact> {
    let found = contact(a, b).filter(|found| found.depth > 0.001)?;
    only_separating_translation(a, b, 0.002).map(|_| found)
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn circles_touch_as_trying_directions_says(a in circle(), b in circle()) {
        check_all(&a, &b)?;
    }

    #[test]
    fn a_circle_hits_a_rectangle_as_trying_directions_says(a in circle(), b in rect()) {
        check_all(&a, &b)?;
    }

    #[test]
    fn a_rectangle_hits_a_circle_as_trying_directions_says(a in rect(), b in circle()) {
        check_all(&a, &b)?;
    }

    #[test]
    fn rectangles_touch_as_trying_directions_says(a in rect(), b in rect()) {
        check_all(&a, &b)?;
    }

    #[test]
    fn shallow_contacts_are_right((a, b) in touching_pair(0.5)) {
        check_all(&a, &b)?;
    }

    #[test]
    fn only_overlaps_of_some_units_in_the_last_place_are_touching((a, b) in touching_pair(5e-5)) {
        check_decision(&a, &b)?;
    }

    #[test]
    fn decisions_hold_far_out(
        (a, b) in touching_pair(0.05),
        far in vector(1),
        distance in between(1e3, 1e5),
    ) {
        let by = far * distance;
        check_decision(&a.translated(by), &b.translated(by))?;
    }

    #[test]
    fn shapes_with_a_contact_share_an_area((a, b) in pair()) {
        let area = shared_area(&a, &b);
        if area > 0.01 {
            prop_assert!(contact(&a, &b).is_some(), "they share {}", area);
        }
        let thin = thickness(&a).min(thickness(&b)) < 0.01;
        if !thin && contact(&a, &b).is_some_and(|found| found.depth > 0.1) {
            prop_assert!(area > 0.0);
        }
    }

    #[test]
    fn a_flipped_contact_is_that_of_the_swapped_pair((a, b) in pair()) {
        prop_assert_eq!(contact(&a, &b).is_some(), contact(&b, &a).is_some());
        if let Some(found) = clear_contact(&a, &b) {
            check_same(contact(&b, &a), found.flipped())?;
        }
    }

    #[test]
    fn a_mirrored_pair_has_the_mirrored_contact((a, b) in pair(), x: bool, y: bool) {
        let sign = |mirror: bool| if mirror { -1.0 } else { 1.0 };
        let mirror = Vec2::new(sign(x), sign(y));
        if let Some(found) = clear_contact(&a, &b) {
            let mut expected = found;
            expected.point *= mirror;
            expected.normal *= mirror;
            check_same(contact(&mirrored(&a, mirror), &mirrored(&b, mirror)), expected)?;
        }
    }

    #[test]
    fn a_carried_pair_has_the_carried_contact((a, b) in pair(), turn in turn(), by in vector(20)) {
        if let Some(found) = clear_contact(&a, &b) {
            let mut expected = found;
            expected.point = turn * found.point + by;
            expected.normal = turn * found.normal;
            check_same(contact(&carried(&a, turn, by), &carried(&b, turn, by)), expected)?;
        }
    }

    #[test]
    fn a_margin_moves_the_line_between_apart_and_touching(
        (a, b) in pair(),
        margin in between(-2.0, 8.0),
    ) {
        let distance = signed_distance(&a, &b);
        // Edges that touch have their own test.
        prop_assume!(distance.abs() > ROUNDING.into());
        let found = contact_within(&a, &b, margin);
        if distance < f64::from(margin - ROUNDING) {
            let found = found.ok_or_else(|| TestCaseError::fail("no contact"))?;
            prop_assert!((f64::from(found.depth) + distance).abs() < ROUNDING.into());
        } else if distance >= f64::from(margin) {
            prop_assert_eq!(found, None);
        }
    }

    #[test]
    fn a_point_is_contained_as_the_edges_say(
        shape in rect().boxed().prop_union(circle().boxed()),
        point in vector(20),
    ) {
        let distance = signed_distance(&Shape::circle(point, 0.0), &shape);
        if distance.abs() > ROUNDING.into() {
            prop_assert_eq!(contains_point(&shape, point), distance < 0.0);
        }
    }
}

#[test]
fn the_edge_of_a_shape_does_not_belong_to_it() {
    let rect = Shape::rect(Vec2::new(3.0, 2.0), Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    let circle = Shape::circle(Vec2::new(3.0, 2.0), 2.0);
    let cases = [
        // Center, edges and a corner of the rectangle.
        (&rect, Vec2::new(3.0, 2.0), true),
        (&rect, Vec2::new(5.0, 2.0), false),
        (&rect, Vec2::new(1.0, 2.0), false),
        (&rect, Vec2::new(3.0, 3.0), false),
        (&rect, Vec2::new(3.0, 1.0), false),
        (&rect, Vec2::new(5.0, 3.0), false),
        // Just inside of an edge and of a corner.
        (&rect, Vec2::new(4.999, 2.0), true),
        (&rect, Vec2::new(4.999, 2.999), true),
        // Width and height are not confused.
        (&rect, Vec2::new(3.0, 3.5), false),
        // Center and edge of the circle, and the corner of the box around it.
        (&circle, Vec2::new(3.0, 2.0), true),
        (&circle, Vec2::new(5.0, 2.0), false),
        (&circle, Vec2::new(3.0, 0.0), false),
        (&circle, Vec2::new(4.999, 2.0), true),
        (&circle, Vec2::new(4.9, 3.9), false),
    ];
    for (shape, point, inside) in cases {
        assert_eq!(contains_point(shape, point), inside, "{point} in {shape:?}");
    }
}

/// Tiles whose positions are sums of different numbers: their edges touch, except for rounding.
#[test]
fn tiles_side_by_side_do_not_overlap() {
    for distance in [1.0f32, 1_000.0, 100_000.0] {
        for size in [0.1f32, 0.3, 0.7, 1.1] {
            let by_sum = distance + 0.1 + size;
            let by_product = distance + 0.1 + size * 0.5 + size * 0.5;
            let size = Vec2::splat(size);
            for axis in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
                let a = Shape::rect(axis * (distance + 0.1), size, Rot2::IDENTITY);
                for at in [by_sum, by_product] {
                    let b = Shape::rect(axis * at, size, Rot2::IDENTITY);
                    assert_eq!(contact(&a, &b), None, "{distance} {size} {axis}");
                    assert_eq!(contact(&b, &a), None, "{distance} {size} {axis}");
                }
            }
        }
    }
}

#[test]
fn an_overlap_well_above_rounding_counts_far_out_too() {
    // A thousandth of a unit nearby, and a quarter of one where numbers are 0.008 apart.
    for (distance, overlap) in [(1.0, 0.001), (1_000.0, 0.005), (100_000.0, 0.25)] {
        let at = Vec2::splat(distance);
        let tile = Shape::rect(at, Vec2::ONE, Rot2::IDENTITY);
        let beside = tile.translated(Vec2::X * (1.0 - overlap));
        let found = contact(&tile, &beside).expect("they overlap");
        assert_eq!(found.normal, Vec2::X);
        let circle = Shape::circle(at - Vec2::Y * (1.0 - overlap), 0.5);
        let found = contact(&tile, &circle).expect("they overlap");
        assert_eq!(found.normal, Vec2::NEG_Y);
    }
}

#[test]
fn shapes_that_touch_exactly_do_not_overlap() {
    let at = |x: f32, y: f32| Vec2::new(x, y);
    let tile = Shape::rect(Vec2::ZERO, Vec2::splat(2.0), Rot2::IDENTITY);
    let diamond = |center| Shape::rect(center, Vec2::splat(2.0), Rot2::FRAC_PI_4);
    let cases = [
        // Circles, outside of each other.
        (
            Shape::circle(at(0.0, 0.0), 2.0),
            Shape::circle(at(5.0, 0.0), 3.0),
        ),
        // A circle at an edge, and at a corner in steps of 3, 4 and 5.
        (tile.clone(), Shape::circle(at(0.0, 3.0), 2.0)),
        (tile.clone(), Shape::circle(at(4.0, 5.0), 5.0)),
        // Rectangles at an edge and at a corner.
        (tile.clone(), tile.translated(at(2.0, 0.5))),
        (tile.clone(), tile.translated(at(-2.0, 2.0))),
        // A corner of a rotated one at an edge.
        (tile.clone(), diamond(at(1.0 + 2f32.sqrt(), 0.0))),
        // Points, and a segment on an edge.
        (
            Shape::circle(at(1.0, 1.0), 0.0),
            Shape::circle(at(1.0, 1.0), 0.0),
        ),
        (tile.clone(), Shape::circle(at(1.0, 0.5), 0.0)),
        (
            tile.clone(),
            Shape::rect(at(0.0, 1.0), at(1.0, 0.0), Rot2::IDENTITY),
        ),
    ];
    for (a, b) in cases {
        assert_eq!(contact(&a, &b), None, "{a:?} {b:?}");
        assert_eq!(contact(&b, &a), None, "{b:?} {a:?}");
    }
}

#[test]
fn the_point_of_two_edges_is_the_center_of_their_overlap() {
    let floor = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 2.0), Rot2::IDENTITY);
    // The crate stands half over the end of the floor, and sinks in by a half.
    let block = Shape::rect(Vec2::new(5.0, 1.5), Vec2::splat(2.0), Rot2::IDENTITY);
    let found = contact(&block, &floor).expect("they overlap");
    assert_eq!(found.normal, Vec2::NEG_Y);
    assert_eq!(found.depth, 0.5);
    assert_eq!(found.point, Vec2::new(4.5, 0.75));
}

#[test]
fn nested_shapes_separate_by_the_shortest_translation() {
    let room = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 6.0), Rot2::IDENTITY);
    let ball = Shape::circle(Vec2::ZERO, 5.0);
    let cases = [
        // Center on center: the translation through the nearest edge.
        (room.clone(), Shape::circle(Vec2::ZERO, 1.0), 4.0),
        (room.clone(), Shape::circle(Vec2::ZERO, 0.0), 3.0),
        (room.clone(), room.clone(), 6.0),
        (
            room.clone(),
            Shape::rect(Vec2::ZERO, Vec2::splat(2.0), Rot2::IDENTITY),
            4.0,
        ),
        (
            room.clone(),
            Shape::rect(Vec2::ZERO, Vec2::splat(2.0), Rot2::FRAC_PI_4),
            3.0 + 2f32.sqrt(),
        ),
        // Circles in each other have no better direction than any other.
        (ball.clone(), ball.clone(), 10.0),
        (ball.clone(), Shape::circle(Vec2::ZERO, 1.0), 6.0),
        (ball.clone(), Shape::circle(Vec2::ZERO, 0.0), 5.0),
        // Nested off the center.
        (ball, Shape::circle(Vec2::new(0.0, 2.0), 1.0), 4.0),
        (room, Shape::circle(Vec2::new(0.0, 1.0), 1.0), 3.0),
    ];
    let angles = [0.0, 0.7, 1.5];
    let cases = cases
        .iter()
        .flat_map(|case| angles.map(|angle| (case, angle)));
    for ((a, b, depth), angle) in cases {
        let turn = Rot2::radians(angle);
        let [a, b] = [a, b].map(|shape| carried(shape, turn, Vec2::new(3.0, -4.0)));
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = contact(a, b).expect("they overlap");
            super::assert_near(found.depth, *depth, 1e-5);
            assert!(found.normal.is_normalized(), "{found:?}");
            let parted = b.translated(found.normal * (found.depth + 1e-4));
            assert_eq!(contact(a, &parted), None, "{found:?}");
        }
    }
}
