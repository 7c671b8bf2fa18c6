//! Floors that move.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Course, bodies},
    long::cases,
};

/// How a platform moves: where it is at a time in seconds, and its rotation.
type Path = fn(f32) -> (Vec2, f32);

const PATHS: [(&str, Path); 5] = [
    ("sideways", |t| (Vec2::new(40.0 * t.sin(), 0.0), 0.0)),
    ("up and down", |t| (Vec2::new(0.0, 40.0 * t.sin()), 0.0)),
    ("in circles", |t| (Vec2::from_angle(t) * 40.0, 0.0)),
    ("tilting", |t| (Vec2::ZERO, 0.3 * (t * 2.0).sin())),
    ("tilting in circles", |t| {
        (Vec2::from_angle(t) * 40.0, 0.3 * (t * 2.0).sin())
    }),
];

#[test]
fn a_walker_rides_on_a_platform_without_drift() {
    for (name, body) in bodies() {
        for (path_name, path) in PATHS {
            for swept in [false, true] {
                let what = format!("{name} {path_name}, swept: {swept}");
                let (start, angle) = path(0.0);
                let mut course =
                    Course::new(&body, start + Vec2::new(3.0, 14.5), Walker::default());
                let platform = course.block([start.x, start.y], [60.0, 16.0]);
                if swept {
                    course.app.world_mut().entity_mut(platform).insert(Swept);
                }
                course.transform(platform).rotation = Quat::from_rotation_z(angle);
                course.settle();
                course.steps(3);
                let is_round = name == "circle" || name == "capsule";
                let local = |course: &Course| {
                    let transform: &Transform = course.app.world().get(platform).unwrap();
                    let pose = transform.compute_affine().inverse();
                    let position = course.position();
                    let anchor = if is_round {
                        position
                    } else {
                        course.ground().floor().unwrap().point
                    };
                    pose.transform_point3(anchor.extend(0.0)).truncate()
                };
                let begin = local(&course);
                let mut drift = 0.0f32;
                for step in 1..cases(600, 10_000) {
                    let (position, angle) = path(step as f32 / 60.0);
                    let mut transform = course.transform(platform);
                    transform.translation = position.extend(0.0);
                    transform.rotation = Quat::from_rotation_z(angle);
                    course.step();
                    assert!(course.ground().is_on_floor(), "{what}, step {step}");
                    drift = drift.max((local(&course).x - begin.x).abs());
                }
                assert_eq!(course.left, [], "{what}");
                // Below a box that does not turn, the floor's point of contact goes from one vertex
                // to the other, and no further however long that lasts.
                let goes_over = !is_round && path_name.contains("tilting");
                let limit = if goes_over { 6.1 } else { 0.01 };
                assert!(drift < limit, "{what}: {drift}");
            }
        }
    }
}

/// A course whose walker stands on a platform of this size at the origin.
pub fn on_platform(body: &Shape, size: [f32; 2], walker: Walker) -> (Course, Entity) {
    let mut course = Course::new(body, Vec2::new(0.0, size[1] / 2.0 + 6.1), walker);
    let platform = course.block([0.0, 0.0], size);
    course.settle();
    course.steps(2);
    (course, platform)
}

#[test]
fn a_walker_rides_on_a_circle_that_turns() {
    for (name, body) in bodies() {
        if !["circle", "capsule"].contains(&name) {
            continue;
        }
        let mut course = Course::new(&body, Vec2::new(0.0, 46.1), Walker::default());
        let wheel = (course.app.world_mut())
            .spawn((CircleCollider::new(40.0), Transform::default(), Solid))
            .id();
        course.settle();
        course.steps(2);
        let start = course.position();
        for step in 0..2_000 {
            let angle = 0.6 * (step as f32 / 60.0).sin();
            course.transform(wheel).rotation = Quat::from_rotation_z(angle);
            course.step();
            let expected = Vec2::from_angle(angle).rotate(start);
            let off = course.position().distance(expected);
            assert!(off < 0.01, "{name}, step {step}: {off}");
        }
        assert_eq!(course.left, []);
    }
}

#[test]
fn a_walker_rides_on_a_mover_in_the_same_update() {
    for (name, body) in bodies() {
        for path in [
            Vec2::new(40.0, 0.0),
            Vec2::new(0.0, 30.0),
            Vec2::new(0.0, -30.0),
            Vec2::new(20.0, 20.0),
        ] {
            let (mut course, platform) = on_platform(&body, [60.0, 10.0], Walker::default());
            let mover = Mover::default();
            course.app.world_mut().entity_mut(platform).insert(mover);
            course.steps(2);
            let offset = course.position() - course.position_of(platform);
            for step in 0..1_000 {
                let velocity = if step / 50 % 2 == 0 { path } else { -path };
                let mut mover: Mut<Mover> = course.app.world_mut().get_mut(platform).unwrap();
                mover.velocity = velocity;
                course.step();
                let now = course.position() - course.position_of(platform);
                assert!(
                    now.distance(offset) < 0.01,
                    "{name} {path}, step {step}: {now} {offset}"
                );
                assert!(course.ground().is_on_floor(), "{name} {path}, step {step}");
            }
            assert_eq!(course.left, [], "{name} {path}");
        }
    }
}

