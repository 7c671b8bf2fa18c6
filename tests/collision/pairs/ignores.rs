//! `Ignores`: two that neither collide nor block each other.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::{Reason, prelude::*};

use crate::{common::*, debugging::explain::explain};

fn ignore(app: &mut App, entity: Entity, ignores: Ignores) {
    app.world_mut().entity_mut(entity).insert(ignores);
}

fn has_ignores(app: &App, entity: Entity) -> bool {
    app.world().get::<Ignores>(entity).is_some()
}

/// A mover that shoots, with a circle of radius 10.
fn shooter() -> impl Bundle {
    (CircleCollider::new(10.0), Solid, Mover::default())
}

fn shot(velocity: Vec2) -> impl Bundle {
    let mut mover = Mover::with_velocity(velocity);
    mover.response = MoverResponse::Bounce;
    (CircleCollider::new(2.0), mover)
}

#[test]
fn two_do_not_collide_whichever_of_them_ignores_the_other() {
    for ignoring in [0, 1] {
        let (mut app, balls) = two_balls((), ());
        let ignored = balls[1 - ignoring];
        ignore(&mut app, balls[ignoring], Ignores::always(ignored));
        assert_eq!(brief_step(&mut app), []);
        let third = spawn(&mut app, ball(0.5, 0.0));
        assert_eq!(step(&mut app).len(), 2, "{third} collides with both");
        let explanation = explain(&mut app, balls[0], balls[1]);
        assert_eq!(explanation.collide(), Err(Reason::Ignored));
        let sentence = explanation.to_string();
        assert!(sentence.contains("has an `Ignores`"), "{sentence}");
    }
}

#[test]
fn a_pair_ends_where_one_begins_to_ignore_and_starts_where_that_ends() {
    let (mut app, [a, b]) = two_balls((), ());
    let other = spawn(&mut app, ball(100.0, 0.0));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    ignore(&mut app, b, Ignores::always(a));
    let reasons: Vec<_> = (step(&mut app).iter())
        .map(|event| match event {
            CollisionEvent::Ended { reason, .. } => Some(*reason),
            CollisionEvent::Started { .. } => None,
        })
        .collect();
    assert_eq!(reasons, [Some(CollisionEndReason::Filtered)]);
    // Another value is noticed as well.
    ignore(&mut app, b, Ignores::always(other));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    ignore(&mut app, b, Ignores::always(a));
    assert_eq!(step(&mut app).len(), 1);
    app.world_mut().entity_mut(b).remove::<Ignores>();
    assert_eq!(brief_step(&mut app), [started(a, b)]);
}

#[test]
fn a_shot_from_within_its_solid_shooter_flies_as_if_there_were_none() {
    for angle in 0..16 {
        let direction = Vec2::from_angle(angle as f32 * 0.4);
        let positions = [true, false].map(|has_shooter| {
            let mut app = test_app();
            let start = rotated(direction * 3.0, 0.0);
            let shooter = has_shooter.then(|| spawn(&mut app, (shooter(), at(0.0, 0.0))));
            let shot = spawn(&mut app, (shot(direction * 240.0), start));
            if let Some(shooter) = shooter {
                ignore(&mut app, shot, Ignores::until_apart(shooter));
            }
            let positions: Vec<Vec2> = (0..30)
                .map(|_| {
                    app.update();
                    local_position(&app, shot)
                })
                .collect();
            assert!(!has_ignores(&app, shot));
            positions
        });
        assert_eq!(positions[0], positions[1], "{angle}");
    }
}

#[test]
fn a_shot_that_bounces_back_hits_its_shooter_unless_it_is_ignored_always() {
    for is_always in [false, true] {
        let mut app = test_app();
        let shooter = spawn(&mut app, (shooter(), at(0.0, 0.0)));
        spawn(
            &mut app,
            (RectCollider::new(10.0, 100.0), Solid, at(60.0, 0.0)),
        );
        let shot = spawn(&mut app, (shot(Vec2::X * 300.0), at(1.0, 0.0)));
        let ignores = if is_always {
            Ignores::always(shooter)
        } else {
            Ignores::until_apart(shooter)
        };
        ignore(&mut app, shot, ignores);
        let mut leftmost = f32::INFINITY;
        let mut hits = vec![];
        for update in 0..100 {
            app.update();
            // It bounces off the wall in the 11th.
            if update > 10 {
                leftmost = leftmost.min(local_position(&app, shot).x);
            }
            let known = app.world().get::<MoverHits>(shot).unwrap();
            hits.extend(known.iter().map(|hit| hit.blocker));
        }
        assert_eq!(hits.contains(&shooter), !is_always);
        assert_eq!(has_ignores(&app, shot), is_always);
        let range = if is_always {
            -500.0..-100.0
        } else {
            12.0..17.0
        };
        assert!(range.contains(&leftmost), "{leftmost}");
    }
}

