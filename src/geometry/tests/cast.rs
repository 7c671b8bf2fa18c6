use bevy::math::{Affine2, DVec2, Rot2, Vec2, bounding::BoundingVolume};
use proptest::prelude::*;

use super::{
    assert_close, assert_near,
    reference::{Outline, WayOut, signed_distance, time_of_reaching, ways_out},
    shapes::{between, cases, circle, flush_blocks, pair, rect, shape, touching_pair, vector},
};
use crate::geometry::{CastHit, Shape, cast_ray, cast_shape, cast_with_margin};

/// The surface may be met this much too early or too late, in world units. Coordinates in these tests stay below 80, where
/// four units in the last place (within which touching shapes count as met) are 4e-5; the rest is rounding.
const BAND: f32 = 1e-4;

/// What one division in single precision may move a fraction by.
const FRACTION_ROUNDING: f64 = 1e-6;

/// A motion, at times straight at the other shape.
fn motion() -> impl Strategy<Value = (Shape, Vec2, Shape)> {
    (pair(), vector(40), between(0.5, 3.0), any::<bool>()).prop_map(
        |((moving, resting), anywhere, beyond, aimed)| {
            let aim = (resting.center() - moving.center() + anywhere / 10.0) * beyond;
            let displacement = if aimed { aim } else { anywhere };
            (moving, displacement, resting)
        },
    )
}

/// The time must be between those of a slightly larger and a slightly smaller target, and exist accordingly.
fn check_fraction(
    time: Option<f64>,
    (moving, displacement, resting): (&Shape, Vec2, &Shape),
    level: f32,
) -> Result<(), TestCaseError> {
    let reaching = |level: f32| time_of_reaching(moving, displacement, resting, f64::from(level));
    let (early, late) = (reaching(level + BAND), reaching(level - BAND));
    let Some(time) = time else {
        prop_assert!(late.is_none(), "a miss, though they meet at {:?}", late);
        return Ok(());
    };
    prop_assert!((0.0..=1.0).contains(&time), "{}", time);
    let Some(early) = early else {
        return Err(TestCaseError::fail(format!(
            "a hit at {time}, though they stay apart"
        )));
    };
    let late = late.unwrap_or(1.0);
    prop_assert!(
        (early - FRACTION_ROUNDING..=late + FRACTION_ROUNDING).contains(&time),
        "{} is not between {} and {}",
        time,
        early,
        late
    );
    Ok(())
}

/// At the impact a line across the normal must part the shapes, and go through the point on the resting one's surface.
fn check_hit(
    hit: &CastHit,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
) -> Result<(), TestCaseError> {
    // That of the fraction, of the normal over the size of a shape, and of the point.
    let tolerance = 3.0 * f64::from(BAND);
    prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5);
    let normal = hit.normal.as_dvec2();
    prop_assert!(
        hit.normal.dot(displacement) <= 1e-5 * displacement.length(),
        "the normal {} points along the motion",
        hit.normal
    );
    let moved = Outline::from(moving).moved(displacement.as_dvec2() * f64::from(hit.fraction));
    let resting = Outline::from(resting);
    let plane = hit.point.as_dvec2().dot(normal);
    let (nearest_moving, furthest_resting) = (-moved.reach(-normal), resting.reach(normal));
    prop_assert!(
        furthest_resting < plane + tolerance,
        "the resting shape is {} above the plane",
        furthest_resting - plane
    );
    prop_assert!(
        nearest_moving > plane - tolerance,
        "the moving shape is {} below the plane",
        plane - nearest_moving
    );
    for shape in [&moved, &resting] {
        let off_surface = shape.off_surface(hit.point.as_dvec2());
        prop_assert!(off_surface < tolerance, "{} off the surface", off_surface);
    }
    Ok(())
}

