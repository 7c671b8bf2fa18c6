//! Rays, against the cast of a point.

use bevy::math::{Rot2, Vec2};
use proptest::prelude::*;

use super::shapes::{between, cases, shape, unit_vector, vector};
use crate::geometry::{Ray, Shape, TOUCHING_SLOP, cast_ray};

/// Further than everything in these tests.
const FAR: f32 = 200.0;

fn ray(origin: Vec2, direction: Vec2, length: f32) -> Ray {
    Ray {
        origin,
        direction,
        max_fraction: length,
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    /// Which `cast_ray` is tested for, against oracles.
    #[test]
    fn a_ray_is_a_cast_with_a_length_of_its_own(
        target in shape(),
        origin in vector(30),
        direction in unit_vector(),
        scale in prop_oneof![Just(1.0), between(0.01, 100.0)],
    ) {
        let cast = cast_ray(&target, origin, direction * FAR);
        let found = ray(origin, direction * scale, FAR / scale).cast(&target);
        // Touching is decided on by rounding.
        let nudged = [-1e-4f32, 1e-4].map(|aside| {
            cast_ray(&target, origin + direction.perp() * aside, direction * FAR).is_some()
        });
        if nudged[0] != nudged[1] {
            return Ok(());
        }
        prop_assert_eq!(found.is_some(), cast.is_some());
        if let (Some(found), Some(cast)) = (found, cast) {
            let distance = found.fraction as f32 * scale;
            prop_assert!((distance - cast.fraction * FAR).abs() < 1e-2, "{} {:?}", distance, cast);
        }
    }

    #[test]
    fn the_length_only_decides_on_what_is_far_enough(
        target in shape(),
        origin in vector(30),
        direction in unit_vector(),
    ) {
        let endless = ray(origin, direction, f32::INFINITY).cast(&target);
        let long = ray(origin, direction, FAR).cast(&target);
        let times = [endless, long].map(|found| found.map(|output| output.fraction));
        let near = |pair: [f64; 2]| (pair[0] - pair[1]).abs() < 1e-4;
        prop_assert!(match times {
            [Some(endless), Some(long)] => near([endless, long]),
            times => times == [None, None],
        }, "{:?}", times);
        if let Some(found) = long.filter(|found| found.fraction > 0.01) {
            let short = ray(origin, direction, found.fraction as f32 - 0.005).cast(&target);
            prop_assert!(short.is_none(), "{:?}", short);
            let enough = ray(origin, direction, found.fraction as f32 + 0.005).cast(&target);
            prop_assert!(enough.is_some());
        }
    }
}

#[test]
fn a_far_target_is_hit_where_it_is() {
    let ball = Shape::circle(Vec2::new(90_000.0, 3.0), 5.0);
    let found = ray(Vec2::ZERO, Vec2::X, f32::INFINITY).cast(&ball);
    assert_eq!(found.map(|output| output.fraction), Some(89_996.0));
    let wall = Shape::rect(Vec2::new(-90_000.0, 0.0), Vec2::splat(10.0), Rot2::IDENTITY);
    let found = ray(Vec2::ZERO, Vec2::NEG_X, f32::INFINITY).cast(&wall);
    assert_eq!(found.map(|output| output.fraction), Some(89_995.0));
}

#[test]
fn a_ray_without_a_direction_or_a_length_hits_nothing_but_what_it_is_in() {
    let shapes = [
        Shape::circle(Vec2::ZERO, 2.0),
        Shape::rect(Vec2::ZERO, Vec2::splat(4.0), Rot2::radians(0.3)),
    ];
    for shape in &shapes {
        for (direction, length) in [(Vec2::ZERO, 1.0), (Vec2::X, 0.0), (Vec2::ZERO, 0.0)] {
            assert!(
                ray(Vec2::new(-5.0, 0.0), direction, length)
                    .cast(shape)
                    .is_none()
            );
            let inside = ray(Vec2::new(-1.0, 0.0), direction, length).cast(shape);
            assert_eq!(inside.map(|output| output.fraction), Some(0.0));
        }
    }
}

/// A corner whose arms are two units wide, far enough from the origin that rounding shows.
fn corner() -> Shape {
    let outline = [(0, 0), (20, 0), (20, 2), (2, 2), (2, 20), (0, 20)];
    let vertex = |(x, y): (i16, i16)| Vec2::new(f32::from(x), f32::from(y)) + 100.0;
    Shape::polygon(outline.map(vertex)).unwrap()
}

/// Just before, at, and just behind the lower edge of the corner.
fn at_lower_edge() -> [Vec2; 3] {
    [100f32.next_down(), 100.0, 100f32.next_up()].map(|y| Vec2::new(110.5, y))
}

#[test]
fn a_ray_from_the_surface_of_a_polygon_may_leave_it() {
    for origin in at_lower_edge() {
        for direction in [Vec2::NEG_Y, Vec2::new(3.0, -0.5), Vec2::new(-200.0, -300.0)] {
            assert_eq!(
                cast_ray(&corner(), origin, direction),
                None,
                "{origin} {direction}"
            );
        }
    }
}

#[test]
fn a_ray_from_the_surface_of_a_polygon_hits_at_once_if_it_goes_in() {
    for origin in at_lower_edge() {
        for length in [1e-3, 1.0, 1e3, 1e5] {
            for direction in [Vec2::Y, Vec2::new(0.6, 0.8)] {
                let hit = cast_ray(&corner(), origin, direction * length);
                let hit = hit.map(|hit| (hit.fraction, hit.normal));
                assert_eq!(hit, Some((0.0, Vec2::NEG_Y)), "{origin} {length}");
            }
        }
    }
}

#[test]
fn a_ray_that_enters_a_polygon_by_rounding_only_does_not_hit_it() {
    let slop = TOUCHING_SLOP * 120.0;
    for origin in at_lower_edge().into_iter().skip(1) {
        for depth in [0.5, 2.0, 3.0] {
            assert_eq!(cast_ray(&corner(), origin, Vec2::Y * depth * slop), None);
        }
        assert!(cast_ray(&corner(), origin, Vec2::Y * 6.0 * slop).is_some());
    }
}

#[test]
fn a_ray_from_a_circle_as_small_as_rounding_leaves_it() {
    let origin = Vec2::new(100.0, 50.0);
    for radius in [0.0, 1e-6, 1e-5] {
        let dot = Shape::circle(origin, radius);
        for turn in 0..16u8 {
            let direction = Vec2::from_angle(f32::from(turn));
            assert_eq!(
                cast_ray(&dot, origin, direction),
                None,
                "{radius} {direction}"
            );
        }
    }
}

/// The origin is within rounding of both edges of the upper left corner.
#[test]
fn a_ray_from_just_above_a_corner_enters_the_edge_below_it() {
    let outline = [
        (0, 0),
        (0, -10),
        (4, -10),
        (5, -8),
        (6, -10),
        (10, -10),
        (10, 0),
    ];
    let vertex = |(x, y): (i16, i16)| Vec2::new(f32::from(x), f32::from(y));
    for mirror in [Vec2::ONE, Vec2::new(-1.0, 1.0), Vec2::new(1.0, -1.0)] {
        let polygon = Shape::polygon(outline.map(|corner| vertex(corner) * mirror)).unwrap();
        let (origin, displacement) = (Vec2::new(0.0, 3e-6), Vec2::new(8.0, -0.8));
        let hit = cast_ray(&polygon, origin * mirror, displacement * mirror);
        let hit = hit.map(|hit| (hit.fraction, hit.normal));
        assert_eq!(hit, Some((0.0, Vec2::Y * mirror)));
    }
}

#[test]
fn a_ray_along_a_floor_hits_the_hill_at_its_end_and_not_the_floor() {
    let outline = [
        (-12.0, -5.0),
        (10.0, -5.0),
        (10.0, 0.0),
        (-10.0, 0.0),
        (-12.0, 5.0),
    ];
    for mirror in [Vec2::ONE, Vec2::new(-1.0, 1.0)] {
        for first in 0..outline.len() {
            let mut outline = outline.map(|point| Vec2::from(point) * mirror);
            outline.rotate_left(first);
            let polygon = Shape::polygon(outline).unwrap();
            let (origin, displacement) = (Vec2::new(-2.0, 0.0), Vec2::new(-20.0, -1e-5));
            let hit = cast_ray(&polygon, origin * mirror, displacement * mirror);
            let hit = hit.expect("it runs into the hill");
            assert!(hit.normal.x * mirror.x > 0.9, "{mirror} {first} {hit:?}");
        }
    }
}

#[test]
fn a_ray_does_not_hit_a_bump_that_it_clears() {
    let bump = [(100.0, -1.0), (10.0, 5e-5), (0.0, 0.0), (-100.0, 0.0)].map(Vec2::from);
    let terrain = [bump[0], bump[1], bump[2], bump[3], Vec2::new(-100.0, -50.0)];
    let terrain = Shape::polygon(terrain.into_iter().chain([Vec2::new(100.0, -50.0)])).unwrap();
    for toward in [1.0, 4.0] {
        let (origin, displacement) = (Vec2::new(-50.0, 2e-4), Vec2::new(100.0 * toward, 0.0));
        assert_eq!(cast_ray(&terrain, origin, displacement), None);
    }
}

#[test]
fn the_length_of_the_direction_may_be_out_of_the_range_of_its_square() {
    let corners = [(4.0, -1.0), (5.0, -1.0), (5.0, 1.0), (4.0, 1.0)].map(Vec2::from);
    let polygon = Shape::polygon(corners).unwrap();
    let capsule = Shape::capsule(corners[0], corners[3], 1.0);
    for (shape, distance) in [(polygon, 4.0), (capsule, 3.0)] {
        for length in [1e-30f32, 1e-22, 1e-10, 1.0, 1e10, 1e20, 3e38] {
            let output = ray(Vec2::ZERO, Vec2::X * length, f32::INFINITY).cast(&shape);
            let found = output.expect("it is ahead").fraction * f64::from(length);
            assert!((found - distance).abs() < 1e-5, "{found} {length}");
        }
    }
}
