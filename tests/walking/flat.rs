//! Walkers on flat ground.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Course, bodies},
    long::cases,
};

fn tiles(course: &mut Course) {
    for number in -40..40 {
        course.block([number as f32 * 16.0 + 8.0, -8.0], [16.0, 16.0]);
    }
}

#[test]
fn standing_and_walking_on_tiles_never_leaves_the_floor() {
    for (name, body) in bodies() {
        for gravity in [0.0, 900.0] {
            let mut course = Course::new(&body, Vec2::new(0.0, 8.0), Walker::default());
            tiles(&mut course);
            course.settle();
            course.gravity = gravity;
            for step in 0..cases(2_400, 10_000) {
                course.speed = match step / 100 % 4 {
                    0 => 0.0,
                    1 => 100.0,
                    2 => 3.0,
                    _ => -103.0,
                };
                course.step();
                let ground = course.ground();
                assert!(ground.is_on_floor(), "{name}, step {step}: {ground:?}");
                assert_eq!(ground.wall(), None, "{name}, step {step}");
                assert_eq!(ground.air_seconds(), 0.0);
                assert_eq!(
                    course.velocity(),
                    Vec2::X * course.speed,
                    "{name}, step {step}"
                );
            }
            assert_eq!(course.left, [], "{name}");
            assert_eq!(course.landed.len(), 1, "{name}");
        }
    }
}

#[test]
fn a_walker_stops_at_a_wall_and_keeps_standing() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 8.0), Walker::default());
        tiles(&mut course);
        for row in 0..4 {
            course.block([56.0, 8.0 + 16.0 * row as f32], [16.0, 16.0]);
        }
        course.settle();
        course.speed = 120.0;
        course.steps(60);
        assert!(
            (course.position().x - 41.98).abs() < 0.01,
            "{name}: {}",
            course.position()
        );
        assert_eq!(course.velocity(), Vec2::ZERO, "{name}");
        let ground = course.ground();
        assert!(ground.is_on_floor(), "{name}");
        assert_eq!(
            ground.wall().map(|wall| wall.normal),
            Some(Vec2::NEG_X),
            "{name}"
        );
        assert_eq!(course.left, [], "{name}");
    }
}

#[test]
fn a_walker_in_the_air_remembers_when_it_last_touched_a_wall() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 8.0), Walker::default());
        tiles(&mut course);
        course.block([40.0, 100.0], [16.0, 200.0]);
        course.settle();
        assert_eq!(course.ground().wall_seconds(), f32::MAX, "{name}");
        course.speed = 300.0;
        course.steps(20);
        assert_eq!(course.ground().wall_seconds(), 0.0, "{name}");
        course.jump(300.0);
        course.steps(3);
        assert_eq!(course.ground().wall_seconds(), 0.0, "{name}");
        course.speed = -120.0;
        course.steps(6);
        let ground = course.ground();
        let expected = 6.0 * course.seconds;
        let seconds = ground.wall_seconds();
        assert!(
            (seconds - expected).abs() < 1.5 * course.seconds,
            "{name}: {seconds}"
        );
        assert!(ground.wall_normal().distance(Vec2::NEG_X) < 1e-3, "{name}");
        course.steps(100);
        assert!(course.ground().is_on_floor(), "{name}");
        assert_eq!(course.ground().wall_seconds(), f32::MAX, "{name}");
        assert_eq!(course.ground().wall_normal(), Vec2::ZERO, "{name}");
    }
}