/// Shapes that overlap already: at once, with the normal of a shortest way out.
fn check_start_inside(hit: &CastHit, moving: &Shape, resting: &Shape) -> Result<(), TestCaseError> {
    prop_assert_eq!(hit.fraction, 0.0);
    let normal = hit.normal.as_dvec2().normalize();
    let way_out = WayOut::along(&resting.into(), &moving.into(), normal);
    let depth = -signed_distance(moving, resting);
    prop_assert!(
        (way_out.length - depth).abs() < BAND.into(),
        "{} {}",
        way_out.length,
        depth
    );
    Ok(())
}

fn check_cast(moving: &Shape, displacement: Vec2, resting: &Shape) -> Result<(), TestCaseError> {
    let hit = cast_shape(moving, displacement, resting);
    let time = hit.map(|hit| f64::from(hit.fraction));
    check_fraction(time, (moving, displacement, resting), 0.0)?;
    let start = signed_distance(moving, resting);
    match hit {
        Some(hit) if start > BAND.into() => check_hit(&hit, moving, displacement, resting),
        Some(hit) if start < -f64::from(BAND) => check_start_inside(&hit, moving, resting),
        _ => Ok(()),
    }
}

/// The shortest way for `moving` to get away from `resting`.
fn outward(resting: &Shape, moving: &Shape) -> Vec2 {
    let ways = ways_out(&resting.into(), &moving.into());
    ways[0].direction.as_vec2()
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn a_cast_meets_where_bisection_says((moving, displacement, resting) in motion()) {
        check_cast(&moving, displacement, &resting)?;
    }

    #[test]
    fn a_cast_without_motion_hits_what_it_is_in((a, b) in pair()) {
        let hit = cast_shape(&a, Vec2::ZERO, &b);
        let distance = signed_distance(&a, &b);
        if distance < -f64::from(BAND) {
            prop_assert!(hit.is_some_and(|hit| hit.fraction == 0.0));
        } else if distance > BAND.into() {
            prop_assert_eq!(hit, None);
        }
    }

    #[test]
    fn a_ray_meets_where_bisection_says(
        target in prop_oneof![circle(), rect()],
        origin in vector(30),
        displacement in vector(60),
    ) {
        let point = Shape::circle(origin, 0.0);
        let hit = cast_ray(&target, origin, displacement);
        check_fraction(hit.map(|hit| f64::from(hit.fraction)), (&point, displacement, &target), 0.0)?;
        if let Some(hit) = hit && signed_distance(&point, &target) > BAND.into() {
            check_hit(&hit, &point, displacement, &target)?;
            let end = origin + displacement * hit.fraction;
            prop_assert!(hit.point.distance(end) < 2.0 * BAND);
        }
    }

    #[test]
    fn a_ray_from_inside_hits_at_once_and_tells_the_nearest_side(
        target in prop_oneof![circle(), rect()],
        part in vector(1),
        displacement in vector(60),
    ) {
        let aabb = target.aabb();
        let origin = aabb.center() + aabb.half_size() * part;
        let point = Shape::circle(origin, 0.0);
        if signed_distance(&point, &target) < -f64::from(BAND) {
            let hit = cast_ray(&target, origin, displacement).expect("it starts inside");
            check_start_inside(&hit, &point, &target)?;
        }
    }

    /// A skin is kept, or let in.
    #[test]
    fn an_impact_keeps_the_distance_asked_for(
        (moving, displacement, resting) in motion(),
        inflation in prop_oneof![Just(0.02f32), between(-2.0, 4.0)],
    ) {
        let found = cast_with_margin(&moving, displacement, &resting, inflation);
        check_fraction(found.as_ref().map(|found| found.fraction), (&moving, displacement, &resting), inflation)?;
        if let Some(found) = found {
            prop_assert!((found.normal.length() - 1.0).abs() < 1e-5);
            let starts_outside = signed_distance(&moving, &resting) > f64::from(inflation + BAND);
            if starts_outside {
                prop_assert!(found.normal.dot(displacement) <= 1e-5 * displacement.length());
            }
        }
    }

    /// The way is exact in double precision: a thousand times the way changes no place.
    #[test]
    fn a_long_way_ends_at_the_right_place((moving, displacement, resting) in motion()) {
        let far = displacement * 1_000.0;
        let found = cast_with_margin(&moving, far, &resting, 0.0);
        check_fraction(found.as_ref().map(|found| found.fraction), (&moving, far, &resting), 0.0)?;
        if let Some(found) = found {
            let end = moving.translated((far.as_dvec2() * found.fraction).as_vec2());
            prop_assert!(signed_distance(&end, &resting) < BAND.into());
        }
    }

    #[test]
    fn what_touches_and_moves_in_does_not_pass_through((resting, moving) in touching_pair(0.0)) {
        let way = outward(&resting, &moving) * -20.0;
        let hit = cast_shape(&moving, way, &resting);
        check_fraction(hit.map(|hit| f64::from(hit.fraction)), (&moving, way, &resting), 0.0)?;
    }

    /// As a mover that was put flush with a wall, though it should keep a skin.
    #[test]
    fn what_touches_does_not_move_in_through_its_skin((resting, moving) in touching_pair(0.0)) {
        let way = outward(&resting, &moving) * -20.0;
        let found = cast_with_margin(&moving, way, &resting, 0.02);
        check_fraction(found.map(|found| found.fraction), (&moving, way, &resting), 0.02)?;
    }

    #[test]
    fn what_touches_and_moves_away_hits_nothing((resting, moving) in touching_pair(0.0)) {
        let way = outward(&resting, &moving) * 20.0;
        prop_assert_eq!(cast_shape(&moving, way, &resting), None);
    }

    #[test]
    fn what_is_clearly_apart_and_moves_away_hits_nothing(
        (resting, moving) in touching_pair(0.0),
        gap in between(2e-4, 1.0),
        aside in between(-1.0, 1.0),
    ) {
        let outward = outward(&resting, &moving);
        let moving = moving.translated(outward * gap);
        let away = outward + outward.perp() * aside;
        prop_assert_eq!(cast_shape(&moving, away * 20.0, &resting), None);
    }

    #[test]
    fn motion_is_relative((moving, displacement, resting) in motion()) {
        let there = cast_shape(&moving, displacement, &resting);
        let back = cast_shape(&resting, -displacement, &moving);
        if let (Some(there), Some(back)) = (there, back) && there.fraction > 0.0 && back.fraction > 0.0 {
            let slack = 50.0 * BAND / displacement.length().max(0.01);
            prop_assert!((there.fraction - back.fraction).abs() < slack);
        }
    }

    #[test]
    fn a_hit_is_not_later_for_a_larger_target(target in shape(), origin in vector(30), displacement in vector(60)) {
        let larger = match target.clone() {
            Shape::Circle { center, radius } => Shape::circle(center, radius + 1.0),
            Shape::Rect { center, half_size, rotation } => {
                Shape::rect(center, half_size * 2.0 + 2.0, rotation)
            }
            Shape::Capsule { center, half_length, rotation, radius } => {
                let half = rotation * Vec2::new(half_length, 0.0);
                Shape::capsule(center - half, center + half, radius + 1.0)
            }
            polygon => {
                let corners = Outline::from(&polygon).corners;
                let middle = corners.iter().sum::<DVec2>().as_vec2() / corners.len() as f32;
                let pose = Affine2::from_translation(middle) * Affine2::from_scale(Vec2::splat(1.5));
                polygon.transformed(&(pose * Affine2::from_translation(-middle)))
            }
        };
        if let Some(hit) = cast_ray(&target, origin, displacement) {
            let sooner = cast_ray(&larger, origin, displacement);
            prop_assert!(sooner.is_some_and(|sooner| sooner.fraction <= hit.fraction + 1e-6), "{:?} {:?}", hit, sooner);
        }
    }
}

