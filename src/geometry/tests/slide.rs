//! Sliding along surfaces and bouncing off them.

use std::f64::consts::TAU;

use bevy::math::{DVec2, Vec2};
use proptest::{collection::vec, prelude::*};

use super::{
    assert_close,
    shapes::{between, cases, unit_vector, vector},
};
use crate::geometry::{bounce_off, slide_along};

/// How much of a vector's length may point into a surface: what the library allows (1e-5), and
/// rounding.
const INWARD: f64 = 2e-5;

/// The least that has to be taken from a vector until it points into no surface by more than the
/// sine of `slack`: by trying directions, each with the best length.
fn least_change(vector: DVec2, normals: &[Vec2], slack: f64) -> f64 {
    let directions = 20_000;
    let allowed = (0..directions)
        .map(|i| DVec2::from_angle(i as f64 * TAU / directions as f64))
        .filter(|direction| {
            normals
                .iter()
                .all(|normal| direction.dot(normal.as_dvec2()) >= -slack)
        });
    allowed
        .map(|direction| vector.distance(direction * direction.dot(vector).max(0.0)))
        .fold(vector.length(), f64::min)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn sliding_leaves_the_nearest_vector_that_is_allowed(
        given in vector(50),
        normals in vec(unit_vector(), 0..4),
    ) {
        let slid = slide_along(given, normals.iter().copied()).as_dvec2();
        let given = given.as_dvec2();
        for normal in &normals {
            prop_assert!(
                slid.dot(normal.as_dvec2()) >= -INWARD * given.length(),
                "{} points into {}",
                slid,
                normal,
            );
        }
        // Directions are tried in steps of 0.0003; a slack of more than one step finds a direction
        // along each surface.
        let change = slid.distance(given);
        let (strict, slack) =
            (least_change(given, &normals, 0.0), least_change(given, &normals, 4e-4));
        prop_assert!(
            change <= strict + 4e-4 * given.length(),
            "{} changes by {} instead of {}",
            slid,
            change,
            strict,
        );
        prop_assert!(
            change >= slack - 4e-4 * given.length(),
            "{} changes by {} instead of {}",
            slid,
            change,
            slack,
        );
    }

    #[test]
    fn sliding_adds_no_length(given in vector(50), normals in vec(unit_vector(), 0..4)) {
        prop_assert!(
            slide_along(given, normals.iter().copied()).length() <= given.length() * (1.0 + 1e-6),
        );
    }

    #[test]
    fn bouncing_keeps_what_goes_along_and_turns_what_goes_in(
        given in vector(50),
        normal in unit_vector(),
        restitution in prop_oneof![Just(0.0f32), Just(1.0f32), between(0.0, 1.0)],
    ) {
        let bounced = bounce_off(given, normal, restitution);
        let tolerance = 1e-5 * given.length();
        let inward = given.dot(normal);
        let outward = if inward < 0.0 { -restitution * inward } else { inward };
        prop_assert!((bounced.dot(normal) - outward).abs() <= tolerance);
        prop_assert!((bounced.dot(normal.perp()) - given.dot(normal.perp())).abs() <= tolerance);
        prop_assert!(bounced.length() <= given.length() + tolerance);
        if restitution == 1.0 {
            prop_assert!((bounced.length() - given.length()).abs() <= tolerance);
        }
    }
}

#[test]
fn sliding_in_the_classic_positions() {
    let (floor, wall) = (Vec2::Y, Vec2::NEG_X);
    let slope = Vec2::new(-0.6, 0.8);
    let cases = [
        // Nothing to slide along; away from and along what there is.
        (Vec2::new(3.0, -4.0), vec![], Vec2::new(3.0, -4.0)),
        (Vec2::new(3.0, 4.0), vec![floor], Vec2::new(3.0, 4.0)),
        (Vec2::new(3.0, 0.0), vec![floor], Vec2::new(3.0, 0.0)),
        // Onto a floor; straight onto it.
        (Vec2::new(3.0, -4.0), vec![floor], Vec2::new(3.0, 0.0)),
        (Vec2::new(0.0, -4.0), vec![floor], Vec2::ZERO),
        // Into a corner, and out of it along either side.
        (Vec2::new(3.0, -4.0), vec![floor, wall], Vec2::ZERO),
        (
            Vec2::new(-3.0, -4.0),
            vec![floor, wall],
            Vec2::new(-3.0, 0.0),
        ),
        (Vec2::new(3.0, 4.0), vec![wall, floor], Vec2::new(0.0, 4.0)),
        // Up a slope that stands on a floor.
        (Vec2::new(5.0, 0.0), vec![floor, slope], Vec2::new(3.2, 2.4)),
        // Over the same surface twice, as at a seam.
        (
            Vec2::new(3.0, -4.0),
            vec![floor, floor],
            Vec2::new(3.0, 0.0),
        ),
        // Held between two walls that face each other.
        (
            Vec2::new(0.0, -4.0),
            vec![wall, -wall],
            Vec2::new(0.0, -4.0),
        ),
        (
            Vec2::new(2.0, -4.0),
            vec![wall, -wall],
            Vec2::new(0.0, -4.0),
        ),
        // Closed in from all sides.
        (
            Vec2::new(2.0, 1.0),
            vec![wall, -wall, floor, -floor],
            Vec2::ZERO,
        ),
    ];
    for (given, normals, expected) in cases {
        assert_close(slide_along(given, normals.iter().copied()), expected, 1e-6);
    }
}

