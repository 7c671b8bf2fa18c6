//! Walkers on, below and beside solid movers, which they touch as they touch walls.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, bodies, each_body_and_rate};

const SPEED: f32 = 60.0;

/// A walker of a body above a mover at the origin, on which it falls.
fn above_mover(hertz: f64, body: &Shape, is_solid: bool) -> (Course, Entity) {
    let mut course = Course::at_rate(hertz, body, Vec2::new(-80.0, 40.0), Walker::default());
    if is_solid {
        let walker = course.walker;
        course.app.world_mut().entity_mut(walker).insert(Solid);
    }
    let floor = (RectCollider::new(300.0, 10.0), Solid, Mover::default());
    let floor = course.app.world_mut().spawn(floor).id();
    (course, floor)
}

#[test]
fn a_walker_walks_on_a_mover_on_which_it_landed() {
    let velocities = [
        [0.0, 0.0],
        [0.0, 30.0],
        [0.0, -30.0],
        [40.0, 20.0],
        [-40.0, 0.0],
    ];
    for (number, velocity) in velocities.into_iter().enumerate() {
        for is_solid in [false, true] {
            each_body_and_rate(number + 2 * usize::from(is_solid), |body, hertz, case| {
                let (mut course, floor) = above_mover(hertz, body, is_solid);
                let mut walk = |speed: f32, seconds: f64| {
                    course.speed = speed;
                    let start = course.position().x - course.position_of(floor).x;
                    for _ in 0..(seconds * hertz) as u32 {
                        course.set_velocity(floor, velocity.into());
                        course.step();
                    }
                    course.position().x - course.position_of(floor).x - start
                };
                walk(0.0, 1.0);
                let walked = [walk(SPEED, 1.0), walk(-SPEED, 0.5)];
                let is_on_floor = course.ground().is_on_floor();
                let case = format!("{case} on {velocity:?}, solid {is_solid}");
                assert!((walked[0] - SPEED).abs() < 0.1, "{case}: {walked:?}");
                assert!((walked[1] + SPEED / 2.0).abs() < 0.1, "{case}: {walked:?}");
                assert!(is_on_floor, "{case}");
            });
        }
    }
}

#[test]
fn a_walker_walks_below_what_fell_on_it() {
    let crates = [(1.0, false), (1.0, true), (0.1, false)];
    for (number, (weight, is_walker)) in crates.into_iter().enumerate() {
        each_body_and_rate(number, |body, hertz, case| {
            let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 10.0), Walker::default());
            let walker = course.walker;
            course.app.world_mut().entity_mut(walker).insert(Solid);
            course.block([0.0, -10.0], [1000.0, 20.0]);
            let crate_mover = Mover {
                weight,
                ..Mover::default()
            };
            let above = (
                RectCollider::new(14.0, 14.0),
                Solid,
                crate_mover,
                Transform::from_xyz(1.0, 60.0, 0.0),
            );
            let above = course.app.world_mut().spawn(above).id();
            if is_walker {
                course
                    .app
                    .world_mut()
                    .entity_mut(above)
                    .insert(Walker::default());
            }
            let mut walk = |speed: f32, seconds: f64| {
                course.speed = speed;
                let start = course.position().x;
                for _ in 0..(seconds * hertz) as u32 {
                    let mut mover: Mut<Mover> = course.app.world_mut().get_mut(above).unwrap();
                    mover.velocity.x = 0.0;
                    mover.velocity.y -= (900.0 / hertz) as f32;
                    course.step();
                }
                course.position().x - start
            };
            walk(0.0, 1.0);
            let walked = walk(SPEED, 2.0);
            let case = format!("{case}, weight {weight}, walker {is_walker}");
            assert!((walked - 2.0 * SPEED).abs() < 0.1, "{case}: {walked}");
            assert!(
                (course.position().y - 6.02).abs() < 0.01,
                "{case}: {}",
                course.position()
            );
        });
    }
}

