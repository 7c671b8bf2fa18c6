//! Crates that walkers, and other movers, push.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, GRAVITY, RATES, bodies};

const SPEED: f32 = 50.0;
/// Of a crate.
const SIZE: f32 = 12.0;

/// A crate with its center at a position. It falls, and follows slopes.
fn spawn_crate(course: &mut Course, x: f32, y: f32) -> Entity {
    let crate_bundle = (
        RectCollider::new(SIZE, SIZE),
        Pushable,
        Walker::default(),
        Transform::from_xyz(x, y, 0.0),
    );
    course.app.world_mut().spawn(crate_bundle).id()
}

/// Steps while the crates fall.
fn step(course: &mut Course, crates: &[Entity]) {
    for &entity in crates {
        let seconds = course.seconds;
        let mut mover: Mut<Mover> = course.app.world_mut().get_mut(entity).unwrap();
        mover.velocity.x = 0.0;
        mover.velocity.y -= GRAVITY * seconds;
    }
    course.step();
}

/// A walker at the left of a row of crates on flat ground.
fn row(hertz: f64, body: &Shape, count: usize) -> (Course, Vec<Entity>) {
    let mut course = Course::at_rate(hertz, body, Vec2::new(-20.0, 6.1), Walker::default());
    course.block([0.0, -10.0], [2000.0, 20.0]);
    let xs = (0..count).map(|number| 10.0 + 14.0 * number as f32);
    let crates: Vec<Entity> = xs.map(|x| spawn_crate(&mut course, x, 6.1)).collect();
    for _ in 0..hertz as usize / 2 {
        step(&mut course, &crates);
    }
    (course, crates)
}

#[test]
fn who_walks_into_a_row_of_crates_pushes_it_at_full_speed_without_a_gap() {
    for (name, body) in bodies() {
        for hertz in RATES {
            for count in [1, 3] {
                let (mut course, crates) = row(hertz, &body, count);
                course.speed = SPEED;
                for _ in 0..hertz as usize * 2 {
                    step(&mut course, &crates);
                }
                let case = format!("{name} at {hertz} Hz, {count} crates");
                let start = course.position().x;
                for _ in 0..hertz as usize {
                    step(&mut course, &crates);
                    let mut right = course.position().x + 6.0;
                    for &entity in &crates {
                        let center = course.position_of(entity);
                        let gap = center.x - SIZE / 2.0 - right;
                        assert!((0.0..0.05).contains(&gap), "{case}: {gap}");
                        assert!((center.y - 6.02).abs() < 0.02, "{case}: {center}");
                        right = center.x + SIZE / 2.0;
                    }
                }
                let walked = course.position().x - start;
                assert!((walked - SPEED).abs() < 0.1, "{case}: {walked}");
                assert!((course.velocity().x - SPEED).abs() < 0.1, "{case}");
                course.speed = 0.0;
                let end = course.position_of(crates[0]);
                for _ in 0..hertz as usize {
                    step(&mut course, &crates);
                }
                assert!(course.position_of(crates[0]).distance(end) < 0.01, "{case}");
            }
        }
    }
}

#[test]
fn a_crate_that_runs_into_another_one_stays_at_who_pushes_it() {
    for (name, body) in bodies() {
        let (mut course, crates) = row(60.0, &body, 2);
        // In the third update, the walker reaches the first crate, and that one the second.
        course.speed = 480.0;
        for _ in 0..3 {
            step(&mut course, &crates);
        }
        let [first, second] = [0, 1].map(|number| course.position_of(crates[number]).x);
        let gaps = [first - course.position().x, second - first].map(|width| width - SIZE);
        for gap in gaps {
            assert!((0.0..0.1).contains(&gap), "{name}: {gaps:?}");
        }
    }
}