/// The part along the surface that the vector points into the most, in double precision; zero, if
/// it points into another one.
fn slide_along_deepest(vector: Vec2, normals: &[Vec2]) -> DVec2 {
    let normals = normals.iter().map(|normal| normal.as_dvec2());
    let vector = vector.as_dvec2();
    let along = |normal: DVec2| vector.reject_from(normal);
    let deepest = normals
        .clone()
        .min_by(|p, q| vector.dot(*p).total_cmp(&vector.dot(*q)));
    let slid = deepest.map_or(vector, along);
    let is_allowed = normals.into_iter().all(|normal| slid.dot(normal) >= -1e-9);
    if is_allowed { slid } else { DVec2::ZERO }
}

#[test]
fn along_nearly_the_same_surfaces_it_slides_along_the_same_one_in_any_order() {
    let mut dice = fastrand::Rng::with_seed(1);
    let (count, length) = (10_000, 50.0);
    let mut errors = 0.0;
    for _ in 0..count {
        // Less than a quarter of a degree apart, and nearly head-on.
        let normals = [(); 3].map(|()| Vec2::from_angle(dice.f32() * 0.004));
        let given = -Vec2::from_angle(dice.f32() * 0.004) * length;
        let slid = slide_along(given, normals);
        let slid_again = slide_along(given, normals.into_iter().rev());
        assert_eq!(slid, slid_again, "{given} {normals:?}");
        errors += slid
            .as_dvec2()
            .distance(slide_along_deepest(given, &normals));
    }
    // A corner so flat may hold it, or not.
    let error = errors / f64::from(count) / f64::from(length);
    assert!(error < 5e-4, "{error}");
}

#[test]
fn bouncing_in_the_classic_positions() {
    let down = Vec2::new(3.0, -4.0);
    // With all of its speed, with half, with none.
    assert_eq!(bounce_off(down, Vec2::Y, 1.0), Vec2::new(3.0, 4.0));
    assert_eq!(bounce_off(down, Vec2::Y, 0.5), Vec2::new(3.0, 2.0));
    assert_eq!(bounce_off(down, Vec2::Y, 0.0), Vec2::new(3.0, 0.0));
    // Away from the surface, and along it.
    assert_eq!(bounce_off(down, Vec2::NEG_Y, 1.0), down);
    assert_eq!(bounce_off(Vec2::X, Vec2::Y, 1.0), Vec2::X);
}

#[test]
fn sliding_and_bouncing_work_at_any_length() {
    for length in [1e-45f32, f32::MIN_POSITIVE, 1e-20, 1.0, 1e15] {
        let given = Vec2::new(length, -length);
        let slid = slide_along(given, [Vec2::Y]);
        assert_eq!(slid, Vec2::new(length, 0.0));
        assert_eq!(
            slide_along(given, [Vec2::Y, Vec2::NEG_X]),
            Vec2::ZERO,
            "{length}"
        );
        assert_eq!(bounce_off(given, Vec2::Y, 1.0), Vec2::splat(length));
    }
}

#[test]
fn a_corner_holds_a_vector_whose_square_overflows() {
    for length in [1e20f32, 1e30, f32::MAX / 2.0] {
        let given = Vec2::new(length, -length);
        assert_eq!(
            slide_along(given, [Vec2::Y, Vec2::NEG_X]),
            Vec2::ZERO,
            "{length}"
        );
    }
}

/// Straight against the first of two surfaces, what is left along it points into the second one by
/// less than the slop: a mover would hit that again and again.
#[test]
fn a_component_that_is_rounding_is_zero() {
    let given = Vec2::new(-0.9641359, 0.9209885);
    let normals = [
        Vec2::new(0.72310185, -0.69074136),
        Vec2::new(0.89066845, 0.45465338),
    ];
    assert_eq!(slide_along(given, normals), Vec2::ZERO);
    assert_eq!(slide_along(given, [normals[0]]), Vec2::ZERO);
}
