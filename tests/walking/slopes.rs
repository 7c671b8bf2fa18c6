//! Walkers on slopes.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Course, bodies, each_body_and_rate},
    long::cases,
};

/// A slope that rises to the right by this angle, in radians, from the origin.
fn slope(course: &mut Course, angle: f32) {
    let end = Vec2::from_angle(angle) * 4000.0;
    course.outline([
        [-200.0, -50.0],
        [end.x, -50.0],
        [end.x, end.y],
        [0.0, 0.0],
        [-200.0, 0.0],
    ]);
}

#[test]
fn a_walker_keeps_its_speed_up_and_down_slopes() {
    for (name, body) in bodies() {
        for degrees in [5.0f32, 15.0, 30.0, 44.0, 45.0] {
            let mut course = Course::new(&body, Vec2::new(-20.0, 8.0), Walker::default());
            slope(&mut course, degrees.to_radians());
            course.settle();
            course.speed = 100.0;
            course.steps(60);
            for direction in [1.0, -1.0] {
                course.speed = 100.0 * direction;
                let start = course.position();
                course.steps(30);
                let speed = course.position().distance(start) / 0.5;
                assert!(
                    (speed - 100.0).abs() < 0.1,
                    "{name} at {degrees} degrees: {speed}"
                );
                assert!(course.ground().is_on_floor());
            }
            course.speed = -100.0;
            course.steps(60);
            assert!(course.position().x < -15.0);
            assert_eq!(course.left, [], "{name} at {degrees} degrees");
        }
    }
}

#[test]
fn a_walker_at_rest_on_a_slope_does_not_move() {
    for (name, body) in bodies() {
        for degrees in [5.0f32, 15.0, 30.0, 44.0, 45.0, 45.5] {
            let mut course = Course::new(&body, Vec2::new(40.0, 60.0), Walker::default());
            slope(&mut course, degrees.to_radians());
            course.settle();
            course.steps(2);
            let start = course.position();
            course.steps(600);
            let moved = course.position().distance(start);
            assert!(moved < 0.001, "{name} at {degrees} degrees: {moved}");
            assert_eq!(course.left, [], "{name} at {degrees} degrees");
        }
    }
}

#[test]
fn a_walker_slides_down_a_steep_slope_and_cannot_climb_it() {
    for (name, body) in bodies() {
        for degrees in [46.0f32, 60.0, 80.0] {
            let mut course = Course::new(&body, Vec2::new(100.0, 400.0), Walker::default());
            slope(&mut course, degrees.to_radians());
            course.steps(30);
            let start = course.position();
            course.steps(30);
            assert!(
                course.position().y < start.y - 1.0,
                "{name} at {degrees} degrees"
            );
            assert!(!course.ground().is_on_floor());
            course.steps(900);
            assert!(
                course.ground().is_on_floor(),
                "{name} at {degrees} degrees: {}",
                course.position()
            );
            // Runs and jumps against it again and again.
            let mut highest = 0.0f32;
            course.speed = 150.0;
            for _ in 0..600 {
                if course.ground().is_on_floor() {
                    course.jump(200.0);
                }
                course.step();
                highest = highest.max(course.position().y);
            }
            assert!(
                highest < 6.5 + 200.0 * 200.0 / 1800.0,
                "{name} at {degrees} degrees: {highest}"
            );
        }
    }
}

/// Hills and valleys with slopes of this angle, in degrees, from x = 50 to 950.
fn hills(course: &mut Course, degrees: f32) {
    let rise = 100.0 * degrees.to_radians().tan();
    let mut outline = vec![[950.0, -50.0], [-50.0, -50.0], [-50.0, 0.0]];
    for (number, height) in [0.0, rise, rise, 0.0, 0.0, rise, 0.0, rise, rise, 0.0]
        .into_iter()
        .enumerate()
    {
        outline.push([50.0 + 100.0 * number as f32, height]);
    }
    outline.reverse();
    course.wall(Shape::polygon(outline.into_iter().map(Vec2::from)).unwrap());
}

/// Where a walker is after seven seconds at 100 units per second over hills, and how far it came.
fn cross_hills(hertz: usize, body: &Shape, degrees: f32) -> (Vec2, f32) {
    let mut course = Course::at_rate(hertz as f64, body, Vec2::new(0.0, 6.1), Walker::default());
    hills(&mut course, degrees);
    course.settle();
    course.speed = 100.0;
    let mut length = 0.0;
    for _ in 0..7 * hertz {
        let last = course.position();
        course.step();
        assert!(
            course.ground().is_on_floor(),
            "{degrees} degrees at {}",
            course.position()
        );
        length += course.position().distance(last);
    }
    assert_eq!(course.left, []);
    (course.position(), length)
}

#[test]
fn a_walker_goes_over_crests_and_through_valleys_at_its_speed_at_any_rate() {
    for (number, degrees) in [10.0f32, 30.0, 45.0].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, case| {
            let (slow_end, length) = cross_hills(cases(360, 1000), body, degrees);
            assert!(
                (length - 700.0).abs() < 0.7,
                "{case}, {degrees} degrees: {length}"
            );
            let (end, _) = cross_hills(hertz as usize, body, degrees);
            let off = end.distance(slow_end);
            assert!(off < 0.7, "{case}, {degrees} degrees: {off}");
        });
    }
}

