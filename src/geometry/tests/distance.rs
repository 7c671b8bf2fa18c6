//! Separations, against oracles and known cases.

use bevy::math::{Rot2, Vec2};
use proptest::prelude::*;

use super::{
    assert_close, assert_near,
    reference::{Outline, SeparatingTranslation, only_separating_translation, signed_distance},
    shapes::{cases, circle, flush_blocks, pair, rect, touching_pair},
};
use crate::geometry::{Shape, contact, separation};

/// The rounding error of a result in single precision, in world units, with coordinates below 60.
const ROUNDING: f32 = 4e-5;

/// The distance must be that between the edges.
fn check_distance(a: &Shape, b: &Shape) -> Result<(), TestCaseError> {
    let found = separation(a, b);
    let expected = signed_distance(a, b);
    prop_assert!(
        (f64::from(found.distance) - expected).abs() < ROUNDING.into(),
        "{} instead of {}",
        found.distance,
        expected
    );
    prop_assert!((found.normal.length() - 1.0).abs() < 1e-5);
    Ok(())
}

/// The points must be as far from each other, along the normal; where shapes are apart, each on its
/// own surface.
fn check_points(a: &Shape, b: &Shape) -> Result<(), TestCaseError> {
    let found = separation(a, b);
    // Over a short gap the rounding of its two ends turns the normal.
    let turn = 4e-6 / found.distance.abs().max(1e-6);
    let parted =
        SeparatingTranslation::along(&a.into(), &b.into(), found.normal.as_dvec2().normalize());
    prop_assert!(
        (parted.length + f64::from(found.distance)).abs() < (ROUNDING + 20.0 * turn).into(),
        "along {} they are {} apart instead of {}",
        found.normal,
        -parted.length,
        found.distance
    );
    let between = found.point_b - found.point_a;
    prop_assert!(
        between.distance(found.normal * found.distance) < ROUNDING,
        "from {} to {} is not {} along {}",
        found.point_a,
        found.point_b,
        found.distance,
        found.normal
    );
    for (shape, point) in [(a, found.point_a), (b, found.point_b)] {
        let off_surface = Outline::from(shape).off_surface(point.as_dvec2());
        if found.distance > 0.0 {
            prop_assert!(
                off_surface < ROUNDING.into(),
                "{} off {:?}",
                off_surface,
                shape
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn circles_are_apart_as_the_edges_say(a in circle(), b in circle()) {
        check_distance(&a, &b)?;
        check_points(&a, &b)?;
    }

    #[test]
    fn a_circle_and_a_rectangle_are_apart_as_the_edges_say(a in circle(), b in rect()) {
        for (a, b) in [(&a, &b), (&b, &a)] {
            check_distance(a, b)?;
            check_points(a, b)?;
        }
    }

    #[test]
    fn rectangles_are_apart_as_the_edges_say(a in rect(), b in rect()) {
        check_distance(&a, &b)?;
        let found = separation(&a, &b);
        if found.distance < 0.0 {
            check_points(&a, &b)?;
        }
        // The normal is at most as far off as makes no difference to the distance.
        let normal = found.normal.as_dvec2();
        let parted = SeparatingTranslation::along(&(&a).into(), &(&b).into(), normal);
        let turn = 1e-3 + 4e-6 / found.distance.abs().max(1e-6);
        prop_assert!(parted.length < f64::from(20.0 * turn - found.distance));
    }

    #[test]
    fn rectangles_are_nearest_at_points_that_face_each_other(a in rect(), b in rect()) {
        check_points(&a, &b)?;
    }

    #[test]
    fn near_shapes_are_apart_as_the_edges_say((a, b) in touching_pair(0.5)) {
        check_distance(&a, &b)?;
    }

    #[test]
    fn near_shapes_are_nearest_at_points_that_face_each_other((a, b) in touching_pair(0.5)) {
        check_points(&a, &b)?;
    }

    #[test]
    fn distance_is_negative_depth((a, b) in pair()) {
        let separation = separation(&a, &b);
        if let Some(contact) = contact(&a, &b) {
            prop_assert_eq!(contact.depth, -separation.distance);
            prop_assert_eq!(contact.normal, separation.normal);
            let midpoint = separation.point_a.midpoint(separation.point_b);
            prop_assert!(contact.point.distance(midpoint) < ROUNDING);
        } else {
            prop_assert!(separation.distance > -2.0 * ROUNDING);
        }
    }

    #[test]
    fn the_nearest_surfaces_of_samples_are_no_nearer((a, b) in pair()) {
        let found = separation(&a, &b);
        let (p, q) = (Outline::from(&a).surface(24), Outline::from(&b).surface(24));
        let nearest = p.iter().flat_map(|p| q.iter().map(move |q| p.distance(*q)));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        prop_assert!(f64::from(found.distance) < nearest + f64::from(ROUNDING));
        // Samples are at most 2.7 units apart on either surface.
        if found.distance > 0.0 {
            prop_assert!(f64::from(found.distance) > nearest - 2.7);
        }
    }

    #[test]
    fn distance_is_the_same_from_both_sides((a, b) in pair()) {
        let (there, back) = (separation(&a, &b), separation(&b, &a));
        prop_assert!((there.distance - back.distance).abs() < 2.0 * ROUNDING);
        // The points of two rectangles that are apart have their own test.
        let is_circle = |shape: &Shape| matches!(shape, Shape::Circle { .. });
        let has_circle = (is_circle(&a) || is_circle(&b)) && there.distance > 0.01;
        let has_sure_points = there.distance < -0.01 || has_circle;
        if has_sure_points && only_separating_translation(&a, &b, 0.002).is_some() {
            prop_assert!(there.normal.distance(-back.normal) < 0.01);
            prop_assert!(there.point_a.distance(back.point_b) < 0.1);
            prop_assert!(there.point_b.distance(back.point_a) < 0.1);
        }
    }
}

#[test]
fn points_and_segments_have_distances() {
    let point = |x, y| Shape::circle(Vec2::new(x, y), 0.0);
    let segment = |x, y, length, turn| {
        Shape::rect(Vec2::new(x, y), Vec2::new(length, 0.0), Rot2::degrees(turn))
    };
    let square_point = |x, y| Shape::rect(Vec2::new(x, y), Vec2::ZERO, Rot2::degrees(30.0));
    let cases = [
        // Two points in a step of 3 and 4; on each other.
        (point(0.0, 0.0), point(3.0, 4.0), 5.0),
        (point(2.0, 1.0), point(2.0, 1.0), 0.0),
        // Points that are rectangles.
        (square_point(0.0, 0.0), square_point(3.0, 4.0), 5.0),
        (square_point(1.0, 1.0), square_point(1.0, 1.0), 0.0),
        (square_point(0.0, 0.0), point(-6.0, 8.0), 10.0),
        // A point beside, beyond the end of, and on a segment.
        (segment(0.0, 0.0, 4.0, 0.0), point(1.0, 3.0), 3.0),
        (segment(0.0, 0.0, 4.0, 0.0), point(5.0, 4.0), 5.0),
        (segment(0.0, 0.0, 4.0, 0.0), point(1.0, 0.0), 0.0),
        (segment(0.0, 0.0, 4.0, 90.0), point(3.0, 1.0), 3.0),
        // Segments: side by side, in line, one's end over the other's center.
        (
            segment(0.0, 0.0, 4.0, 0.0),
            segment(1.0, 2.0, 4.0, 0.0),
            2.0,
        ),
        (
            segment(0.0, 0.0, 4.0, 0.0),
            segment(7.0, 0.0, 4.0, 0.0),
            3.0,
        ),
        (
            segment(0.0, 0.0, 4.0, 0.0),
            segment(0.5, 3.0, 2.0, 90.0),
            2.0,
        ),
        // Crossing segments are apart after half the shorter one, along it.
        (
            segment(0.0, 0.0, 8.0, 0.0),
            segment(0.0, 0.0, 2.0, 90.0),
            -1.0,
        ),
    ];
    for (a, b, expected) in cases {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = separation(a, b);
            assert_near(found.distance, expected, 1e-5);
            assert_near(found.normal.length(), 1.0, 1e-5);
            assert_close(found.point_b - found.point_a, found.normal * expected, 1e-5);
        }
    }
}

/// A short gap over a long edge: the direction across it must not come out of the rounding along
/// it.
#[test]
fn the_normal_over_a_long_floor_is_that_of_the_floor() {
    for length in [100.0f32, 1_000.0, 10_000.0] {
        for turn in [Rot2::IDENTITY, Rot2::radians(0.5)] {
            let floor = Shape::rect(Vec2::ZERO, Vec2::new(length, 2.0), turn);
            for index in 0..100u8 {
                let x = length * (f32::from(index) - 49.3) / 120.0;
                let block = Shape::rect(turn * Vec2::new(x, 2.02), Vec2::splat(2.0), turn);
                let found = separation(&floor, &block);
                // Turning it rounds the position of the block to 4e-7 of its distance.
                assert_near(found.distance, 0.02, 4e-7 * length);
                assert_close(found.normal, turn * Vec2::Y, 1e-5);
                assert_close(found.point_a, turn * Vec2::new(x, 1.0), 1e-5 * length);
            }
        }
    }
}

#[test]
fn touching_edges_are_not_apart() {
    for (_, wall, block) in flush_blocks() {
        assert_near(separation(&wall, &block).distance, 0.0, 4e-6);
        assert_near(separation(&block, &wall).distance, 0.0, 4e-6);
    }
}

#[test]
fn touching_upright_edges_are_not_apart() {
    for size in [0.1f32, 0.3, 0.7, 1.1, 3.3] {
        for step in 1..20u8 {
            let tile = Vec2::new(size, 0.9);
            let at = |x: f32, y: f32| Shape::rect(Vec2::new(x, y), tile, Rot2::IDENTITY);
            let x = f32::from(step) * size;
            for y in [0.0, 0.2, 0.77] {
                let found = separation(&at(x, 0.0), &at(x + size, y));
                assert_near(found.distance, 0.0, 2e-5);
            }
        }
    }
}

#[test]
fn the_points_of_facing_edges_are_at_the_center_of_their_overlap() {
    let floor = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 2.0), Rot2::IDENTITY);
    let block = Shape::rect(Vec2::new(5.0, 4.0), Vec2::splat(2.0), Rot2::IDENTITY);
    for turn in [0.0f32, 90.0, 180.0, 37.0] {
        let turn = Rot2::degrees(turn);
        let rotated = |shape: &Shape| super::shapes::carried(shape, turn, Vec2::ZERO);
        let found = separation(&rotated(&floor), &rotated(&block));
        assert_near(found.distance, 2.0, 1e-5);
        assert_close(found.normal, turn * Vec2::Y, 1e-5);
        assert_close(found.point_a, turn * Vec2::new(4.5, 1.0), 1e-4);
        assert_close(found.point_b, turn * Vec2::new(4.5, 3.0), 1e-4);
    }
}

