//! Floors that movers carry, movers that are pushed or carried themselves, and what they do to
//! walkers.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, bodies, each_body_and_rate};

/// A mover without a collider, with a solid child of a size at an offset.
fn mover_with_child(course: &mut Course, size: Vec2, offset: Vec3) -> [Entity; 2] {
    let world = course.app.world_mut();
    let mover = world.spawn(Mover::default()).id();
    let child = (
        RectCollider::new(size.x, size.y),
        Solid,
        ChildOf(mover),
        Transform::from_translation(offset),
    );
    [mover, world.spawn(child).id()]
}

#[test]
fn who_lands_on_a_child_of_a_mover_walks_and_rides_on_it() {
    for is_one_way in [false, true] {
        for (number, speed) in [60.0, -60.0, 0.0].into_iter().enumerate() {
            each_body_and_rate(number + usize::from(is_one_way), |body, hertz, case| {
                let start = Vec2::new(0.0, 32.0);
                let mut course = Course::at_rate(hertz, body, start, Walker::default());
                let [lift, floor] =
                    mover_with_child(&mut course, Vec2::new(400.0, 8.0), Vec3::ZERO);
                if is_one_way {
                    course
                        .app
                        .world_mut()
                        .entity_mut(floor)
                        .insert(OneWay(Dir2::Y));
                }
                let walk = |course: &mut Course, walk: f32| {
                    let start = course.position().x;
                    for _ in 0..hertz as usize {
                        course.speed = walk;
                        course.set_velocity(lift, Vec2::Y * speed);
                        course.step();
                    }
                    course.position().x - start
                };
                walk(&mut course, 0.0);
                let walked = walk(&mut course, 60.0);
                let height = course.position().y - course.position_of(lift).y;
                let case = format!("{case}, one-way {is_one_way}, {speed}");
                assert!((walked - 60.0).abs() < 0.1, "{case}: {walked}");
                assert!((height - 10.02).abs() < 0.02, "{case}: {height}");
                let velocity = course.ground().floor_velocity();
                assert!((velocity.y - speed).abs() < 0.1, "{case}: {velocity}");
            });
        }
    }
}

#[test]
fn a_child_of_a_mover_pushes_who_stands_in_its_path() {
    for (name, body) in bodies() {
        for speed in [120.0, 600.0] {
            let mut course = Course::new(&body, Vec2::new(60.0, 6.02), Walker::default());
            course.block([0.0, -10.0], [4000.0, 20.0]);
            let [cart, _] = mover_with_child(
                &mut course,
                Vec2::new(20.0, 60.0),
                Vec3::new(0.0, 31.0, 0.0),
            );
            course.settle();
            for _ in 0..60 {
                course.set_velocity(cart, Vec2::X * speed);
                course.step();
                let gap = course.position().x - course.position_of(cart).x - 16.0;
                assert!(gap > 0.01, "{name} at {speed}: {gap}");
            }
            assert!(course.position().x > speed, "{name} at {speed}");
        }
    }
}

#[test]
fn a_floor_that_another_mover_pushes_carries_who_stands_on_it() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 12.0), Walker::default());
        let floor = (
            RectCollider::new(100.0, 8.0),
            Solid,
            Mover {
                weight: 0.1,
                ..default()
            },
        );
        let floor = course.app.world_mut().spawn(floor).id();
        let pusher = (
            RectCollider::new(20.0, 7.0),
            Solid,
            Mover::default(),
            Transform::from_xyz(-61.0, 0.0, 0.0),
        );
        let pusher = course.app.world_mut().spawn(pusher).id();
        course.settle();
        let start = course.position().x - course.position_of(floor).x;
        for _ in 0..60 {
            // One that rests is not pushed.
            course.set_velocity(floor, Vec2::X * 1e-3);
            course.set_velocity(pusher, Vec2::X * 60.0);
            course.step();
            let drift = course.position().x - course.position_of(floor).x - start;
            assert!(drift.abs() < 1e-3, "{name}: {drift}");
        }
        let pushed = course.position_of(floor).x;
        assert!(pushed > 5.0, "{name}: {pushed}");
        let velocity = course.ground().floor_velocity().x;
        assert!((velocity - pushed).abs() < 0.2, "{name}: {velocity}");
    }
}