fn hit(fraction: f32, normal: Vec2, point: (f32, f32)) -> Option<CastHit> {
    let point = Vec2::from(point);
    Some(CastHit {
        fraction,
        normal,
        point,
    })
}

#[test]
fn rays_meet_a_rectangle_where_expected() {
    // From (2, 1) to (6, 3).
    let wall = Shape::rect(Vec2::new(4.0, 2.0), Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    let cases = [
        // From each of the four sides.
        ((0.0, 2.0), (4.0, 0.0), hit(0.5, Vec2::NEG_X, (2.0, 2.0))),
        ((8.0, 2.0), (-4.0, 0.0), hit(0.5, Vec2::X, (6.0, 2.0))),
        ((4.0, 0.0), (0.0, 4.0), hit(0.25, Vec2::NEG_Y, (4.0, 1.0))),
        ((4.0, 4.0), (0.0, -4.0), hit(0.25, Vec2::Y, (4.0, 3.0))),
        // Aslant: past the corner, into the side that it crosses last.
        ((0.0, 0.0), (4.0, 2.25), hit(0.5, Vec2::NEG_X, (2.0, 1.125))),
        ((0.0, 0.0), (4.0, 1.6), hit(0.625, Vec2::NEG_Y, (2.5, 1.0))),
        // Ends before it, and on its surface.
        ((0.0, 2.0), (1.5, 0.0), None),
        ((0.0, 2.0), (2.0, 0.0), hit(1.0, Vec2::NEG_X, (2.0, 2.0))),
        // Goes the other way, or past.
        ((0.0, 2.0), (-4.0, 0.0), None),
        ((0.0, 4.0), (8.0, 0.0), None),
        // Grazes a side, from outside and along it.
        ((0.0, 3.0), (8.0, 0.0), None),
        ((3.0, 1.0), (8.0, 0.0), None),
        // Starts on the surface: in, out, along.
        ((2.0, 2.0), (4.0, 0.0), hit(0.0, Vec2::NEG_X, (2.0, 2.0))),
        ((2.0, 2.0), (-4.0, 0.0), None),
        ((2.0, 2.0), (0.0, 4.0), None),
        // Starts inside, nearest to the right side; without moving, too.
        ((5.5, 2.0), (-9.0, 0.0), hit(0.0, Vec2::X, (6.0, 2.0))),
        ((5.5, 2.0), (0.0, 0.0), hit(0.0, Vec2::X, (6.0, 2.0))),
        // Without moving, outside and on the surface.
        ((0.0, 2.0), (0.0, 0.0), None),
        ((2.0, 2.0), (0.0, 0.0), None),
    ];
    for (origin, displacement, expected) in cases {
        let found = cast_ray(&wall, origin.into(), displacement.into());
        assert_eq!(found, expected, "from {origin:?} by {displacement:?}");
    }
}

#[test]
fn a_ray_through_a_corner_hits_it() {
    let wall = Shape::rect(Vec2::new(4.0, 2.0), Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    for (origin, way) in [
        ((1.0, 2.0), (2.0, 2.0)),
        ((1.0, 2.0), (2.0, -2.0)),
        ((5.0, 4.0), (2.0, -2.0)),
    ] {
        let hit = cast_ray(&wall, origin.into(), way.into());
        assert_eq!(hit.map(|hit| hit.fraction), Some(0.5), "from {origin:?}");
    }
}

#[test]
fn rays_meet_a_circle_where_expected() {
    let ball = Shape::circle(Vec2::new(5.0, 1.0), 2.0);
    let cases = [
        // Through the middle.
        ((0.0, 1.0), (6.0, 0.0), hit(0.5, Vec2::NEG_X, (3.0, 1.0))),
        ((5.0, -5.0), (0.0, 8.0), hit(0.5, Vec2::NEG_Y, (5.0, -1.0))),
        // Off the middle, in steps of 3, 4 and 5: the surface is met at (-0.8, 0.6) of the radius.
        (
            (0.4, 2.2),
            (6.0, 0.0),
            hit(0.5, Vec2::new(-0.8, 0.6), (3.4, 2.2)),
        ),
        // Grazes it, passes it within the box around it, ends before it.
        ((0.0, 3.0), (9.0, 0.0), None),
        ((2.0, 2.0), (2.0, 2.0), None),
        ((0.0, 1.0), (2.9, 0.0), None),
        // Goes the other way, starts behind.
        ((0.0, 1.0), (-9.0, 0.0), None),
        ((8.0, 1.0), (9.0, 0.0), None),
        // Starts inside, and on the surface: in and out.
        ((6.0, 1.0), (-9.0, 0.0), hit(0.0, Vec2::X, (7.0, 1.0))),
        ((7.0, 1.0), (-9.0, 0.0), hit(0.0, Vec2::X, (7.0, 1.0))),
        ((7.0, 1.0), (9.0, 0.0), None),
    ];
    for (origin, displacement, expected) in cases {
        let found = cast_ray(&ball, origin.into(), displacement.into());
        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert_near(found.fraction, expected.fraction, 1e-6);
                assert_close(found.normal, expected.normal, 1e-6);
                assert_close(found.point, expected.point, 2e-6);
            }
            _ => assert_eq!(found, expected, "from {origin:?} by {displacement:?}"),
        }
    }
}