#[test]
fn a_walker_walks_on_the_head_of_one_that_jumps() {
    for (name, body) in bodies() {
        for hertz in [30.0, 60.0, 144.0, 240.0] {
            let (mut course, floor) = above_mover(hertz, &body, true);
            course
                .app
                .world_mut()
                .entity_mut(floor)
                .insert(Walker::default());
            course.block([0.0, -20.0], [1000.0, 20.0]);
            for step in 0..(4.0 * hertz) as u32 {
                let mut mover: Mut<Mover> = course.app.world_mut().get_mut(floor).unwrap();
                mover.velocity.y -= 900.0 / hertz as f32;
                if step.is_multiple_of(hertz as u32) {
                    mover.velocity.y = 200.0;
                }
                course.speed = if (step / hertz as u32).is_multiple_of(2) {
                    SPEED
                } else {
                    -SPEED
                };
                let before = course.position().x;
                course.step();
                let walked = (course.position().x - before) * hertz as f32;
                assert!(
                    (walked.abs() - SPEED).abs() < 0.1,
                    "{name} at {hertz}, step {step}: {walked}"
                );
            }
        }
    }
}

#[test]
fn a_walker_walks_on_a_slope_that_a_mover_swings() {
    for (name, body) in bodies() {
        for hertz in [30.0, 60.0, 144.0, 240.0] {
            for angle in [-0.4, 0.2, 0.5f32] {
                let (mut course, floor) = above_mover(hertz, &body, false);
                course.transform(floor).rotation = Quat::from_rotation_z(angle);
                course.transform(course.walker).translation.y = 100.0;
                let mut walked = 0.0;
                for step in 0..(4.0 * hertz) as u32 {
                    let time = step as f32 / hertz as f32;
                    let swing = Vec2::new(30.0 * (2.0 * time).sin(), 40.0 * (3.0 * time).cos());
                    course.set_velocity(floor, swing);
                    course.speed = if step < hertz as u32 { 0.0 } else { 20.0 };
                    let start = course.position().x - course.position_of(floor).x;
                    course.step();
                    let end = course.position().x - course.position_of(floor).x;
                    if step >= hertz as u32 {
                        walked += end - start;
                    }
                }
                let expected = 60.0 * angle.cos();
                let case = format!("{name} at {hertz}, angle {angle}");
                assert!((walked - expected).abs() < 0.1, "{case}: {walked}");
                assert!(course.ground().is_on_floor(), "{case}");
            }
        }
    }
}

#[test]
fn walkers_in_a_queue_stay_on_the_floor() {
    let body = Shape::circle(Vec2::ZERO, 4.0);
    for radius_steps in [0.0, 0.3] {
        for speed in [0.0, 30.0, 60.0] {
            let mut course = Course::new(&body, Vec2::new(0.0, 4.02), Walker::default());
            let walker = course.walker;
            course.app.world_mut().entity_mut(walker).insert(Solid);
            course.block([0.0, -10.0], [2000.0, 20.0]);
            course.block([300.0, 50.0], [20.0, 100.0]);
            let mut queue = vec![walker];
            for number in 1..31 {
                let radius = 4.0 + radius_steps * (number % 3) as f32;
                let place = Transform::from_xyz(-8.7 * number as f32, radius + 0.02, 0.0);
                let bundle = (
                    CircleCollider::new(radius),
                    place,
                    Mover::default(),
                    Walker::default(),
                    Solid,
                );
                queue.push(course.app.world_mut().spawn(bundle).id());
            }
            course.speed = speed;
            let mut left = 0;
            for step in 0..800 {
                for &walker in &queue[1..] {
                    let mut mover: Mut<Mover> = course.app.world_mut().get_mut(walker).unwrap();
                    mover.velocity = Vec2::new(speed, mover.velocity.y - 15.0);
                }
                course.left.clear();
                course.step();
                if step >= 400 {
                    left += course.left.len();
                }
            }
            assert_eq!(left, 0, "speed {speed}, radii {radius_steps}");
        }
    }
}
