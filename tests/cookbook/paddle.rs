//! How does a paddle send the ball where it hits the paddle?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The largest angle, from straight up, at which a ball leaves a paddle, in radians.
const MAX_ANGLE: f32 = 1.0;

/// A `Swept` wall: it also hits a ball that it overtakes.
#[derive(Component)]
#[require(Solid, Swept)]
struct Paddle {
    half_width: f32,
}

#[derive(Component)]
struct Ball {
    speed: f32,
}

fn ball(speed: f32) -> impl Bundle {
    let mut mover = Mover::with_velocity(Vec2::NEG_Y * speed);
    mover.response = MoverResponse::Bounce;
    (Ball { speed }, CircleCollider::new(4.0), mover)
}

/// Runs in `PostUpdate` after `CollisionSystems::Report`.
fn steer(
    mut hits: MessageReader<MoverHit>,
    paddles: Query<(&Paddle, &Transform)>,
    mut balls: Query<(&Ball, &mut Mover)>,
) {
    for hit in hits.read() {
        if let Ok((paddle, transform)) = paddles.get(hit.blocker)
            && let Ok((ball, mut mover)) = balls.get_mut(hit.entity)
        {
            let offset = (hit.point.x - transform.translation.x) / paddle.half_width;
            let angle = MAX_ANGLE * offset.clamp(-1.0, 1.0);
            mover.velocity = ball.speed * Vec2::new(angle.sin(), angle.cos());
        }
    }
}

// ---- What tests it ----

use crate::app::*;

fn court() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(PostUpdate, steer.after(CollisionSystems::Report));
    });
    let paddle = (
        Paddle { half_width: 20.0 },
        RectCollider::new(40.0, 8.0),
        at(0.0, 0.0),
    );
    let paddle = app.world_mut().spawn(paddle).id();
    (app, paddle)
}

#[test]
fn the_angle_depends_on_where_it_is_hit_and_the_speed_does_not() {
    for x in [-25.0, -20.0, -10.0, 0.0, 10.0, 20.0, 25.0f32] {
        let (mut app, _) = court();
        let ball = app.world_mut().spawn((ball(600.0), at(x, 60.0))).id();
        run(&mut app, 0.25);
        let velocity = app.world().get::<Mover>(ball).unwrap().velocity;
        let angle = MAX_ANGLE * (x / 20.0).clamp(-1.0, 1.0);
        let expected = 600.0 * Vec2::new(angle.sin(), angle.cos());
        if x.abs() <= 23.0 {
            assert!(velocity.distance(expected) < 0.1, "at {x}: {velocity}");
        } else {
            assert_eq!(velocity, Vec2::NEG_Y * 600.0, "it flies past");
        }
    }
}

#[test]
fn a_racket_that_overtakes_the_ball_from_below_sends_it_up() {
    let (mut app, paddle) = court();
    let ball = app.world_mut().spawn((ball(60.0), at(0.0, 30.0))).id();
    app.update();
    app.world_mut().entity_mut(paddle).insert(at(0.0, 100.0));
    app.update();
    assert!(position(&app, ball).y > 107.9);
    let velocity = app.world().get::<Mover>(ball).unwrap().velocity;
    assert!(velocity.distance(Vec2::Y * 60.0) < 0.1, "{velocity}");
}