#[test]
fn a_shield_that_is_a_child_of_the_ignored_mover_is_ignored_as_well() {
    let mut app = test_app();
    let knight = spawn(&mut app, (shooter(), at(0.0, 0.0)));
    let shield = spawn(
        &mut app,
        (RectCollider::new(4.0, 40.0), Solid, at(14.0, 0.0)),
    );
    app.world_mut().entity_mut(knight).add_child(shield);
    let arrow = spawn(&mut app, (shot(Vec2::X * 2.0 / STEP_SECS), at(0.0, 0.0)));
    ignore(&mut app, arrow, Ignores::until_apart(knight));
    // Two units per update: it is in the knight for 6, and in the shield until the 9th.
    for update in 1..=20 {
        assert_eq!(step(&mut app), []);
        let x = local_position(&app, arrow).x;
        assert_eq!(x, 2.0 * update as f32);
        assert_eq!(has_ignores(&app, arrow), x < 18.05, "{x}");
    }
}

#[test]
fn a_bare_mover_is_ignored_with_its_children() {
    let mut app = test_app();
    let mover = spawn(&mut app, (Mover::default(), at(0.0, 0.0)));
    let child = spawn(&mut app, ball(0.0, 0.0));
    app.world_mut().entity_mut(mover).add_child(child);
    let other = spawn(&mut app, ball(0.5, 0.0));
    ignore(&mut app, other, Ignores::until_apart(mover));
    assert_eq!(steps(&mut app, 3), []);
    set_position(&mut app, other, Vec2::X * 10.0);
    assert_eq!(step(&mut app), []);
    assert!(!has_ignores(&app, other));
    set_position(&mut app, other, Vec2::X * 0.5);
    assert_eq!(step(&mut app).len(), 1);
}

#[test]
fn it_ends_with_the_ignored_entity() {
    let (mut app, [a, b]) = two_balls((), ());
    ignore(&mut app, a, Ignores::until_apart(b));
    app.update();
    assert!(has_ignores(&app, a));
    app.world_mut().despawn(b);
    let new = spawn(&mut app, ball(1.0, 0.0));
    assert_eq!(brief_step(&mut app), [started(a.min(new), a.max(new))]);
    assert!(!has_ignores(&app, a));
}

#[test]
fn it_lasts_while_a_collider_is_disabled() {
    let (mut app, [a, b]) = two_balls((), ());
    ignore(&mut app, a, Ignores::until_apart(b));
    app.world_mut().entity_mut(a).insert(ColliderDisabled);
    app.update();
    assert!(has_ignores(&app, a));
    app.world_mut().entity_mut(a).remove::<ColliderDisabled>();
    assert_eq!(step(&mut app), []);
    assert!(has_ignores(&app, a));
}

#[test]
fn what_a_mover_without_a_collider_ignores_its_children_ignore() {
    let mut app = test_app();
    let other = spawn(&mut app, ball(0.5, 0.0));
    let bare = spawn(&mut app, (Mover::default(), at(0.0, 0.0)));
    let disabled = spawn(&mut app, (shooter(), ColliderDisabled, at(0.0, 0.0)));
    let hidden = spawn(&mut app, (shooter(), Disabled, at(0.0, 0.0)));
    for mover in [bare, disabled, hidden] {
        let child = spawn(&mut app, ball(0.0, 0.0));
        app.world_mut().entity_mut(mover).add_child(child);
        ignore(&mut app, mover, Ignores::always(other));
        assert_eq!(brief_step(&mut app), []);
        app.world_mut().entity_mut(mover).remove::<Ignores>();
        assert_eq!(brief_step(&mut app), [started(other, child)]);
        app.world_mut().despawn(mover);
        step(&mut app);
    }
}

