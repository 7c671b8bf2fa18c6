//! Walkers on slopes.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, bodies};

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
            course.steps(300);
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