#[test]
fn a_walker_rides_on_a_walker_that_rides_on_a_mover() {
    for (name, body) in bodies() {
        if name == "polygon" {
            continue;
        }
        let (mut course, platform) = on_platform(&body, [60.0, 10.0], Walker::default());
        let lower = course.walker;
        let height = if name == "capsule" { 18.1 } else { 12.1 };
        let above = course.position() + Vec2::Y * height;
        course.app.world_mut().entity_mut(lower).insert((
            Solid,
            Mover {
                weight: 1.0,
                ..Mover::default()
            },
        ));
        let upper = (course.app.world_mut())
            .spawn((
                crate::course::Body(body.clone()),
                Transform::from_translation(above.extend(0.0)),
                Mover::default(),
                Walker::default(),
                Solid,
            ))
            .id();
        course
            .app
            .world_mut()
            .entity_mut(platform)
            .insert(Mover::default());
        let fall = |course: &mut Course| {
            let mut mover: Mut<Mover> = course.app.world_mut().get_mut(upper).unwrap();
            mover.velocity = Vec2::new(0.0, mover.velocity.y - 15.0);
        };
        for _ in 0..5 {
            fall(&mut course);
            course.step();
        }
        let offset = course.position_of(upper) - course.position_of(platform);
        for step in 0..500 {
            let velocity = Vec2::new(30.0, 20.0) * if step / 50 % 2 == 0 { 1.0 } else { -1.0 };
            let mut mover: Mut<Mover> = course.app.world_mut().get_mut(platform).unwrap();
            mover.velocity = velocity;
            fall(&mut course);
            course.step();
            let now = course.position_of(upper) - course.position_of(platform);
            assert!(
                now.distance(offset) < 0.01,
                "{name}, step {step}: {now} {offset}"
            );
        }
    }
}

#[test]
fn only_what_is_stood_on_carries() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 6.1), Walker::default());
        course.block([0.0, -8.0], [400.0, 16.0]);
        let wall = course.block([11.03, 20.0], [10.0, 38.0]);
        course.settle();
        course.steps(2);
        let start = course.position();
        for _ in 0..100 {
            course.transform(wall).translation.y += 0.5;
            course.step();
        }
        assert_eq!(course.position(), start, "{name}");
    }
}

#[test]
fn flush_platforms_that_rise_together_keep_a_walker_on_the_floor() {
    for (name, body) in bodies() {
        for swept in [false, true] {
            let mut course = Course::new(&body, Vec2::new(0.0, 14.1), Walker::default());
            let platforms = [-30.0, 30.0].map(|x| course.block([x, 0.0], [60.0, 16.0]));
            for platform in platforms {
                if swept {
                    course.app.world_mut().entity_mut(platform).insert(Swept);
                }
            }
            course.settle();
            course.steps(2);
            for step in 0..600 {
                course.speed = if step / 60 % 2 == 0 { 20.0 } else { -20.0 };
                let speed = if step / 100 % 2 == 0 { 1.0 } else { -1.0 };
                for platform in platforms {
                    course.transform(platform).translation.y += speed;
                }
                course.step();
                let height = course.position().y - course.position_of(platforms[0]).y;
                assert!(
                    (height - 14.02).abs() < 0.01,
                    "{name}, step {step}: {height}"
                );
                assert!(course.ground().is_on_floor(), "{name}, step {step}");
            }
            assert_eq!(course.left, [], "{name}");
        }
    }
}

#[test]
fn what_a_walker_keeps_of_a_platforms_velocity_is_its_choice() {
    let body = &bodies()[0].1;
    for (kept, expected) in [
        (KeptVelocity::All, Vec2::new(60.0, -30.0)),
        (KeptVelocity::Upward, Vec2::new(60.0, 0.0)),
        (KeptVelocity::Nothing, Vec2::ZERO),
    ] {
        let walker = Walker {
            kept_velocity: kept,
            ..Walker::default()
        };
        let (mut course, platform) = on_platform(body, [600.0, 10.0], walker);
        for _ in 0..20 {
            course.transform(platform).translation += Vec3::new(1.0, -0.5, 0.0);
            course.step();
        }
        assert!(course.ground().is_on_floor());
        assert!((course.ground().floor_velocity() - Vec2::new(60.0, -30.0)).length() < 0.1);
        course.jump(250.0);
        course.transform(platform).translation += Vec3::new(1.0, -0.5, 0.0);
        course.step();
        let jump = Vec2::new(0.0, 250.0 - 15.0);
        assert!(
            (course.velocity() - jump - expected).length() < 0.1,
            "{kept:?}: {}",
            course.velocity()
        );
    }
}