#[test]
fn it_ends_where_all_parts_of_a_mover_without_a_collider_are_apart() {
    let mut app = test_app();
    let other = spawn(&mut app, ball(0.5, 0.0));
    let mover = spawn(&mut app, (Mover::default(), at(0.0, 0.0)));
    ignore(&mut app, mover, Ignores::until_apart(other));
    app.update();
    assert!(has_ignores(&app, mover), "before it has parts");
    for x in [0.0, 20.0] {
        let part = spawn(&mut app, (MoverPart, ball(x, 0.0)));
        app.world_mut().entity_mut(mover).add_child(part);
    }
    for (x, lasts) in [(0.0, true), (-20.0, true), (10.0, false)] {
        set_position(&mut app, mover, Vec2::X * x);
        assert_eq!(step(&mut app), []);
        assert_eq!(has_ignores(&app, mover), lasts, "{x}");
    }
}

#[test]
fn near_ones_are_not_apart_within_the_distance_that_a_mover_keeps() {
    for (gap, is_apart) in [(0.0, false), (0.03, false), (0.05, true)] {
        for ignoring in [0, 1] {
            let mut app = test_app();
            let mover = spawn(
                &mut app,
                (CircleCollider::new(1.0), Mover::default(), at(0.0, 0.0)),
            );
            let wall = spawn(
                &mut app,
                (CircleCollider::new(1.0), Solid, at(2.0 + gap, 0.0)),
            );
            let both = [mover, wall];
            ignore(
                &mut app,
                both[ignoring],
                Ignores::until_apart(both[1 - ignoring]),
            );
            app.update();
            assert_eq!(has_ignores(&app, both[ignoring]), !is_apart, "{gap}");
            assert_eq!(local_position(&app, mover), Vec2::ZERO);
        }
    }
}

#[test]
fn solid_movers_that_ignore_each_other_walk_through_each_other() {
    let mut app = test_app();
    let walker = |x: f32| (CircleCollider::new(4.0), Solid, at(x, 0.0));
    let left = spawn(
        &mut app,
        (walker(-30.0), Mover::with_velocity(Vec2::X / STEP_SECS)),
    );
    let right = spawn(
        &mut app,
        (walker(30.0), Mover::with_velocity(-Vec2::X / STEP_SECS)),
    );
    ignore(&mut app, left, Ignores::always(right));
    assert_eq!(steps(&mut app, 60), []);
    assert_eq!(local_position(&app, left), Vec2::X * 30.0);
    assert_eq!(local_position(&app, right), Vec2::X * -30.0);
}

#[test]
fn a_swept_wall_pushes_nobody_who_ignores_it() {
    let mut app = test_app();
    let wall = spawn(
        &mut app,
        (RectCollider::new(4.0, 40.0), Solid, Swept, at(-20.0, 0.0)),
    );
    let movers = [-5.0, 5.0].map(|y| {
        let mover = (CircleCollider::new(2.0), Mover::default(), at(0.0, y));
        spawn(&mut app, mover)
    });
    ignore(&mut app, movers[0], Ignores::always(wall));
    app.update();
    for x in -19..20 {
        set_position(&mut app, wall, Vec2::X * x as f32);
        app.update();
    }
    assert_eq!(local_position(&app, movers[0]), Vec2::new(0.0, -5.0));
    assert!(local_position(&app, movers[1]).x > 20.0);
}

#[test]
fn what_is_ignored_blocks_no_walker_and_explains_why() {
    let mut app = test_app();
    let floor = spawn(
        &mut app,
        (RectCollider::new(100.0, 4.0), Solid, at(0.0, -2.0)),
    );
    let mover = Mover::with_velocity(-Vec2::Y / STEP_SECS);
    let walker = spawn(
        &mut app,
        (
            CircleCollider::new(2.0),
            mover,
            Walker::default(),
            at(0.0, 2.0),
        ),
    );
    ignore(&mut app, walker, Ignores::always(floor));
    let mut heights = vec![];
    for _ in 0..5 {
        app.update();
        heights.push(local_position(&app, walker).y);
    }
    assert_eq!(heights, [1.0, 0.0, -1.0, -2.0, -3.0]);
    let explanation = explain(&mut app, walker, floor);
    assert_eq!(explanation.b_blocks_a(), Err(Reason::Ignored));
}