#[test]
fn a_wall_blocks_a_row_of_crates_and_who_pushes_it() {
    for (name, body) in bodies() {
        for hertz in RATES {
            let (mut course, crates) = row(hertz, &body, 2);
            course.block([110.0, 50.0], [20.0, 200.0]);
            course.speed = SPEED;
            for _ in 0..hertz as usize * 4 {
                step(&mut course, &crates);
            }
            let ends = [
                course.position().x + 6.0,
                course.position_of(crates[0]).x + 6.0,
                course.position_of(crates[1]).x + 6.0,
            ];
            for (end, expected) in ends.into_iter().zip([76.0, 88.0, 100.0]) {
                let gap = expected - end;
                assert!((0.0..0.15).contains(&gap), "{name} at {hertz} Hz: {ends:?}");
            }
        }
    }
}

#[test]
fn a_crate_is_pushed_up_and_down_slopes_and_falls_over_an_edge() {
    for (name, body) in bodies() {
        for hertz in RATES {
            let mut course =
                Course::at_rate(hertz, &body, Vec2::new(-60.0, 6.1), Walker::default());
            course.block([-50.0, -10.0], [100.0, 20.0]);
            course.outline([[0.0, -20.0], [100.0, -20.0], [100.0, 30.0], [0.0, 0.0]]);
            course.outline([[100.0, -20.0], [200.0, -20.0], [200.0, 0.0], [100.0, 30.0]]);
            course.block([300.0, -60.0], [200.0, 20.0]);
            let entity = spawn_crate(&mut course, -40.0, 6.1);
            let mut highest = 0.0f32;
            course.speed = SPEED;
            for _ in 0..(8.0 * hertz) as usize {
                step(&mut course, &[entity]);
                highest = highest.max(course.position_of(entity).y);
            }
            let case = format!("{name} at {hertz} Hz");
            assert!(highest > 34.0, "{case}: {highest}");
            let end = course.position_of(entity);
            assert!(end.x > 200.0, "{case}: {end}");
            assert!((end.y + 44.0).abs() < 0.1, "{case}: {end}");
        }
    }
}

#[test]
fn a_crate_is_pushed_on_a_lift_that_rises_and_sinks() {
    for (name, body) in bodies() {
        for hertz in RATES {
            for lift_speed in [20.0, -20.0] {
                let start = Vec2::new(-40.0, 6.1);
                let mut course = Course::at_rate(hertz, &body, start, Walker::default());
                let lift = course.block([0.0, -4.0], [400.0, 8.0]);
                let entity = spawn_crate(&mut course, -20.0, 6.1);
                let run = |course: &mut Course| {
                    for _ in 0..hertz as usize {
                        let delta = lift_speed * course.seconds;
                        course.transform(lift).translation.y += delta;
                        step(course, &[entity]);
                    }
                };
                run(&mut course);
                course.speed = SPEED;
                run(&mut course);
                let before = course.position_of(entity);
                run(&mut course);
                let case = format!("{name} at {hertz} Hz, {lift_speed}");
                let moved = course.position_of(entity) - before;
                assert!((moved.x - SPEED).abs() < 0.1, "{case}: {moved}");
                assert!((moved.y - lift_speed).abs() < 0.1, "{case}: {moved}");
            }
        }
    }
}

/// A world seen from above, with a mover.
fn from_above(hertz: f64, body: &Shape, position: Vec2) -> Course {
    let mut course = Course::at_rate(hertz, body, position, Walker::default());
    let mover = course.walker;
    course.app.world_mut().entity_mut(mover).remove::<Walker>();
    course
}

