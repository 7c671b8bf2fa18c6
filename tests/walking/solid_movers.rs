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

/// A platform of 200 by 10 that is a mover, and a second circle high above it, all of them solid.
fn two_above_platform(hertz: f64, is_one_way: bool, x: f32, height: f32) -> (Course, [Entity; 2]) {
    let circle = Shape::circle(Vec2::ZERO, 6.0);
    let mut course = Course::at_rate(hertz, &circle, Vec2::new(0.0, 11.2), Walker::default());
    let walker = course.walker;
    let world = course.app.world_mut();
    world.entity_mut(walker).insert(Solid);
    let platform = (RectCollider::new(200.0, 10.0), Solid, Mover::default());
    let mut platform = world.spawn(platform);
    if is_one_way {
        platform.insert(OneWay(Dir2::Y));
    }
    let platform = platform.id();
    let at = Transform::from_xyz(x, 23.2 + height, 0.0);
    let second = (CircleCollider::new(6.0), Solid, Walker::default(), at);
    let second = world.spawn(second).id();
    (course, [platform, second])
}

#[test]
fn a_platform_that_is_a_mover_lifts_all_that_stands_and_lands_on_it_at_its_own_speed() {
    for hertz in [30.0, 60.0, 144.0] {
        for is_one_way in [false, true] {
            for speed in [-20.0f32, 0.0, 20.0, 60.0] {
                for (x, height) in [(0.0, 20.0), (0.0, 200.0), (5.0, 60.0), (60.0, 60.0)] {
                    let (mut course, [platform, second]) =
                        two_above_platform(hertz, is_one_way, x, height);
                    let movers = [course.walker, second];
                    for step in 0..(2.0 * hertz) as usize {
                        course.set_velocity(platform, Vec2::Y * speed);
                        let seconds = course.seconds;
                        let mut mover: Mut<Mover> = course.app.world_mut().get_mut(second).unwrap();
                        mover.velocity = Vec2::new(0.0, mover.velocity.y - 900.0 * seconds);
                        course.step();
                        let top = course.position_of(platform).y + 5.0;
                        let case = format!(
                            "{hertz} Hz, {is_one_way}, {speed}, from {x}, {height}, step {step}"
                        );
                        for mover in movers {
                            let gap = course.position_of(mover).y - 6.0 - top;
                            assert!(gap > -0.02, "{case}: {gap}");
                        }
                    }
                    let lifted = course.position_of(platform).y;
                    let case = format!("{hertz} Hz, {is_one_way}, {speed}, from {x}, {height}");
                    assert!((lifted - 2.0 * speed).abs() < 0.3, "{case}: {lifted}");
                }
            }
        }
    }
}

#[test]
fn who_drops_through_a_platform_that_is_a_mover_falls_and_does_not_hold_it_up() {
    for hertz in [30.0, 60.0, 144.0, 240.0] {
        for weight in [0.2, 1.0, 5.0] {
            for speed in [-30.0f32, 0.0, 30.0] {
                let (mut course, [platform, second]) = two_above_platform(hertz, true, 80.0, 0.0);
                course.app.world_mut().despawn(second);
                let step = |course: &mut Course| {
                    let mut mover: Mut<Mover> = course.app.world_mut().get_mut(platform).unwrap();
                    (mover.velocity, mover.weight) = (Vec2::Y * speed, weight);
                    course.step();
                };
                for _ in 0..hertz as usize {
                    step(&mut course);
                }
                let walker = course.walker;
                let mut ground: Mut<Ground> = course.app.world_mut().get_mut(walker).unwrap();
                ground.drop_through();
                let before = course.position_of(platform).y;
                for _ in 0..hertz as usize {
                    step(&mut course);
                }
                let case = format!("{hertz} Hz, {weight}, {speed}");
                assert!(
                    course.position().y < before - 200.0,
                    "{case}: {}",
                    course.position()
                );
                let lifted = course.position_of(platform).y - before;
                let one_update = speed.abs() / hertz as f32;
                assert!(
                    (lifted - speed).abs() < one_update + 0.1,
                    "{case}: {lifted}"
                );
            }
        }
    }
}