#[test]
fn a_circle_meets_the_corner_it_runs_into() {
    let wall = Shape::rect(Vec2::ZERO, Vec2::new(4.0, 2.0), Rot2::IDENTITY);
    let ball = |x: f32, y: f32| Shape::circle(Vec2::new(x, y), 5.0);
    // Its middle meets the circle around the corner (2, 1) in a step of 3 and 4.
    let found = cast_shape(&ball(10.0, 4.0), Vec2::new(-8.0, 0.0), &wall).expect("it hits");
    assert_near(found.fraction, 0.5, 1e-6);
    assert_close(found.normal, Vec2::new(0.8, 0.6), 1e-6);
    assert_close(found.point, Vec2::new(2.0, 1.0), 2e-6);
    // Within the rectangle grown by the radius, but past the corner.
    assert_eq!(
        cast_shape(&ball(6.5, 7.5), Vec2::new(1.5, -1.5), &wall),
        None
    );
}

#[test]
fn rectangles_that_meet_side_on_touch_in_the_middle_of_what_they_share() {
    let wall = Shape::rect(Vec2::ZERO, Vec2::new(2.0, 10.0), Rot2::IDENTITY);
    let block = Shape::rect(Vec2::new(-6.0, 5.0), Vec2::splat(2.0), Rot2::IDENTITY);
    let found = cast_shape(&block, Vec2::new(8.0, 0.0), &wall);
    assert_eq!(found, hit(0.5, Vec2::NEG_X, (-1.0, 4.5)));
}

