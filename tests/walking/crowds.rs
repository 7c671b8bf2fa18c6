//! Many walkers at once, and the same walk at any rate and far away.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Body, Course, bodies},
    long::cases,
};

/// Spawns walkers over hills in this order, and lets them walk. Returns where each ends.
fn crowd(order: &[usize]) -> Vec<Vec2> {
    let body = Shape::circle(Vec2::ZERO, 4.0);
    let mut course = Course::new(&body, Vec2::new(-500.0, 10.0), Walker::default());
    for number in 0..100 {
        let height = 8.0 * (number % 7) as f32;
        let x = -500.0 + 40.0 * number as f32;
        course.outline([
            [x, -50.0],
            [x + 40.0, -50.0],
            [x + 40.0, 0.0],
            [x + 20.0, height],
            [x, 0.0],
        ]);
    }
    let mut walkers = vec![Entity::PLACEHOLDER; order.len()];
    for &number in order {
        let x = -400.0 + 3.5 * number as f32;
        let transform = Transform::from_xyz(x, 60.0 + 9.0 * (number % 5) as f32, 0.0);
        let bundle = (
            Body(body.clone()),
            transform,
            Mover::default(),
            Walker::default(),
            Solid,
        );
        walkers[number] = course.app.world_mut().spawn(bundle).id();
    }
    for step in 0..240 {
        for (number, &walker) in walkers.iter().enumerate() {
            let mut mover: Mut<Mover> = course.app.world_mut().get_mut(walker).unwrap();
            let speed = if (number + step / 60) % 3 == 0 {
                -60.0
            } else {
                60.0
            };
            mover.velocity = Vec2::new(speed, mover.velocity.y - 15.0);
        }
        course.step();
    }
    walkers
        .iter()
        .map(|&walker| course.position_of(walker))
        .collect()
}

#[test]
fn a_crowd_of_walkers_ends_the_same_in_any_order_of_spawning() {
    let forward: Vec<usize> = (0..cases(200, 1000)).collect();
    let backward: Vec<usize> = forward.iter().rev().copied().collect();
    let ends = crowd(&forward);
    assert!(ends.iter().all(|end| end.is_finite() && end.y > -4.0));
    assert_eq!(ends, crowd(&backward));
}

#[test]
fn jumps_are_as_high_and_as_far_at_any_rate() {
    for (name, body) in bodies() {
        let jump = |hertz: f64| {
            let mut course =
                Course::at_rate(hertz, &body, Vec2::new(-190.0, 6.1), Walker::default());
            course.block([300.0, -8.0], [1000.0, 16.0]);
            course.settle();
            course.speed = 120.0;
            course.steps((0.2 * hertz) as usize);
            let start = course.position();
            course.jump(300.0);
            let mut highest = 0.0f32;
            loop {
                course.step();
                highest = highest.max(course.position().y - start.y);
                if course.ground().is_on_floor() {
                    return Vec2::new(course.position().x - start.x, highest);
                }
            }
        };
        let expected = Vec2::new(120.0 * 2.0 * 300.0 / 900.0, 300.0 * 300.0 / 1800.0);
        for hertz in [30.0, 60.0, 240.0] {
            let found = jump(hertz);
            assert!(
                (found.y / expected.y - 1.0).abs() < 0.01,
                "{name} at {hertz} Hz: {found}"
            );
            // It lands within the update that ends after the landing.
            assert!(
                (found.x - expected.x).abs() < 120.0 / hertz as f32 + 0.8,
                "{name}: {found}"
            );
        }
    }
}

#[test]
fn a_walker_far_from_the_origin_stays_on_the_floor() {
    for (name, body) in bodies() {
        let origin = Vec2::splat(100_000.0);
        let mut course = Course::new(&body, origin + Vec2::Y * 8.0, Walker::default());
        for number in -20..20 {
            course.block(
                [origin.x + number as f32 * 16.0, origin.y - 8.0],
                [16.0, 16.0],
            );
        }
        course.settle();
        for step in 0..1000 {
            course.speed = if step / 100 % 2 == 0 { 100.0 } else { -100.0 };
            course.step();
            assert!(course.ground().is_on_floor(), "{name}, step {step}");
        }
        assert_eq!(course.left, [], "{name}");
        assert!(
            (course.position() - origin).length() < 10.0,
            "{name}: {}",
            course.position()
        );
    }
}