#[test]
fn a_deck_has_the_velocity_of_its_ship_also_if_it_is_a_mover() {
    for (name, body) in bodies() {
        for is_mover in [false, true] {
            let mut course = Course::new(&body, Vec2::new(0.0, 12.0), Walker::default());
            let world = course.app.world_mut();
            let ship = world.spawn(Transform::default()).id();
            let deck = (RectCollider::new(400.0, 8.0), Solid, ChildOf(ship));
            let deck = world.spawn(deck).id();
            if is_mover {
                world.entity_mut(deck).insert(Mover::default());
            }
            course.settle();
            let sail = |course: &mut Course, updates: usize| {
                for _ in 0..updates {
                    course.transform(ship).translation.x += 100.0 / 60.0;
                    course.speed = match course.ground().floor() {
                        Some(_) => 0.0,
                        None => course.velocity().x,
                    };
                    course.step();
                }
                course.position().x - course.transform(ship).translation.x
            };
            sail(&mut course, 30);
            let velocity = course.ground().floor_velocity();
            let case = format!("{name}, mover {is_mover}");
            assert!((velocity.x - 100.0).abs() < 0.01, "{case}: {velocity}");
            course.jump(250.0);
            let drift = sail(&mut course, 40);
            assert!(course.ground().is_on_floor(), "{case}");
            assert!(drift.abs() < 0.01, "{case}: {drift}");
        }
    }
}

#[test]
fn a_deck_that_is_teleported_keeps_its_velocity() {
    for (name, body) in bodies() {
        for is_child in [false, true] {
            let mut course = Course::new(&body, Vec2::new(0.0, 12.0), Walker::default());
            let [deck, _] = mover_with_child(&mut course, Vec2::new(400.0, 8.0), Vec3::ZERO);
            let ship = course.app.world_mut().spawn(Transform::default()).id();
            if is_child {
                course
                    .app
                    .world_mut()
                    .entity_mut(deck)
                    .insert(ChildOf(ship));
            }
            course.settle();
            let sail = |course: &mut Course| {
                for _ in 0..30 {
                    course.set_velocity(deck, Vec2::X * 60.0);
                    course.step();
                }
                course.ground().floor_velocity().x
            };
            assert!((sail(&mut course) - 60.0).abs() < 0.01, "{name}");
            course.transform(deck).translation.x += 50.0;
            course.set_velocity(deck, Vec2::X * 60.0);
            course.step();
            let velocity = course.ground().floor_velocity().x;
            assert!((velocity - 60.0).abs() < 0.01, "{name}: {velocity}");
        }
    }
}

#[test]
fn a_one_way_mover_is_dropped_through_however_it_moves_and_at_any_rate() {
    for (name, body) in bodies() {
        for speed in [60.0, -60.0, 0.0, 200.0] {
            for hertz in [30.0, 60.0, 144.0, 240.0] {
                let start = Vec2::new(0.0, 12.0);
                let mut course = Course::at_rate(hertz, &body, start, Walker::default());
                let lift = (
                    RectCollider::new(400.0, 8.0),
                    Solid,
                    OneWay(Dir2::Y),
                    Mover::default(),
                );
                let lift = course.app.world_mut().spawn(lift).id();
                let ride = |course: &mut Course| {
                    for _ in 0..hertz as usize {
                        course.set_velocity(lift, Vec2::Y * speed);
                        course.step();
                    }
                };
                ride(&mut course);
                let case = format!("{name}, {speed} at {hertz} Hz");
                let floor = course.ground().floor().expect(&case);
                let point = floor.point - course.position_of(lift);
                // In the middle of the foot.
                let foot = if name == "box with a chamfer" {
                    -2.0
                } else {
                    0.0
                };
                let middle = Vec2::new(foot, 4.0);
                assert!(point.distance(middle) < 0.01, "{case}: {point}");
                let walker = course.walker;
                let mut ground: Mut<Ground> = course.app.world_mut().get_mut(walker).unwrap();
                ground.drop_through();
                ride(&mut course);
                let height = course.position().y - course.position_of(lift).y;
                assert!(height < -10.0, "{case}: {height}");
            }
        }
    }
}

#[test]
fn who_stands_on_a_floor_is_hit_by_it_in_each_update() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(-50.0, 6.1), Walker::default());
        let grass = course.block([-50.0, -10.0], [100.0, 20.0]);
        let spikes = course.block([50.0, -10.0], [100.0, 20.0]);
        course.settle();
        course.speed = 60.0;
        for _ in 0..90 {
            course.step();
            let floor = *course.ground().floor().unwrap();
            let hits: Vec<MoverHit> = course.get::<MoverHits>().iter().copied().collect();
            let hit = hits.iter().find(|hit| hit.blocker == floor.entity);
            let hit = hit.unwrap_or_else(|| panic!("{name}: {hits:?}"));
            assert!(hit.normal.distance(Vec2::Y) < 1e-6, "{name}");
            assert!((hit.speed - 15.0).abs() < 8.0, "{name}: {}", hit.speed);
            assert!(floor.entity == grass || floor.entity == spikes, "{name}");
        }
        assert_eq!(course.ground().floor().unwrap().entity, spikes, "{name}");
        course.jump(250.0);
        course.step();
        assert_eq!(course.get::<MoverHits>().len(), 0, "{name}");
    }
}