#[test]
fn a_circle_on_a_line_has_the_same_normal_for_contacts_and_distances() {
    let line = Shape::rect(Vec2::X * 10.0, Vec2::new(0.0, 1.0), Rot2::IDENTITY);
    let ball = Shape::circle(Vec2::new(10.0, -0.49998), 1.0);
    for (a, b) in [(&line, &ball), (&ball, &line)] {
        let contact = contact(a, b).expect("they overlap");
        assert_eq!(contact.normal, separation(a, b).normal);
    }
}

#[test]
fn the_nearest_point_of_an_edge_that_is_nearly_parallel_is_on_the_edge() {
    let ends = [-50.0f32, 50.0].map(|x| Vec2::new(x, 0.0));
    let wedge =
        Shape::polygon([ends[0], Vec2::new(0.0, -10.0), ends[1]]).expect("it is a triangle");
    for end in ends {
        let beside = end + Vec2::new(7e-5 * end.x.signum(), 10.0);
        for tip in [
            Shape::circle(beside, 0.0),
            Shape::rect(beside, Vec2::new(0.0, 1e-3), Rot2::IDENTITY),
        ] {
            assert_close(separation(&wedge, &tip).point_a, end, 1e-5);
            assert_close(separation(&tip, &wedge).point_b, end, 1e-5);
        }
    }
}
