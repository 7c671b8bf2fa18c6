//! How far shapes overlap, or are nearer than a margin, and the shortest separating direction.

use bevy::math::{Rot2, Vec2};
use proptest::prelude::*;

use super::{
    assert_close, assert_near,
    reference::{only_separating_translation, signed_distance},
    shapes::{between, carried, cases, circle, pair, rect, touching_pair, turn},
};
use crate::geometry::{Shape, penetration_within, separation};

/// The rounding error of a result in single precision, in world units, with coordinates below 60.
const ROUNDING: f32 = 4e-5;

/// Often none, as between movers; often small, as a skin is.
fn margin() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0), Just(0.02), between(0.0, 0.5), between(0.0, 20.0)]
}

/// The penetration must be what the distance lacks to the margin, or `None` if it lacks nothing.
fn check_lacking(a: &Shape, b: &Shape, margin: f32) -> Result<(), TestCaseError> {
    let expected = f64::from(margin) - signed_distance(a, b);
    let found = penetration_within(a, b, margin).map_or(0.0, |(lacking, _)| lacking);
    prop_assert!(
        (f64::from(found) - expected.max(0.0)).abs() < ROUNDING.into(),
        "{} instead of {}",
        found,
        expected
    );
    Ok(())
}

/// Moved by the penetration, the second shape must be as far from the first as the margin.
fn check_separation(a: &Shape, b: &Shape, margin: f32) -> Result<(), TestCaseError> {
    let Some((lacking, direction)) = penetration_within(a, b, margin) else {
        return Ok(());
    };
    prop_assert!((direction.length() - 1.0).abs() < 1e-5);
    // Over a short distance the rounding of its two ends turns the direction.
    let turn = 4e-6 / (lacking - margin).abs().max(1e-6);
    let parted = signed_distance(a, &b.translated(direction * lacking));
    prop_assert!(
        (parted - f64::from(margin)).abs() < (2.0 * ROUNDING + margin * turn).into(),
        "by {} along {} they are {} apart instead of {}",
        lacking,
        direction,
        parted,
        margin
    );
    Ok(())
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn circles_lack_what_the_edges_say(a in circle(), b in circle(), margin in margin()) {
        check_lacking(&a, &b, margin)?;
        check_separation(&a, &b, margin)?;
    }

    #[test]
    fn a_circle_and_a_rectangle_lack_what_the_edges_say(
        a in circle(),
        b in rect(),
        margin in margin(),
    ) {
        for (a, b) in [(&a, &b), (&b, &a)] {
            check_lacking(a, b, margin)?;
            check_separation(a, b, margin)?;
        }
    }

    #[test]
    fn rectangles_lack_what_the_edges_say(a in rect(), b in rect(), margin in margin()) {
        check_lacking(&a, &b, margin)?;
        check_separation(&a, &b, margin)?;
    }

    #[test]
    fn near_shapes_lack_what_the_edges_say((a, b) in touching_pair(0.5), margin in margin()) {
        check_lacking(&a, &b, margin)?;
        check_separation(&a, &b, margin)?;
    }

    #[test]
    fn no_other_separating_translation_is_shorter(
        (a, b) in pair(),
        margin in margin(),
        aside in turn(),
    ) {
        if let Some((lacking, direction)) = penetration_within(&a, &b, margin) {
            let aside = b.translated(aside * direction * (lacking - 3.0 * ROUNDING));
            prop_assert!(signed_distance(&a, &aside) < margin.into());
        }
    }

    #[test]
    fn an_overlap_is_the_same_from_both_sides((a, b) in pair(), margin in margin()) {
        let [there, back] =
            [penetration_within(&a, &b, margin), penetration_within(&b, &a, margin)];
        let lacking = [there, back].map(|found| found.map_or(0.0, |(lacking, _)| lacking));
        prop_assert!((lacking[0] - lacking[1]).abs() < 2.0 * ROUNDING);
        if let (Some((depth, to)), Some((_, fro))) = (there, back)
            && (depth - margin).abs() > 0.01
            && only_separating_translation(&a, &b, 0.002).is_some()
        {
            prop_assert!(to.distance(-fro) < 0.01, "{} and {}", to, fro);
        }
    }

    #[test]
    fn an_overlap_is_the_margin_without_the_separation((a, b) in pair(), margin in margin()) {
        let separation = separation(&a, &b);
        let lacking = margin - separation.distance;
        match penetration_within(&a, &b, margin) {
            Some((found, direction)) => {
                prop_assert!((found - lacking).abs() < ROUNDING);
                let turn = 4e-6 / separation.distance.abs().max(1e-6);
                prop_assert!(direction.distance(separation.normal) < 1e-3 + turn);
            }
            None => prop_assert!(lacking < ROUNDING, "{} is lacking", lacking),
        }
    }

    #[test]
    fn an_overlap_turns_with_the_shapes((a, b) in pair(), margin in margin(), turn in turn()) {
        let [p, q] = [&a, &b].map(|shape| carried(shape, turn, Vec2::ZERO));
        let lacking =
            |a: &Shape, b: &Shape| penetration_within(a, b, margin).map_or(0.0, |found| found.0);
        prop_assert!((lacking(&p, &q) - lacking(&a, &b)).abs() < 2.0 * ROUNDING);
    }
}

