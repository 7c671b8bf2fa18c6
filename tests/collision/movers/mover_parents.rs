//! Movers with parents move in world space.

use std::f32::consts::FRAC_PI_4;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// A velocity that moves by this displacement in one update.
/// Parents under which a mover has to move in world space.
fn parents() -> [(&'static str, Transform); 6] {
    [
        ("moved", at(-5.0, 3.0)),
        ("rotated", rotated(Vec2::new(1.0, 2.0), 0.7)),
        (
            "half a turn and tripled",
            rotated(Vec2::ONE, 3.1).with_scale(Vec3::splat(3.0)),
        ),
        (
            "not square",
            rotated(Vec2::ZERO, 1.0).with_scale(Vec3::new(0.5, 2.0, 1.0)),
        ),
        (
            "mirrored",
            rotated(Vec2::ONE, 0.4).with_scale(Vec3::new(-1.0, 1.0, 1.0)),
        ),
        (
            "without depth",
            rotated(Vec2::ONE, FRAC_PI_4).with_scale(Vec3::new(1.0, 1.0, 0.0)),
        ),
    ]
}

#[test]
fn a_mover_with_a_parent_moves_in_world_space() {
    for (name, transform) in parents() {
        let mut app = test_app();
        let parent = spawn(&mut app, transform);
        let inner = spawn(&mut app, (rotated(Vec2::ONE, -0.3), ChildOf(parent)));
        let motion = || Mover::with_velocity(per_step(2.0, 1.0));
        let subjects = [
            spawn(&mut app, (motion(), ball(1.0, 0.0), ChildOf(parent))),
            spawn(&mut app, (motion(), at(0.0, 2.0), ChildOf(inner))),
        ];
        app.update();
        let before = subjects.map(|subject| global_position(&app, subject));
        for frame in 1..4 {
            app.update();
            for (subject, before) in subjects.into_iter().zip(before) {
                let went = global_position(&app, subject) - before;
                let expected = frame as f32 * Vec2::new(2.0, 1.0);
                assert!(
                    went.abs_diff_eq(expected, 1e-4),
                    "{name}, frame {frame}: {went}"
                );
            }
        }
    }
}

#[test]
fn a_mover_with_a_parent_is_stopped_where_the_wall_is_in_the_world() {
    for (name, transform) in parents() {
        let mut app = test_app();
        spawn(
            &mut app,
            (RectCollider::new(2.0, 100.0), Solid, at(20.0, 0.0)),
        );
        let parent = spawn(&mut app, transform);
        let motion = Mover::with_velocity(per_step(6.0, 0.0));
        let subject = spawn(
            &mut app,
            (motion, CircleCollider::new(1.0), ChildOf(parent)),
        );
        steps(&mut app, 8);
        let radius = transform.scale.abs().truncate().max_element();
        let x = global_position(&app, subject).x;
        assert!((x - (19.0 - radius - 0.02)).abs() < 1e-3, "{name}: {x}");
    }
}

#[test]
fn a_mover_under_a_parent_of_scale_zero_does_not_move() {
    for scale in [
        Vec3::ZERO,
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(1.0, 0.0, 1.0),
    ] {
        let mut app = test_app();
        let parent = spawn(&mut app, rotated(Vec2::ZERO, 0.5).with_scale(scale));
        let start = at(1.0, 2.0);
        let motion = Mover::with_velocity(per_step(6.0, 1.0));
        let subject = spawn(
            &mut app,
            (motion, CircleCollider::new(1.0), start, ChildOf(parent)),
        );
        steps(&mut app, 3);
        assert_eq!(
            *app.world().get::<Transform>(subject).unwrap(),
            start,
            "{scale}"
        );
    }
}

#[test]
fn being_carried_by_a_parent_is_a_teleport() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(2.0, 100.0), Solid, at(5.0, 0.0)),
    );
    let parent = spawn(&mut app, Transform::IDENTITY);
    let subject = spawn(
        &mut app,
        (ball(0.0, 0.0), Mover::default(), ChildOf(parent)),
    );
    app.update();
    set_position(&mut app, parent, Vec2::new(20.0, 0.0));
    assert_eq!(steps(&mut app, 2), []);
    assert_eq!(global_position(&app, subject), Vec2::new(20.0, 0.0));
}

#[test]
fn a_mover_is_not_blocked_by_its_parents_and_children() {
    let mut app = test_app();
    let parent = spawn(&mut app, (RectCollider::new(4.0, 4.0), Solid, at(3.0, 0.0)));
    let subject = spawn(
        &mut app,
        (
            ball(-3.0, 0.0),
            Mover::with_velocity(per_step(2.0, 0.0)),
            ChildOf(parent),
        ),
    );
    spawn(
        &mut app,
        (
            RectCollider::new(1.0, 1.0),
            Solid,
            at(3.0, 0.0),
            ChildOf(subject),
        ),
    );
    assert_eq!(steps(&mut app, 5), []);
    assert_eq!(global_position(&app, subject), Vec2::new(10.0, 0.0));
}

#[test]
fn a_mover_that_cannot_move_hits_nothing_on_a_path_it_did_not_take() {
    let mut app = test_app();
    let parent = spawn(&mut app, Transform::from_scale(Vec3::new(0.0, 1.0, 1.0)));
    let motion = Mover::with_velocity(per_step(20.0, 0.0));
    spawn(
        &mut app,
        (motion, CircleCollider::new(1.0), ChildOf(parent)),
    );
    for x in [-10.0, 10.0] {
        spawn(&mut app, ball(x, 0.0));
    }
    assert_eq!(steps(&mut app, 3), []);
}

#[test]
fn a_mover_on_a_mover_is_carried_and_moves_by_itself() {
    let mut app = test_app();
    let ship = spawn(
        &mut app,
        (
            Mover::with_velocity(per_step(2.0, 0.0)),
            rotated(Vec2::ZERO, 1.0),
        ),
    );
    let sailor = (
        ball(1.0, 0.0),
        Mover::with_velocity(per_step(0.0, 1.0)),
        ChildOf(ship),
    );
    let sailor = spawn(&mut app, sailor);
    let start = Vec2::from_angle(1.0);
    for frame in 1..4 {
        app.update();
        let went = global_position(&app, sailor) - start;
        let expected = frame as f32 * Vec2::new(2.0, 1.0);
        assert!(went.abs_diff_eq(expected, 1e-4), "frame {frame}: {went}");
    }
}

#[test]
fn a_crowd_within_its_solid_parent_is_not_thrown_out_of_it() {
    let mut app = test_app();
    let hall = spawn(
        &mut app,
        (RectCollider::new(100.0, 100.0), Solid, at(3.0, 0.0)),
    );
    let crowd = [0.0, 0.1, 0.2].map(|x| {
        let body = (ball(x, 0.0), Solid, Mover::default());
        spawn(&mut app, (body, ChildOf(hall)))
    });
    for _ in 0..10 {
        app.update();
    }
    for mover in crowd {
        let position = global_position(&app, mover);
        assert!(position.distance(Vec2::X * 3.1) < 3.0, "{position}");
    }
}