#[test]
fn from_above_a_crate_is_pushed_in_any_direction_and_along_walls() {
    for (name, body) in bodies() {
        for hertz in RATES {
            let mut course = from_above(hertz, &body, Vec2::new(0.0, -20.0));
            course.block([0.0, 60.0], [400.0, 20.0]);
            let crate_bundle = (RectCollider::new(SIZE, SIZE), Pushable);
            let entity = course.app.world_mut().spawn(crate_bundle).id();
            let run = |course: &mut Course, velocity: Vec2| {
                for _ in 0..hertz as usize * 2 {
                    course.mover().velocity = velocity;
                    course.app.update();
                }
            };
            run(&mut course, Vec2::Y * SPEED);
            let case = format!("{name} at {hertz} Hz");
            let end = course.position_of(entity);
            assert!((end.y - 44.0).abs() < 0.1, "{case}: {end}");
            assert!(end.x.abs() < 0.1, "{case}: {end}");
            let gap = end.y - SIZE / 2.0 - (course.position().y + body.aabb().max.y);
            assert!((0.0..0.2).contains(&gap), "{case}: {gap}");
        }
    }
}

#[test]
fn two_that_push_side_by_side_push_no_faster_than_one() {
    for (name, body) in bodies() {
        let mut course = from_above(60.0, &body, Vec2::new(-7.0, -20.0));
        let world = course.app.world_mut();
        let wide = (RectCollider::new(40.0, SIZE), Pushable);
        let entity = world.spawn(wide).id();
        let second = (
            CircleCollider::new(6.0),
            Transform::from_xyz(8.0, -20.0, 0.0),
        );
        let second = world.spawn((second, Mover::default())).id();
        for _ in 0..120 {
            for mover in [course.walker, second] {
                let mut mover: Mut<Mover> = course.app.world_mut().get_mut(mover).unwrap();
                mover.velocity = Vec2::Y * SPEED;
            }
            course.app.update();
            let crate_y = course.position_of(entity).y;
            if crate_y > 1.0 {
                let tops = [
                    course.position().y + body.aabb().max.y,
                    course.position_of(second).y + 6.0,
                ];
                let gap = crate_y - SIZE / 2.0 - tops[0].max(tops[1]);
                assert!((0.0..0.1).contains(&gap), "{name}: {gap}");
            }
        }
        let pushed = course.position_of(entity).y;
        let first_gap = 20.0 - SIZE / 2.0 - body.aabb().max.y;
        let expected = 2.0 * SPEED - first_gap;
        assert!((pushed - expected).abs() < 1.0, "{name}: {pushed}");
    }
}

#[test]
fn crates_end_the_same_in_any_order_of_spawning() {
    let end = |is_reversed: bool| {
        let mut course = from_above(60.0, &bodies()[0].1, Vec2::new(500.0, 0.0));
        let mut places = [
            ([-4.0, 0.0], None),
            ([9.0, 3.0], None),
            ([0.0, 14.0], None),
            ([13.0, 17.0], None),
            ([-9.0, -30.0], Some(Vec2::new(7.0, SPEED))),
            ([-30.0, 4.0], Some(Vec2::new(SPEED, -5.0))),
            ([14.0, -26.0], Some(Vec2::new(-9.0, SPEED))),
        ];
        if is_reversed {
            places.reverse();
        }
        let mut movers: Vec<(Entity, Option<Vec2>)> = Vec::new();
        for ([x, y], velocity) in places {
            let at = Transform::from_xyz(x, y, 0.0);
            let world = course.app.world_mut();
            let mover = match velocity {
                None => world.spawn((RectCollider::new(SIZE, SIZE), Pushable, at)),
                Some(_) => world.spawn((CircleCollider::new(6.0), Mover::default(), at)),
            };
            movers.push((mover.id(), velocity));
        }
        if is_reversed {
            movers.reverse();
        }
        for _ in 0..180 {
            for &(entity, velocity) in &movers {
                let mut mover: Mut<Mover> = course.app.world_mut().get_mut(entity).unwrap();
                mover.velocity = velocity.unwrap_or_default();
            }
            course.app.update();
        }
        let ends = movers.iter().map(|&(entity, _)| course.position_of(entity));
        ends.collect::<Vec<_>>()
    };
    assert_eq!(end(false), end(true));
    assert!(end(false)[2].y > 40.0);
}