#[test]
fn a_platform_that_is_gone_gives_no_velocity() {
    let body = &bodies()[0].1;
    for removal in 0..3 {
        let (mut course, platform) = on_platform(body, [600.0, 10.0], Walker::default());
        for _ in 0..20 {
            course.transform(platform).translation += Vec3::new(1.0, 0.5, 0.0);
            course.step();
        }
        match removal {
            0 => drop(course.app.world_mut().despawn(platform)),
            1 => drop(
                course
                    .app
                    .world_mut()
                    .entity_mut(platform)
                    .insert(ColliderDisabled),
            ),
            _ => drop(
                course
                    .app
                    .world_mut()
                    .entity_mut(platform)
                    .remove::<Solid>(),
            ),
        }
        course.step();
        assert!(!course.ground().is_on_floor(), "removal {removal}");
        assert!(
            course.velocity().x.abs() < 0.01 && course.velocity().y <= 0.0,
            "removal {removal}: {}",
            course.velocity()
        );
    }
}

#[test]
fn a_platform_that_drops_faster_than_the_walker_falls_leaves_it_in_the_air() {
    for (name, body) in bodies() {
        let (mut course, platform) = on_platform(&body, [60.0, 10.0], Walker::default());
        for _ in 0..5 {
            course.transform(platform).translation.y -= 10.0;
            course.step();
        }
        assert!(!course.ground().is_on_floor(), "{name}");
        assert!(course.position().y > 5.0, "{name}: {}", course.position());
        // One that goes down steadily at any speed carries it.
        let (mut course, platform) = on_platform(&body, [60.0, 10.0], Walker::default());
        let mut speed = 0.0;
        for step in 0..200 {
            speed = (speed + 0.2f32).min(10.0);
            course.transform(platform).translation.y -= speed;
            course.step();
            assert!(course.ground().is_on_floor(), "{name}, step {step}");
        }
    }
}

#[test]
fn a_platform_that_drops_slower_than_the_walker_falls_carries_it_along() {
    for (name, body) in bodies() {
        let (mut course, platform) = on_platform(&body, [60.0, 10.0], Walker::default());
        // The walker falls 5 in an update, and snaps to what is 2 below it.
        course.gravity = 36_000.0;
        course.steps(2);
        let start = course.position();
        course.transform(platform).translation += Vec3::new(3.0, -4.0, 0.0);
        course.step();
        let moved = course.position() - start;
        assert!(
            moved.distance(Vec2::new(3.0, -4.0)) < 0.01,
            "{name}: {moved}"
        );
    }
}

#[test]
fn between_a_lift_and_a_ceiling_a_walker_is_crushed() {
    for (name, body) in bodies() {
        for swept in [false, true] {
            for speed in [0.5, 3.0] {
                let (mut course, platform) = on_platform(&body, [60.0, 10.0], Walker::default());
                if swept {
                    course.app.world_mut().entity_mut(platform).insert(Swept);
                }
                course.block([0.0, 60.0], [400.0, 20.0]);
                let mut is_crushed = false;
                for _ in 0..(40.0 / speed) as usize {
                    course.transform(platform).translation.y += speed;
                    course.step();
                    is_crushed |= course.get::<MoverHits>().is_crushed();
                }
                assert!(is_crushed, "{name}, swept: {swept}, {speed}");
            }
        }
    }
}

#[test]
fn conveyors_carry_and_walking_against_one_at_its_speed_stays() {
    for (name, body) in bodies() {
        let (mut course, platform) = on_platform(&body, [600.0, 10.0], Walker::default());
        course
            .app
            .world_mut()
            .entity_mut(platform)
            .insert(Conveyor(Vec2::new(50.0, 0.0)));
        let start = course.position();
        course.steps(60);
        let moved = course.position().x - start.x;
        assert!((moved - 50.0).abs() < 0.1, "{name}: {moved}");
        assert_eq!(course.velocity(), Vec2::ZERO);
        assert!((course.ground().floor_velocity() - Vec2::new(50.0, 0.0)).length() < 0.01);
        course.speed = -50.0;
        let start = course.position();
        course.steps(60);
        assert!(course.position().distance(start) < 0.01, "{name}");
        course.transform(platform).rotation = Quat::from_rotation_z(0.3);
        course.speed = 0.0;
        course.steps(2);
        let start = course.position();
        course.steps(60);
        let moved = (course.position() - start).dot(Vec2::from_angle(0.3));
        assert!((moved - 50.0).abs() < 0.1, "{name}: {moved}");
    }
}

#[test]
fn cells_of_a_moving_grid_carry() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 14.1), Walker::default());
        let tiles = TileCollider::from_rows(["##########", "##########"], Vec2::splat(8.0));
        let grid = course
            .app
            .world_mut()
            .spawn((tiles, Transform::default(), Solid))
            .id();
        course.settle();
        course.steps(2);
        let offset = course.position() - course.position_of(grid);
        for step in 0..600 {
            let position = Vec2::from_angle(step as f32 / 30.0) * 20.0 - Vec2::X * 20.0;
            course.transform(grid).translation = position.extend(0.0);
            course.step();
            let now = course.position() - course.position_of(grid);
            assert!(
                now.distance(offset) < 0.01,
                "{name}, step {step}: {now} {offset}"
            );
            assert!(course.ground().floor().unwrap().cell.is_some());
        }
        assert_eq!(course.left, []);
    }
}
