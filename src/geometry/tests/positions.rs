//! The nine positions around and in a rectangle, in numbers that are exact.

use bevy::math::{Rot2, Vec2};

use super::{assert_close, assert_near, shapes::mirrored};
use crate::geometry::{Shape, contact, separation};

/// From (6, 18) to (14, 22).
fn wall() -> Shape {
    Shape::rect(Vec2::new(10.0, 20.0), Vec2::new(8.0, 4.0), Rot2::IDENTITY)
}

fn block(x: f32, y: f32) -> Shape {
    Shape::rect(Vec2::new(x, y), Vec2::splat(2.0), Rot2::IDENTITY)
}

fn ball(x: f32, y: f32) -> Shape {
    Shape::circle(Vec2::new(x, y), 1.0)
}

struct Expected {
    normal: (f32, f32),
    depth: f32,
    point: (f32, f32),
}

fn overlap(normal: (f32, f32), depth: f32, point: (f32, f32)) -> Expected {
    Expected {
        normal,
        depth,
        point,
    }
}

/// With y up and down, x to the right and to the left, from both sides.
fn assert_overlaps(small: &Shape, expected: &Expected) {
    for mirror in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(Vec2::from) {
        let (wall, small) = (mirrored(&wall(), mirror), mirrored(small, mirror));
        let normal = Vec2::from(expected.normal) * mirror;
        let point = Vec2::from(expected.point) * mirror;
        let there = contact(&wall, &small).expect("they overlap");
        let back = contact(&small, &wall).expect("they overlap").flipped();
        for found in [there, back] {
            // Two units in the last place of 22.4, over the half that is between center and corner.
            assert_close(found.normal, normal, 8e-6);
            assert_near(found.depth, expected.depth, 2e-6);
            assert_close(found.point, point, 4e-6);
        }
    }
}

#[test]
fn a_rectangle_overlaps_in_nine_positions() {
    let cases = [
        // Left, right, above, below.
        (block(5.5, 20.0), overlap((-1.0, 0.0), 0.5, (6.25, 20.0))),
        (
            block(14.25, 20.5),
            overlap((1.0, 0.0), 0.75, (13.625, 20.5)),
        ),
        (block(10.0, 22.5), overlap((0.0, 1.0), 0.5, (10.0, 21.75))),
        (block(9.0, 17.25), overlap((0.0, -1.0), 0.25, (9.0, 18.125))),
        // Over a corner: out by the edge that it is less deep in.
        (block(5.5, 22.75), overlap((0.0, 1.0), 0.25, (6.25, 21.875))),
        (
            block(14.75, 22.5),
            overlap((1.0, 0.0), 0.25, (13.875, 21.75)),
        ),
        (
            block(5.25, 17.5),
            overlap((-1.0, 0.0), 0.25, (6.125, 18.25)),
        ),
        (
            block(14.5, 17.25),
            overlap((0.0, -1.0), 0.25, (13.75, 18.125)),
        ),
        // Inside, right and up of the center: up is the shorter displacement.
        (block(10.5, 20.5), overlap((0.0, 1.0), 2.5, (10.5, 20.75))),
    ];
    for (small, expected) in &cases {
        assert_overlaps(small, expected);
    }
}

#[test]
fn a_circle_overlaps_in_nine_positions() {
    let cases = [
        // Left, right, above, below.
        (ball(5.5, 20.0), overlap((-1.0, 0.0), 0.5, (6.25, 20.0))),
        (ball(14.25, 20.5), overlap((1.0, 0.0), 0.75, (13.625, 20.5))),
        (ball(10.0, 22.5), overlap((0.0, 1.0), 0.5, (10.0, 21.75))),
        (ball(9.0, 17.25), overlap((0.0, -1.0), 0.25, (9.0, 18.125))),
        // Off each corner by 0.3 and 0.4: straight away from it.
        (ball(5.7, 22.4), overlap((-0.6, 0.8), 0.5, (6.15, 21.8))),
        (ball(14.4, 22.3), overlap((0.8, 0.6), 0.5, (13.8, 21.85))),
        (ball(5.6, 17.7), overlap((-0.8, -0.6), 0.5, (6.2, 18.15))),
        (ball(14.3, 17.6), overlap((0.6, -0.8), 0.5, (13.85, 18.2))),
        // Inside, right and up of the center: up is the shorter displacement.
        (ball(10.5, 20.5), overlap((0.0, 1.0), 2.5, (10.5, 20.75))),
        // Inside, near the left end: there left is shorter.
        (ball(6.5, 20.5), overlap((-1.0, 0.0), 1.5, (6.75, 20.5))),
    ];
    for (small, expected) in &cases {
        assert_overlaps(small, expected);
    }
}

#[test]
fn touching_or_apart_in_the_eight_positions_around_is_not_overlapping() {
    for (x, y) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
        for distance in [0.0, 0.5] {
            let center = Vec2::new(10.0 + x * (5.0 + distance), 20.0 + y * (3.0 + distance));
            for small in [block(center.x, center.y), ball(center.x, center.y)] {
                assert_eq!(contact(&wall(), &small), None, "{small:?}");
                assert_eq!(contact(&small, &wall()), None, "{small:?}");
                assert_eq!(separation(&wall(), &small).distance, distance);
                assert_eq!(separation(&wall(), &small).normal, Vec2::new(x, y));
            }
        }
    }
    for (x, y) in [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        // A corner at a corner, a step of 3 and 4 from it, and beside it.
        for (right, up, apart) in [(0.0, 0.0, 0.0), (3.0, 4.0, 5.0), (-0.5, 2.0, 2.0)] {
            let small = block(10.0 + x * (5.0 + right), 20.0 + y * (3.0 + up));
            assert_eq!(contact(&wall(), &small), None, "{small:?}");
            assert_eq!(separation(&wall(), &small).distance, apart);
        }
    }
}

#[test]
fn a_circle_beyond_the_corner_does_not_touch() {
    for (x, y) in [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        // 0.8 in both directions are 1.13 from the corner, though the boxes overlap.
        let small = ball(10.0 + x * 4.8, 20.0 + y * 2.8);
        assert_eq!(contact(&wall(), &small), None);
        assert_near(
            separation(&wall(), &small).distance,
            0.8 * 2f32.sqrt() - 1.0,
            2e-6,
        );
    }
}

#[test]
fn the_box_of_a_rotated_rectangle_reaches_to_its_vertices() {
    // Half of its diagonal is the square root of 2.
    let diamond = Shape::rect(Vec2::ZERO, Vec2::splat(2.0), Rot2::FRAC_PI_4);
    let point = |x: f32, y: f32| Shape::circle(Vec2::new(x, y), 0.5);
    let cases = [
        // Over each corner.
        (point(1.75, 0.0), true),
        (point(-1.75, 0.0), true),
        (point(0.0, 1.75), true),
        (point(0.0, -1.75), true),
        // Where the corners were before it was rotated.
        (point(1.1, 1.1), false),
        (point(-1.1, 1.1), false),
        // Over its edges.
        (point(1.0, 1.0), true),
        (point(1.0, -1.0), true),
        // Just beyond a corner.
        (point(1.92, 0.0), false),
    ];
    for (small, expected) in &cases {
        assert_eq!(contact(&diamond, small).is_some(), *expected, "{small:?}");
    }
}
