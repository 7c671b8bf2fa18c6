//! Corner correction: jumps get around the edges of ceilings.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Body, Course, each_body_and_rate};

const CORRECTION: f32 = 4.0;

fn corrected() -> Walker {
    Walker {
        corner_correction: CORRECTION,
        ..default()
    }
}

/// A walker in the air at the origin that rises below a block. The block begins `overlap` units
/// inside the walker's box, to its right or, if negative, to its left.
fn below_block(hertz: f64, body: &Shape, walker: Walker, overlap: f32) -> Course {
    let mut course = Course::at_rate(hertz, body, Vec2::ZERO, walker);
    course.gravity = 0.0;
    let side = overlap.signum();
    course.block([side * (6.0 - overlap.abs() + 50.0), 30.0], [100.0, 10.0]);
    course.jump(300.0);
    course
}

/// Heads that are not flat also slide around the edge of a block, and lose a little height.
fn is_flat(body: &Shape) -> bool {
    matches!(body, Shape::Rect { .. })
}

#[test]
fn a_head_that_only_just_hits_a_block_gets_around_it() {
    for (number, overlap) in [0.5, 2.0, -2.0, -3.9].into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, name| {
            let mut course = below_block(hertz, body, corrected(), overlap);
            let steps = (hertz / 5.0) as usize;
            for step in 0..steps {
                let predicted = course.predict();
                let before = course.position();
                course.step();
                let moved = course.position() - before;
                assert!(
                    moved.distance(predicted.displacement) < 1e-4,
                    "{name}, {overlap}, step {step}"
                );
            }
            let end = course.position();
            let needed = -overlap.signum() * (overlap.abs() + 0.02);
            assert!((end.x - needed).abs() < 0.03, "{name}, {overlap}: {end}");
            let rise = 300.0 * steps as f32 * course.seconds;
            let loss = if is_flat(body) { 0.001 } else { 0.5 };
            assert!((end.y - rise).abs() < loss, "{name}, {overlap}: {end}");
            assert_eq!(course.velocity(), Vec2::Y * 300.0, "{name}, {overlap}");
        });
    }
}

#[test]
fn a_head_that_hits_more_or_has_no_room_beside_is_stopped() {
    each_body_and_rate(0, |body, hertz, name| {
        for (overlap, wall) in [(5.9, false), (-5.9, false), (2.0, true)] {
            let mut course = below_block(hertz, body, corrected(), overlap);
            if wall {
                course.block([-13.0, 0.0], [10.0, 200.0]);
            }
            course.steps((hertz / 5.0) as usize);
            let end = course.position();
            if is_flat(body) || wall {
                assert!(end.y < 26.0, "{name}, {overlap}: {end}");
            }
            assert!(!is_flat(body) || end.x.abs() < 0.01, "{name}: {end}");
        }
    });
}

#[test]
fn without_the_number_a_ceiling_stops_the_jump() {
    each_body_and_rate(1, |body, hertz, name| {
        let mut course = below_block(hertz, body, Walker::default(), 5.0);
        course.steps((hertz / 5.0) as usize);
        let end = course.position();
        let is_stopped = end.x.abs() < 0.01 && end.y < 26.0;
        assert!(is_stopped || !is_flat(body), "{name}: {end}");
    });
}

#[test]
fn a_walker_is_not_shifted_against_its_velocity() {
    each_body_and_rate(2, |body, hertz, name| {
        for (speed, gets_around) in [(-30.0, true), (30.0, false)] {
            let mut course = below_block(hertz, body, corrected(), 2.0);
            course.speed = speed;
            course.steps((hertz / 5.0) as usize);
            let end = course.position();
            assert_eq!(end.y > 55.0, gets_around, "{name} at {speed}: {end}");
        }
    });
}

#[test]
fn a_correction_turns_with_up_and_takes_the_nearer_side() {
    // A block that is 6 wide, above a walker that is 12 wide, and a little to its left.
    let body = Shape::rect(Vec2::ZERO, Vec2::splat(12.0), Rot2::IDENTITY);
    for up in [Dir2::X, Dir2::NEG_X, Dir2::Y, Dir2::NEG_Y] {
        let walker = Walker {
            up,
            corner_correction: 12.0,
            ..default()
        };
        let mut course = Course::new(&body, Vec2::ZERO, walker);
        course.gravity = 0.0;
        let (up, right) = (*up, -up.perp());
        let block = Shape::rect(up * 30.0 - right, Vec2::splat(6.0), Rot2::IDENTITY);
        course.app.world_mut().spawn((Body(block), Solid));
        course.mover().velocity = up * 300.0;
        course.steps(12);
        let end = course.position();
        assert!((end.dot(right) - 8.02).abs() < 0.01, "up {up}: {end}");
        assert!((end.dot(up) - 60.0).abs() < 0.1, "up {up}: {end}");
    }
}