#[test]
fn a_wall_without_thickness_stops_a_ray() {
    for turn in [0.0, 0.3, 1.0, 2.5] {
        let turn = Rot2::radians(turn);
        let center = Vec2::new(3.0, -7.0);
        let wall = Shape::rect(center, Vec2::new(10.0, 0.0), turn);
        for along in [-4.9, -2.0, 0.0, 1.7, 4.9] {
            let middle = center + turn * Vec2::new(along, 0.0);
            let across = turn * Vec2::new(0.5, 2.0);
            let found = cast_ray(&wall, middle - across, across * 2.0).expect("it crosses");
            assert_near(found.fraction, 0.5, 1e-5);
            assert_close(found.normal, turn * Vec2::NEG_Y, 1e-5);
            assert_close(found.point, middle, 1e-5);
        }
        let beside = center + turn * Vec2::new(5.1, 0.0);
        let across = turn * Vec2::Y;
        assert_eq!(cast_ray(&wall, beside - across, across * 2.0), None);
    }
}

#[test]
fn a_cast_far_out_is_as_exact_as_places_are() {
    let hit_at = |by: Vec2| {
        let wall = Shape::rect(by, Vec2::new(4.0, 2.0), Rot2::IDENTITY);
        let block = Shape::rect(by + Vec2::new(-6.0, 0.5), Vec2::splat(2.0), Rot2::IDENTITY);
        cast_shape(&block, Vec2::X * 6.0, &wall).expect("it hits")
    };
    // Places that are whole and half numbers, so that only the casting could lose digits.
    for by in [Vec2::ZERO, Vec2::new(1e5, -1e5), Vec2::new(-5e4, 1e3)] {
        let found = hit_at(by);
        assert_eq!((found.fraction, found.normal), (0.5, Vec2::NEG_X));
        assert_eq!(found.point, by + Vec2::new(-2.0, 0.25));
    }
}