fn square(x: f32, y: f32) -> Shape {
    Shape::rect(Vec2::new(x, y), Vec2::splat(2.0), Rot2::IDENTITY)
}

#[test]
fn touching_shapes_do_not_overlap() {
    let ball = |x| Shape::circle(Vec2::new(x, 0.0), 1.0);
    for (a, b) in [
        (ball(0.0), ball(2.0)),
        (ball(0.0), square(2.0, 0.0)),
        (square(0.0, 0.0), square(2.0, 1.5)),
        (square(0.0, 0.0), square(2.0, 2.0)),
        (ball(3.0), Shape::circle(Vec2::new(4.0, 0.0), 0.0)),
    ] {
        for (a, b) in [(&a, &b), (&b, &a)] {
            assert_eq!(penetration_within(a, b, 0.0), None, "{a:?} {b:?}");
            let (lacking, direction) =
                penetration_within(a, b, 0.5).expect("they are nearer than that");
            assert_near(lacking, 0.5, 1e-6);
            assert!(direction.dot(b.center() - a.center()) > 0.0);
        }
    }
}

#[test]
fn a_shape_in_another_one_separates_by_the_shortest_translation() {
    let room = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 6.0), Rot2::IDENTITY);
    let ball = |x, y, radius| Shape::circle(Vec2::new(x, y), radius);
    let cases = [
        (room.clone(), ball(4.0, 1.0, 0.5), 1.5, Vec2::X),
        (room.clone(), ball(-1.0, -2.0, 0.5), 1.5, Vec2::NEG_Y),
        (room, square(3.0, 0.5), 3.0, Vec2::X),
        (ball(0.0, 0.0, 5.0), ball(0.0, 2.0, 1.0), 4.0, Vec2::Y),
        (
            ball(0.0, 0.0, 5.0),
            ball(-1e-3, 0.0, 0.0),
            4.999,
            Vec2::NEG_X,
        ),
    ];
    for (outer, inner, depth, direction) in cases {
        for margin in [0.0, 0.25] {
            let (lacking, out) =
                penetration_within(&outer, &inner, margin).expect("one is in the other");
            assert_near(lacking, depth + margin, 1e-5);
            assert_close(out, direction, 1e-5);
        }
    }
}

/// Shapes at one position have no direction of their own. They get one all the same, and always the
/// same.
#[test]
fn shapes_at_one_position_separate() {
    for center in [Vec2::ZERO, Vec2::new(-3.7, 1e4)] {
        let round = Shape::circle(center, 2.0);
        let block = Shape::rect(center, Vec2::new(4.0, 6.0), Rot2::radians(0.7));
        let point = Shape::circle(center, 0.0);
        for (a, b, depth) in [
            (&round, &round, 4.0),
            (&round, &point, 2.0),
            (&block, &block, 4.0),
            (&block, &round, 4.0),
            (&round, &block, 4.0),
        ] {
            let (lacking, direction) =
                penetration_within(a, b, 0.0).expect("they are at one position");
            assert_near(lacking, depth, 1e-5);
            assert_near(direction.length(), 1.0, 1e-5);
            assert_eq!(penetration_within(a, b, 0.0), Some((lacking, direction)));
        }
        assert_eq!(penetration_within(&point, &point, 0.0), None);
    }
}

/// Their squared distance underflows.
#[test]
fn circles_a_hair_from_one_position_separate() {
    for hair in [1e-45f32, 1e-30, 1e-20] {
        let [a, b] = [0.0, hair].map(|x| Shape::circle(Vec2::new(x, 0.0), 1.0));
        assert_eq!(
            penetration_within(&a, &b, 0.0),
            Some((2.0, Vec2::X)),
            "{hair}"
        );
    }
}
