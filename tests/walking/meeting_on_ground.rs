//! Walkers that meet pushable ones on the ground, on slopes and on decks, and piles of them.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Body, Course, RATES, bodies, spawn_body, square};

/// What a box of 12 by 12 pushes along the ground, with centers at the height of the ground plus
/// their own.
fn rolling() -> [(&'static str, Shape, f32); 3] {
    let trapezoid = [[-8.0, -6.0], [8.0, -6.0], [3.0, 6.0], [-3.0, 6.0]].map(Vec2::from);
    [
        ("barrel", Shape::circle(Vec2::ZERO, 8.0), 8.0),
        (
            "low crate",
            Shape::rect(Vec2::ZERO, Vec2::new(12.0, 4.0), Rot2::IDENTITY),
            2.0,
        ),
        ("trapezoid", Shape::polygon(trapezoid).unwrap(), 6.0),
    ]
}

#[test]
fn what_is_pushed_along_the_ground_neither_hops_nor_slows_who_pushes() {
    for (name, pushed, half) in rolling() {
        for (body_name, body) in &bodies()[..3] {
            for hertz in RATES {
                for count in [1, 3] {
                    let start = Vec2::new(-20.0, 6.02);
                    let mut course = Course::at_rate(hertz, body, start, Walker::default());
                    course.block([0.0, -10.0], [2000.0, 20.0]);
                    let ids: Vec<Entity> = (0..count)
                        .map(|number| {
                            let at =
                                Transform::from_xyz(10.0 + 18.0 * number as f32, half + 0.02, 0.0);
                            let body = Body(pushed.clone());
                            let bundle = (body, Pushable, Walker::default(), at);
                            course.app.world_mut().spawn(bundle).id()
                        })
                        .collect();
                    let case = format!("{body_name} pushes {count} of {name} at {hertz} Hz");
                    course.speed = 60.0;
                    for step in 0..hertz as usize * 2 {
                        for &entity in &ids {
                            let seconds = course.seconds;
                            let mut mover: Mut<Mover> =
                                course.app.world_mut().get_mut(entity).unwrap();
                            mover.velocity = Vec2::new(0.0, mover.velocity.y - 900.0 * seconds);
                        }
                        course.step();
                        let heights = std::iter::once((course.walker, 6.0))
                            .chain(ids.iter().map(|&entity| (entity, half)));
                        for (entity, half) in heights {
                            let y = course.position_of(entity).y - half;
                            assert!((-0.01..0.3).contains(&y), "{case}, step {step}: {y}");
                        }
                    }
                    let walked = course.position().x - start.x;
                    assert!((walked - 120.0).abs() < 2.5, "{case}: {walked}");
                }
            }
        }
    }
}

#[test]
fn a_crate_is_pushed_up_a_slope_at_the_speed_of_who_walks() {
    for degrees in [15.0f32, 30.0, 40.0] {
        // Where it is steeper, a circle gets below a crate.
        let first = usize::from(degrees > 30.0);
        for (name, body) in &bodies()[first..2] {
            for hertz in RATES {
                let mut course =
                    Course::at_rate(hertz, body, Vec2::new(-40.0, 7.0), Walker::default());
                let top = 400.0 * degrees.to_radians().tan();
                course.block([-100.0, -10.0], [200.0, 20.0]);
                course.outline([[0.0, -20.0], [400.0, -20.0], [400.0, top], [0.0, 0.0]]);
                let at = Transform::from_xyz(-20.0, 7.0, 0.0);
                let bundle = (
                    RectCollider::new(12.0, 12.0),
                    Pushable,
                    Walker::default(),
                    at,
                );
                let entity = course.app.world_mut().spawn(bundle).id();
                let run = |course: &mut Course, seconds: f64| {
                    for _ in 0..(seconds * hertz) as usize {
                        let fall = 900.0 * course.seconds;
                        let mut mover: Mut<Mover> = course.app.world_mut().get_mut(entity).unwrap();
                        mover.velocity = Vec2::new(0.0, mover.velocity.y - fall);
                        course.step();
                    }
                };
                course.speed = 60.0;
                run(&mut course, 2.0);
                let before = course.position();
                run(&mut course, 1.0);
                let moved = course.position() - before;
                let case = format!("{name} at {hertz} Hz on {degrees} degrees: {moved}");
                assert!((moved.length() - 60.0).abs() < 1.0, "{case}");
            }
        }
    }
}

#[test]
fn a_pile_at_rest_stays_at_rest_bit_for_bit() {
    let circle = Shape::circle(Vec2::ZERO, 6.0);
    let piles: [(&str, Vec<(Shape, [f32; 2])>); 5] = [
        (
            "a stack",
            (0..4)
                .map(|row| (square(12.0), [0.0, 6.1 + 12.1 * row as f32]))
                .collect(),
        ),
        (
            "an oblique stack",
            (0..4)
                .map(|row| (square(12.0), [4.0 * row as f32, 6.1 + 12.1 * row as f32]))
                .collect(),
        ),
        (
            "a wall of bricks",
            (0..9)
                .map(|cell| {
                    let [column, row] = [cell % 3, cell / 3].map(|of| of as f32);
                    (square(12.0), [12.1 * column + 6.0 * row, 6.1 + 12.1 * row])
                })
                .collect(),
        ),
        (
            "barrels in a gap",
            vec![
                (circle.clone(), [-94.0, 6.1]),
                (circle.clone(), [-81.0, 6.1]),
                (circle.clone(), [-87.5, 17.0]),
            ],
        ),
        (
            "barrels and crates",
            vec![
                (square(12.0), [0.0, 6.1]),
                (circle.clone(), [0.0, 18.3]),
                (square(12.0), [13.0, 6.1]),
                (circle, [26.0, 6.1]),
            ],
        ),
    ];
    for (name, pile) in piles {
        for hertz in [15.0, 30.0, 60.0, 240.0] {
            let mut course = Course::at_rate(
                hertz,
                &square(12.0),
                Vec2::new(150.0, 6.1),
                Walker::default(),
            );
            course.block([0.0, -10.0], [400.0, 20.0]);
            course.block([-110.0, 50.0], [20.0, 100.0]);
            course.block([-65.0, 50.0], [20.0, 100.0]);
            let ids: Vec<Entity> = pile
                .iter()
                .map(|(shape, [x, y])| {
                    let at = Transform::from_xyz(*x, *y, 0.0);
                    let body = Body(shape.clone());
                    let bundle = (body, Pushable, Walker::default(), at);
                    course.app.world_mut().spawn(bundle).id()
                })
                .collect();
            let mut known = Vec::new();
            for update in 0..400 {
                for &entity in &ids {
                    let fall = 900.0 * course.seconds;
                    let mut mover: Mut<Mover> = course.app.world_mut().get_mut(entity).unwrap();
                    mover.velocity = Vec2::new(0.0, mover.velocity.y - fall);
                }
                course.step();
                let now: Vec<Vec2> = ids
                    .iter()
                    .map(|&entity| course.position_of(entity))
                    .collect();
                if update > 200 {
                    assert_eq!(now, known, "{name} at {hertz} Hz, update {update}");
                }
                known = now;
            }
        }
    }
}

#[test]
fn who_steps_onto_a_crate_while_it_pushes_it_is_never_deep_in_it() {
    for (name, body) in &bodies()[..2] {
        for hertz in RATES {
            for height in [2.0, 4.0, 8.0] {
                let walker = Walker {
                    step_height: 8.5,
                    ..default()
                };
                let mut course = Course::at_rate(hertz, body, Vec2::new(-20.0, 6.02), walker);
                course.block([0.0, -10.0], [2000.0, 20.0]);
                let at = Transform::from_xyz(10.0, height / 2.0 + 0.02, 0.0);
                let collider = RectCollider::new(24.0, height);
                let bundle = (collider, Pushable, Walker::default(), at);
                let entity = course.app.world_mut().spawn(bundle).id();
                course.speed = 60.0;
                for step in 0..hertz as usize * 2 {
                    let fall = 900.0 * course.seconds;
                    let mut mover: Mut<Mover> = course.app.world_mut().get_mut(entity).unwrap();
                    mover.velocity = Vec2::new(0.0, mover.velocity.y - fall);
                    course.step();
                    let size = Vec2::new(24.0, height);
                    let shape = Shape::rect(course.position_of(entity), size, Rot2::IDENTITY);
                    let walker = body.translated(course.position());
                    let distance = bevy_thud::geometry::separation(&walker, &shape).distance;
                    let case = format!("{name} at {hertz} Hz, {height} high, step {step}");
                    assert!(distance > -0.1, "{case}: {distance}");
                }
            }
        }
    }
}

#[test]
fn who_lands_on_a_deck_that_rises_ends_on_it() {
    for hertz in RATES {
        for height in 0..8 {
            let start = Vec2::new(30.0, 20.0 + 0.7 * height as f32);
            let circle = Shape::circle(Vec2::ZERO, 6.0);
            let mut course = Course::at_rate(hertz, &circle, start, Walker::default());
            let body = spawn_body(&mut course, Vec2::ZERO, [false, true]);
            for step in 0..hertz as usize {
                course.set_velocity(body, Vec2::Y * 30.0);
                course.step();
                let gap = course.position().y - 6.0 - course.position_of(body).y - 5.0;
                assert!(gap > -0.02, "{height} at {hertz} Hz, step {step}: {gap}");
            }
            let y = course.position_of(body).y;
            assert!((y - 30.0).abs() < 0.1, "{height} at {hertz} Hz: {y}");
        }
    }
}
