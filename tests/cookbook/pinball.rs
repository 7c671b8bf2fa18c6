//! How do the flippers and bumpers of a pinball table hit the ball?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// In radians per second.
const FLIP_SPEED: f32 = 20.0;

#[derive(Component)]
struct Ball;

fn ball() -> impl Bundle {
    let mut mover = Mover::default();
    (mover.response, mover.restitution) = (MoverResponse::Bounce, 0.6);
    (Ball, CircleCollider::new(6.0), mover)
}

/// Throws back what hits it.
#[derive(Component)]
#[require(Solid)]
struct Bumper;

/// Turns about its own position while its key is held, from one angle to the other, in radians.
#[derive(Component)]
#[require(Solid, Swept)]
struct Flipper {
    key: KeyCode,
    rest: f32,
    raised: f32,
}

/// The side of the flipper that the ball touches gives it its speed there, since a ball bounces
/// relative to a `Swept` wall.
fn flip(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mut flippers: Query<(&Flipper, &mut Transform)>,
) {
    for (flipper, mut transform) in &mut flippers {
        let is_raised = keys.pressed(flipper.key);
        let target = Quat::from_rotation_z(if is_raised {
            flipper.raised
        } else {
            flipper.rest
        });
        let max_turn = FLIP_SPEED * time.delta_secs();
        transform.rotation = transform.rotation.rotate_towards(target, max_turn);
    }
}

fn fall(time: Res<Time>, mut balls: Query<&mut Mover, With<Ball>>) {
    for mut ball in &mut balls {
        ball.velocity.y -= 300.0 * time.delta_secs();
    }
}

/// Runs in `PostUpdate` after `CollisionSystems::Report`.
fn bump(
    mut hits: MessageReader<MoverHit>,
    bumpers: Query<(), With<Bumper>>,
    mut balls: Query<&mut Mover, With<Ball>>,
) {
    for hit in hits.read() {
        if bumpers.contains(hit.blocker)
            && let Ok(mut ball) = balls.get_mut(hit.entity)
        {
            ball.velocity += hit.normal * 150.0;
        }
    }
}

// ---- What tests it ----

use crate::app::*;

const KEYS: [KeyCode; 2] = [KeyCode::ArrowLeft, KeyCode::ArrowRight];

/// A table 200 wide and 360 high, open between the flippers, with three bumpers and a ball.
fn table() -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, (flip, fall).chain());
        app.add_systems(PostUpdate, bump.after(CollisionSystems::Report));
    });
    let outline = [
        (-60.0, -100.0),
        (-100.0, -70.0),
        (-100.0, 200.0),
        (100.0, 200.0),
    ];
    let outline = outline.into_iter().chain([(100.0, -70.0), (60.0, -100.0)]);
    let border = PolygonCollider::line(outline.map(Vec2::from), 20.0, 0.0).unwrap();
    app.world_mut().spawn((Solid, border));
    for (x, y) in [(-45.0, 90.0), (45.0, 90.0), (0.0, 140.0)] {
        app.world_mut()
            .spawn((Bumper, CircleCollider::new(12.0), at(x, y)));
    }
    for (side, key) in [-1.0, 1.0].into_iter().zip(KEYS) {
        let blade = [
            (0.0, -5.0),
            (-side * 42.0, -2.0),
            (-side * 42.0, 2.0),
            (0.0, 5.0),
        ];
        let blade = PolygonCollider::new(blade.map(Vec2::from)).unwrap();
        let flipper = Flipper {
            key,
            rest: side * 0.5,
            raised: -side * 0.5,
        };
        let mut transform = at(side * 60.0, -100.0);
        transform.rotation = Quat::from_rotation_z(flipper.rest);
        app.world_mut().spawn((flipper, blade, transform));
    }
    let ball = app.world_mut().spawn((ball(), at(20.0, 160.0))).id();
    (app, ball)
}

#[test]
fn a_player_keeps_the_ball_in_play() {
    let (mut app, ball) = table();
    let (mut shots, mut drains) = (0, 0);
    let mut was_low = false;
    for _ in 0..60 * 64 {
        let Vec2 { x, y } = position(&app, ball);
        release(&mut app);
        if y < -88.0 {
            press(&mut app, KEYS[usize::from(x > 0.0)]);
        }
        app.update();
        let now = position(&app, ball);
        assert!(
            now.x.abs() < 94.0 && now.y < 194.0,
            "left the table at {now}"
        );
        shots += i32::from(was_low && now.y > 0.0);
        was_low = now.y < -60.0 || was_low && now.y <= 0.0;
        if now.y < -150.0 {
            drains += 1;
            app.world_mut().entity_mut(ball).insert(at(20.0, 160.0));
        }
    }
    assert!(shots >= 10 && drains <= 10, "{shots} shots, {drains} lost");
}