#[test]
fn asking_where_a_walker_would_go_is_where_it_goes() {
    for (name, body) in bodies() {
        let walker = Walker {
            step_height: 6.0,
            ..default()
        };
        let mut course = Course::new(&body, Vec2::new(0.0, 6.1), walker);
        course.outline([
            [-100.0, 0.0],
            [-100.0, -50.0],
            [300.0, -50.0],
            [300.0, 60.0],
            [180.0, 0.0],
        ]);
        course.block([120.0, 2.5], [40.0, 5.0]);
        course.settle();
        course.gravity = 0.0;
        course.speed = 100.0;
        for step in 0..150 {
            course.mover().velocity = Vec2::ZERO;
            let asked = course.predict();
            let start = course.position();
            course.step();
            assert_eq!(
                course.position(),
                start + asked.displacement,
                "{name}, step {step}"
            );
            assert_eq!(course.velocity(), asked.velocity, "{name}, step {step}");
            assert_eq!(
                course.ground().floor(),
                asked.ground.floor(),
                "{name}, step {step}"
            );
        }
        assert!(course.position().y > 12.0, "{name}: {}", course.position());
    }
}

#[test]
fn an_explanation_says_what_a_walker_stands_on_and_why_not() {
    use bevy::ecs::system::RunSystemOnce;
    let body = &bodies()[0].1;
    let mut course = Course::new(body, Vec2::new(0.0, 6.1), Walker::default());
    let floor = course.block([0.0, -8.0], [100.0, 16.0]);
    let slope = course.outline([[30.0, 0.0], [60.0, 0.0], [60.0, 40.0]]);
    course.settle();
    course.speed = 100.0;
    course.steps(60);
    let walker = course.walker;
    let mut explain = |other| {
        let asked = course
            .app
            .world_mut()
            .run_system_once(move |collisions: Collisions| {
                collisions.explain(walker, other).to_string()
            });
        asked.unwrap()
    };
    let stands = format!("{walker} stands on {floor}.");
    assert!(explain(floor).contains(&stands), "{}", explain(floor));
    let steep = "its slope of 53.1° is above `Walker::max_slope` of 45.6°.";
    assert!(explain(slope).contains(steep), "{}", explain(slope));
}

#[test]
fn a_walker_that_is_none_any_more_has_no_ground() {
    let body = &bodies()[0].1;
    let mut course = Course::new(body, Vec2::new(0.0, 6.1), Walker::default());
    course.block([0.0, -8.0], [100.0, 16.0]);
    course.settle();
    let walker = course.walker;
    course.app.world_mut().entity_mut(walker).remove::<Walker>();
    assert_eq!(*course.ground(), Ground::default());
}

#[test]
fn nasty_settings_never_panic_nor_disturb() {
    let nasty = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        -1.0,
        0.0,
        f32::MAX,
        1e-30,
    ];
    for (name, body) in bodies() {
        for number in nasty {
            let walker = Walker {
                max_slope: number,
                snap_distance: number,
                step_height: number,
                step_width: number,
                corner_correction: number,
                ..default()
            };
            let mut course = Course::new(&body, Vec2::new(0.0, 7.0), walker);
            let floor = course.block([0.0, -8.0], [100.0, 16.0]);
            course.block([60.0, 20.0], [40.0, 80.0]);
            course
                .app
                .world_mut()
                .entity_mut(floor)
                .insert(Conveyor(Vec2::splat(number)));
            course.speed = 100.0;
            course.steps(60);
            let at = course.position();
            assert!(
                at.is_finite() && at.x < 34.1 && at.y > 5.9,
                "{name}, {number}: {at}"
            );
        }
    }
}

#[test]
fn who_stands_idly_on_a_ferry_is_not_pushed_by_one_who_walks() {
    let body = &bodies()[1].1;
    for is_mover in [false, true] {
        let mut course = Course::new(body, Vec2::new(12.5, 6.1), Walker::default());
        let ferry = course.block([0.0, -8.0], [400.0, 16.0]);
        let hero = course.walker;
        course.app.world_mut().entity_mut(hero).insert(Solid);
        let idle = (Mover::default(), Walker::default(), Solid);
        let idle = (
            Body(body.clone()),
            Transform::from_xyz(0.0, 6.02, 0.0),
            idle,
        );
        let idle = course.app.world_mut().spawn(idle).id();
        course.settle();
        if is_mover {
            let mover = Mover::with_velocity(Vec2::X * 120.0);
            course.app.world_mut().entity_mut(ferry).insert(mover);
        }
        course.steps(2);
        let on_ferry = |course: &Course| course.position_of(idle) - course.position_of(ferry);
        let before = on_ferry(&course);
        course.speed = -100.0;
        for step in 0..20 {
            if !is_mover {
                course.transform(ferry).translation.x += 2.0;
            }
            let mut mover = course.app.world_mut().get_mut::<Mover>(idle).unwrap();
            mover.velocity.y -= 15.0;
            course.step();
            let off = on_ferry(&course).distance(before);
            assert!(off < 0.02, "{is_mover}, {step}: {off}");
        }
    }
}