#[test]
fn a_block_flush_with_a_turned_wall_keeps_out_of_it() {
    for (turn, wall, block) in flush_blocks() {
        for skin in [0.02, 0.0] {
            let found = cast_with_margin(&block, turn * Vec2::NEG_Y * 5.0, &wall, skin);
            let time = found.map(|found| found.fraction as f32);
            assert!(
                time.is_some_and(|time| time < 1e-5),
                "{time:?} of {block:?}"
            );
        }
    }
}

#[test]
fn what_stands_on_a_floor_glides_along_it() {
    for length in [10.0f32, 100.0, 1_000.0] {
        let floor = Shape::rect(Vec2::ZERO, Vec2::new(length, 2.0), Rot2::IDENTITY);
        for place in 0..60u8 {
            let x = length * (f32::from(place) - 29.3) / 80.0;
            // None to four units in the last place above it.
            for gap in 0..5u8 {
                let y = 2.0 + f32::from(gap) * 2.0 * f32::EPSILON;
                let block = Shape::rect(Vec2::new(x, y), Vec2::splat(2.0), Rot2::IDENTITY);
                for way in [Vec2::X, Vec2::NEG_X, Vec2::new(1.0, 0.1)] {
                    assert_eq!(cast_shape(&block, way, &floor), None, "{x} {gap} {way}");
                }
                let found = cast_shape(&block, Vec2::new(0.3, -0.4), &floor).expect("it hits");
                assert_close(found.normal, Vec2::Y, 1e-5);
            }
        }
    }
}

#[test]
fn huge_and_tiny_ways_end_at_the_wall() {
    let wall = Shape::rect(Vec2::new(4.0, 0.0), Vec2::splat(2.0), Rot2::IDENTITY);
    for length in [1e4f32, 1e6, 1e10, 1e30, f32::MAX] {
        let found = cast_ray(&wall, Vec2::ZERO, Vec2::X * length).expect("it hits");
        assert_near(found.fraction * length, 3.0, 1e-5);
        assert_eq!(found.normal, Vec2::NEG_X);
        assert_close(found.point, Vec2::new(3.0, 0.0), 1e-5);
    }
    for length in [1e-4f32, 1e-10, 1e-30, f32::MIN_POSITIVE] {
        let way = Vec2::X * length;
        assert_eq!(cast_ray(&wall, Vec2::ZERO, way), None);
        let at_the_wall = cast_ray(&wall, Vec2::new(3.0, 0.5), way);
        let is_rounding = length < 1e-5;
        let expected = (!is_rounding).then_some((0.0, Vec2::NEG_X));
        assert_eq!(at_the_wall.map(|hit| (hit.fraction, hit.normal)), expected);
        assert_eq!(cast_ray(&wall, Vec2::new(3.0, 0.5), -way), None);
    }
}

#[test]
fn a_point_meets_what_has_no_thickness() {
    for number in 0..2000u16 {
        let angle = f32::from(number) * 0.0007 - 0.7;
        let thin = Shape::rect(
            Vec2::new(7.0, 0.0),
            Vec2::new(0.0, 40.0),
            Rot2::radians(angle / 2.0),
        );
        let way = Vec2::from_angle(angle) * 25.0;
        let hit = cast_shape(&Shape::circle(Vec2::ZERO, 0.0), way, &thin);
        assert!(hit.is_some(), "{angle}");
    }
}
