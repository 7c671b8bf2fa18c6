//! Where moving shapes and rays first touch others.

use bevy::math::Vec2;
use bevy_thud::geometry::{CastHit, cast_ray, cast_shape};
use proptest::{prelude::*, test_runner::TestCaseResult};

use super::{
    reference::March,
    test_shape::{TestShape, slop, test_shape, vector},
};
use crate::cases;

/// The number of positions that are checked between the first one near the target and the end.
const SAMPLES: u8 = 12;

/// Checks the output of a cast: the shapes touch at the hit, and do not overlap before it, or
/// anywhere on the path if there is no hit.
fn check(
    moving: &TestShape,
    displacement: Vec2,
    target: &TestShape,
    found: Option<CastHit>,
) -> TestCaseResult {
    let by = displacement.as_dvec2();
    let slop = slop(&[moving, &moving.translated(displacement), target]);
    let at = |fraction: f64| moving.reference.translated(by * fraction);
    let overlaps = |fraction: f64| at(fraction).overlaps(&target.reference, slop) == Some(true);
    if overlaps(0.0) {
        prop_assert_eq!(found.map(|hit| hit.fraction), Some(0.0));
        return Ok(());
    }
    let near = match target.reference.march(&moving.reference, by, slop) {
        March::Near(fraction) => fraction,
        March::Past => {
            prop_assert_eq!(found, None);
            return Ok(());
        }
        March::Undecided => return Ok(()),
    };
    let end = found.map_or(1.0, |hit| f64::from(hit.fraction));
    for sample in 0..=SAMPLES {
        let fraction = near + (end - near) * f64::from(sample) / f64::from(SAMPLES);
        prop_assert!(!overlaps(fraction), "{fraction} before {found:?}");
    }
    if let Some(hit) = found {
        let distance = at(end).distance(&target.reference);
        prop_assert!(
            distance.is_none_or(|distance| distance < slop),
            "{distance:?} {hit:?}"
        );
        check_surface(hit, displacement, target, slop)?;
    }
    Ok(())
}

/// Checks that a hit is on the surface of the target, with a normal that points out of it.
fn check_surface(
    hit: CastHit,
    displacement: Vec2,
    target: &TestShape,
    slop: f64,
) -> TestCaseResult {
    // The contact point of an edge that is parallel except for 1e-5 rad is the center of the edge.
    let slop = slop + 1e-5 * target.reference.longest_edge();
    let off = target.reference.distance_to_point(hit.point.as_dvec2());
    prop_assert!(off.abs() < slop, "{off} {hit:?}");
    let outside = hit.point.as_dvec2() + hit.normal.as_dvec2() * 2.0 * slop;
    // Another edge may run through the point, except for rounding.
    prop_assert!(
        target.reference.distance_to_point(outside) > -slop,
        "{hit:?}"
    );
    // What overlaps at the start hits wherever it goes.
    let along = hit.normal.dot(displacement) / displacement.length();
    prop_assert!(hit.fraction == 0.0 || along < 1e-5, "{along} {hit:?}");
    prop_assert!(hit.normal.is_normalized(), "{hit:?}");
    Ok(())
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn a_shape_hits_where_it_does_for_the_oracle(
        moving in test_shape(),
        target in test_shape(),
        by in vector(30),
        displacement in vector(40),
    ) {
        let moving = moving.translated(by);
        let found = cast_shape(&moving.shape, displacement, &target.shape);
        check(&moving, displacement, &target, found)?;
    }

    #[test]
    fn a_shape_from_far_away_hits_where_it_does_for_the_oracle(
        moving in test_shape(),
        target in test_shape(),
        by in vector(30),
        past in vector(20),
    ) {
        let by = by * 400.0;
        let moving = moving.translated(by);
        let displacement = by * -1.7 + past;
        let found = cast_shape(&moving.shape, displacement, &target.shape);
        check(&moving, displacement, &target, found)?;
    }

    #[test]
    fn a_ray_hits_where_it_does_for_the_oracle(
        target in test_shape(),
        origin in vector(30),
        displacement in vector(60),
    ) {
        let found = cast_ray(&target.shape, origin, displacement);
        check(&TestShape::point(origin), displacement, &target, found)?;
    }
}
