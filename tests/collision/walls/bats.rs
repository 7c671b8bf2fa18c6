//! What a `Swept` wall pushes is hit by it, and bounces relative to it.

use bevy::prelude::*;
use bevy_thud::{BlockingHit, prelude::*};
use fastrand::Rng;

use crate::common::*;

fn spawn_ball(app: &mut App, position: Vec2, velocity: Vec2, restitution: f32) -> Entity {
    let mover = Mover {
        response: MoverResponse::Bounce,
        restitution,
        ..Mover::with_velocity(velocity)
    };
    spawn(
        app,
        (CircleCollider::new(5.0), mover, at(position.x, position.y)),
    )
}

fn hits(app: &App, mover: Entity) -> Vec<BlockingHit> {
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    hits.iter().map(|hit| **hit).collect()
}

fn strike(app: &mut App, bat: Entity, speed: Vec2) {
    let mut transform = app.world_mut().get_mut::<Transform>(bat).unwrap();
    transform.translation += (speed * STEP_SECS).extend(0.0);
    app.update();
}

#[test]
fn a_bat_takes_a_resting_ball_to_twice_its_speed() {
    for restitution in [1.0, 0.5, 0.0] {
        let mut app = test_app();
        let bat = spawn(
            &mut app,
            (RectCollider::new(4.0, 60.0), Solid, Swept, at(-9.0, 0.0)),
        );
        let ball = spawn_ball(&mut app, Vec2::ZERO, Vec2::ZERO, restitution);
        app.update();
        strike(&mut app, bat, Vec2::X * 600.0);
        let after = velocity_of(&app, ball);
        let expected = Vec2::X * 600.0 * (1.0 + restitution);
        assert!(after.distance(expected) < 0.1, "{restitution}: {after}");
        let hits = hits(&app, ball);
        assert_eq!(hits.len(), 1);
        assert_eq!((hits[0].blocker, hits[0].normal), (bat, Vec2::X));
        assert!(hits[0].blocker_velocity.distance(Vec2::X * 600.0) < 0.1);
        assert_eq!(hits[0].speed, 0.0);
    }
}

#[test]
fn a_bounce_keeps_the_speed_relative_to_a_wall_that_moves() {
    let mut rng = Rng::with_seed(9);
    let mut bounced = 0;
    for case in 0..cases(400, 10_000) {
        let mut app = test_app();
        let wall = spawn(
            &mut app,
            (RectCollider::new(10.0, 400.0), Solid, Swept, at(20.0, 0.0)),
        );
        let wanted = Vec2::new(800.0 * rng.f32() - 200.0, 400.0 * rng.f32() - 200.0);
        let position = Vec2::new(9.9 - 10.0 * rng.f32(), 0.0);
        let ball = spawn_ball(&mut app, position, wanted, 1.0);
        app.update();
        let before = velocity_of(&app, ball);
        let speed = Vec2::X * (600.0 * rng.f32() - 300.0);
        strike(&mut app, wall, speed);
        let after = velocity_of(&app, ball);
        let case = format!("{case}: {before} to {after} at a wall of {}", speed.x);
        assert_eq!(after.y, before.y, "{case}");
        let seen = [before, after].map(|velocity| velocity.x - speed.x);
        let is_hit = hits(&app, ball).iter().any(|hit| hit.blocker == wall);
        // A ball that a wall leaves behind may reach where that ends within the update.
        if is_hit && seen[0] > 0.0 {
            assert!((seen[0] + seen[1]).abs() < 1e-2, "{case}");
            bounced += 1;
        } else {
            assert_eq!(before, after, "{case}");
        }
    }
    assert!(bounced > 50, "{bounced}");
}

#[test]
fn a_flipper_gives_a_ball_the_speed_of_its_surface() {
    let mut app = test_app();
    let pivot = spawn(&mut app, Transform::default());
    let bar = (RectCollider::new(60.0, 8.0), Solid, Swept, at(30.0, 0.0));
    spawn(&mut app, (bar, ChildOf(pivot)));
    let ball = spawn_ball(&mut app, Vec2::new(40.0, 9.02), Vec2::ZERO, 0.0);
    app.update();
    let mut transform = app.world_mut().get_mut::<Transform>(pivot).unwrap();
    transform.rotate_z(10.0 * STEP_SECS);
    app.update();
    let after = velocity_of(&app, ball);
    assert!((after.length() - 400.0).abs() < 40.0, "{after}");
    assert!(after.y > 350.0, "{after}");
    let surface = hits(&app, ball)[0].blocker_velocity;
    assert!((surface.y - 400.0).abs() < 20.0, "{surface}");
}

#[test]
fn what_a_wall_pushes_is_hit() {
    let mut app = test_app();
    let wall = spawn(
        &mut app,
        (RectCollider::new(4.0, 60.0), Solid, Swept, at(-9.0, 0.0)),
    );
    let mover = spawn(&mut app, (CircleCollider::new(5.0), Mover::default()));
    app.update();
    assert!(hits(&app, mover).is_empty());
    strike(&mut app, wall, Vec2::X * 300.0);
    let hits = hits(&app, mover);
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].blocker, wall);
    assert!((0.0..1.0).contains(&hits[0].fraction));
    assert_eq!(
        velocity_of(&app, mover),
        Vec2::ZERO,
        "only a bounce gives speed"
    );
}

#[test]
fn a_hit_says_how_fast_a_mover_or_a_conveyor_moves() {
    let mut app = test_app();
    let body = (RectCollider::new(10.0, 10.0), Solid, at(10.2, 0.0));
    let fleeing = spawn(
        &mut app,
        (body, Mover::with_velocity(Vec2::new(30.0, 60.0))),
    );
    let bar = (RectCollider::new(100.0, 4.0), Solid, at(0.0, 50.0));
    let turning = spawn(&mut app, (bar, Mover::default(), Turning(0.5)));
    let belt = (RectCollider::new(100.0, 10.0), Solid, at(0.0, -60.0));
    let belt = spawn(&mut app, (belt, Conveyor(Vec2::new(40.0, 5.0))));
    let [across, up, down] = [
        (0.0, 0.0, Vec2::X),
        (40.0, 42.9, Vec2::Y),
        (0.0, -49.8, Vec2::NEG_Y),
    ]
    .map(|(x, y, direction)| {
        let mover = Mover::with_velocity(direction * 120.0);
        spawn(&mut app, (CircleCollider::new(5.0), mover, at(x, y)))
    });
    app.update();
    for (mover, blocker, expected) in [
        (across, fleeing, Vec2::new(30.0, 60.0)),
        (up, turning, Vec2::new(0.0, 20.0)),
        (down, belt, Vec2::new(40.0, 0.0)),
    ] {
        let hit = hits(&app, mover)[0];
        assert_eq!(hit.blocker, blocker);
        assert!(hit.blocker_velocity.distance(expected) < 1.5, "{hit:?}");
    }
}

#[test]
fn the_floor_of_a_walker_says_how_fast_it_moves() {
    let mut app = test_app();
    let lift = (RectCollider::new(100.0, 10.0), Solid, Swept, at(0.0, -10.0));
    let lift = spawn(&mut app, lift);
    let walker = (
        RectCollider::new(10.0, 10.0),
        Mover::with_velocity(Vec2::NEG_Y),
        Walker::default(),
    );
    let walker = spawn(&mut app, walker);
    for _ in 0..10 {
        strike(&mut app, lift, Vec2::new(20.0, 50.0));
    }
    let hit = hits(&app, walker)[0];
    assert!(
        hit.blocker_velocity.distance(Vec2::new(20.0, 50.0)) < 0.1,
        "{hit:?}"
    );
}
