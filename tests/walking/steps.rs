//! Steps and stairs.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Course, bodies},
    long::cases,
};

fn climber() -> Walker {
    Walker {
        step_height: 6.0,
        ..Walker::default()
    }
}

/// The ground, and on it a step of this height at x = 50.
fn step(course: &mut Course, height: f32) {
    course.block([0.0, -8.0], [800.0, 16.0]);
    course.block([200.0, height / 2.0], [300.0, height]);
}

#[test]
fn steps_up_to_the_step_height_are_climbed_at_any_speed_and_higher_ones_are_not() {
    for (name, body) in bodies() {
        for &speed in cases(&[40.0, 100.0, 400.0][..], &[5.0, 40.0, 100.0, 400.0]) {
            for start in [0.0, 43.9] {
                let climbs = |height: f32| {
                    let mut course = Course::new(&body, Vec2::new(start, 6.1), climber());
                    step(&mut course, height);
                    course.settle();
                    course.speed = speed;
                    course.steps((8000.0 / speed) as usize);
                    assert_eq!(course.left, [], "{name}");
                    course.position().x > 55.0
                };
                assert!(climbs(6.0), "{name} from {start} at {speed}");
                assert!(climbs(3.0), "{name} from {start} at {speed}");
                assert!(!climbs(6.06), "{name} from {start} at {speed}");
            }
        }
    }
}

#[test]
fn stairs_are_climbed_and_descended_without_leaving_the_floor() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 6.1), climber());
        course.block([0.0, -8.0], [800.0, 16.0]);
        for number in 0..10 {
            let height = 6.0 * (number + 1) as f32;
            course.block([50.0 + 12.0 * number as f32, height / 2.0], [12.0, height]);
        }
        course.block([360.0, 30.0], [392.0, 60.0]);
        course.settle();
        course.speed = 100.0;
        let mut highest = 0.0f32;
        for step in 0..200 {
            course.step();
            highest = highest.max(course.position().y);
            let at = course.position();
            assert!(course.ground().is_on_floor(), "{name}, step {step} at {at}");
        }
        assert!(highest > 65.0, "{name}: {highest}");
        course.speed = -100.0;
        for step in 0..250 {
            course.step();
            assert!(
                course.ground().is_on_floor(),
                "{name}, step {step} down at {}",
                course.position()
            );
        }
        assert_eq!(course.left, [], "{name}");
    }
}

#[test]
fn a_step_without_headroom_or_width_is_not_climbed() {
    for (name, body) in bodies() {
        let climbs = |ceiling: f32, next_step: f32| {
            let walker = Walker {
                step_width: 8.0,
                ..climber()
            };
            let mut course = Course::new(&body, Vec2::new(0.0, 6.1), walker);
            step(&mut course, 5.0);
            course.block([200.0 + next_step, 50.0], [300.0, 100.0]);
            course.block([100.0, ceiling + 50.0], [104.0, 100.0]);
            course.settle();
            course.speed = 60.0;
            course.steps(200);
            course.position().y > 10.0
        };
        let height = match name {
            "capsule" => 18.0,
            "polygon" => 14.0,
            _ => 12.0,
        };
        assert!(climbs(40.0, 40.0), "{name}");
        assert!(!climbs(height + 4.0, 40.0), "{name} without headroom");
        assert!(climbs(40.0, 22.0), "{name} with just enough width");
        assert!(!climbs(40.0, 5.0), "{name} without width");
    }
}

#[test]
fn a_narrow_step_is_climbed_at_any_speed() {
    for (name, body) in bodies() {
        for speed in [100.0, 400.0, 1000.0, 3000.0] {
            for has_ground_behind in [false, true] {
                let mut course = Course::new(&body, Vec2::new(13.9, 6.1), climber());
                let width = if has_ground_behind { 8000.0 } else { 40.0 };
                course.block([width / 2.0 - 18.0, -8.0], [width, 16.0]);
                course.block([21.0, 1.5], [2.0, 3.0]);
                course.settle();
                course.speed = speed;
                course.steps((6000.0 / speed) as usize);
                let end = course.position();
                assert!(end.x > 40.0, "{name} at {speed}: {end}");
            }
        }
    }
}

#[test]
fn a_step_onto_a_steep_slope_is_not_climbed() {
    let body = &bodies()[0].1;
    let mut course = Course::new(body, Vec2::new(0.0, 6.1), climber());
    course.block([0.0, -8.0], [800.0, 16.0]);
    course.outline([[6.05, 0.0], [8.95, 0.0], [6.05, 5.0]]);
    course.settle();
    // In an update as far as to the slope behind the edge.
    course.speed = 12.0 * 60.0;
    course.steps(20);
    let end = course.position();
    assert!(end.x < 1.0, "{end}");
}