#[test]
fn without_constant_speed_a_slope_slows_a_walker_down_up_and_down() {
    for (name, body) in bodies() {
        for degrees in [-40.0f32, -20.0, 20.0, 40.0] {
            let walker = Walker {
                constant_speed: false,
                ..default()
            };
            let mut course = Course::new(&body, Vec2::new(0.0, 12.0), walker);
            let height = 500.0 * degrees.to_radians().tan();
            let low = -height.abs() - 50.0;
            course.outline([
                [-500.0, -height],
                [-500.0, low],
                [500.0, low],
                [500.0, height],
            ]);
            course.settle();
            course.speed = 100.0;
            course.step();
            let start = course.position();
            course.steps(60);
            let length = course.position().distance(start);
            let expected = 100.0 * degrees.to_radians().cos();
            assert!(
                (length - expected).abs() < 0.1,
                "{name} at {degrees} degrees: {length}"
            );
        }
    }
}

/// Flat ground that ends at x = 0 in a slope downward by this angle, in degrees.
fn edge(course: &mut Course, degrees: f32) {
    let end = 400.0 * degrees.to_radians().tan();
    course.outline([
        [-200.0, 0.0],
        [-200.0, -900.0],
        [400.0, -900.0],
        [400.0, -end],
        [0.0, 0.0],
    ]);
}

#[test]
fn a_jump_at_the_edge_of_a_slope_is_as_high_as_from_flat_ground() {
    for (name, body) in bodies() {
        for degrees in [30.0, 45.0, -30.0, -45.0] {
            let height = |start: f32, speed: f32| {
                let mut course = Course::new(&body, Vec2::new(start, 8.0), Walker::default());
                edge(&mut course, degrees);
                course.settle();
                course.speed = speed;
                while speed > 0.0 && course.position().x < -1.0 {
                    course.step();
                }
                let start = course.position().y;
                course.jump(250.0);
                let mut highest = start;
                course.step();
                while !course.ground().is_on_floor() {
                    course.step();
                    highest = highest.max(course.position().y);
                }
                highest - start
            };
            let flat = height(-150.0, 0.0);
            assert!((flat - 250.0 * 250.0 / 1800.0).abs() < 0.4, "{flat}");
            let at_edge = height(-20.0, 100.0);
            assert!(
                (at_edge - flat).abs() < 0.1,
                "{name}, {degrees} degrees: {at_edge}, not {flat}"
            );
        }
    }
}

#[test]
fn a_walker_snaps_down_only_when_it_stood_and_does_not_rise() {
    for (name, body) in bodies() {
        // Falls past the ground within the snap distance, and is not pulled to it.
        let mut course = Course::new(&body, Vec2::new(0.0, 7.5), Walker::default());
        course.block([0.0, -8.0], [100.0, 16.0]);
        course.gravity = 0.0;
        course.steps(5);
        assert_eq!(course.position().y, 7.5, "{name}");
        assert!(!course.ground().is_on_floor());
        // Rises by less than the snap distance, and is not pulled back.
        let mut course = Course::new(&body, Vec2::new(0.0, 6.1), Walker::default());
        course.block([0.0, -8.0], [100.0, 16.0]);
        course.settle();
        course.gravity = 0.0;
        course.jump(30.0);
        course.step();
        assert!(
            (course.position().y - 6.52).abs() < 0.02,
            "{name}: {}",
            course.position()
        );
        assert!(!course.ground().is_on_floor());
    }
}

#[test]
fn a_walker_leaves_a_ledge_that_is_deeper_than_its_snap_distance() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 6.1), Walker::default());
        course.block([0.0, -8.0], [100.0, 16.0]);
        course.block([100.0, -13.0], [100.0, 16.0]);
        course.settle();
        course.speed = 100.0;
        course.steps(60);
        assert_eq!(course.left.len(), 1, "{name}");
        assert_eq!(course.landed.len(), 2, "{name}");
        assert!(course.landed[1].speed > 20.0, "{name}: {:?}", course.landed);
        assert!(course.ground().is_on_floor(), "{name}");
    }
}

#[test]
fn a_walker_that_is_wedged_under_a_ceiling_has_no_velocity() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(-20.0, 8.0), Walker::default());
        slope(&mut course, 30f32.to_radians());
        course.block([100.0, 60.0], [400.0, 40.0]);
        course.settle();
        course.speed = 100.0;
        course.steps(180);
        let before = course.position();
        for _ in 0..3 {
            course.step();
            assert!(course.position().distance(before) < 0.01, "{name}");
            assert_eq!(course.velocity(), Vec2::ZERO, "{name}");
        }
        course.speed = -100.0;
        course.steps(10);
        assert!(course.position().x < before.x - 10.0, "{name}");
    }
}

#[test]
fn a_walker_follows_a_ledge_within_its_snap_distance() {
    for (name, body) in bodies() {
        for speed in [20.0, 100.0, 400.0] {
            let mut course = Course::new(&body, Vec2::new(-20.0, 7.2), Walker::default());
            course.block([-100.0, -4.0], [200.0, 10.0]);
            course.block([200.0, -10.0], [400.0, 20.0]);
            course.settle();
            course.speed = speed;
            for _ in 0..(3000.0 / speed) as usize {
                course.step();
                let end = course.position();
                assert!(course.ground().is_on_floor(), "{name} at {speed}: {end}");
            }
            assert!(course.position().x > 10.0);
        }
    }
}
