//! A port of a platformer for Unity by Sebastian Lague: `Platformer E13` of
//! github.com/SebLague/2DPlatformer-Tutorial at 625ad07, for Unity 5.4, MIT.
//
// The original: a controller of rays for a `BoxCollider2D`, with slopes and platforms to drop
// through; a platform that finds its passengers by rays and moves them before or after itself; a
// player. Here: `Walker`, `OneWay`, `Swept`; what the keys do, and where the platform is. The scene
// is another one.

use bevy::prelude::*;
use bevy_thud::prelude::*;

// In meters and seconds, as in Unity.
const SPEED: f32 = 6.0;
const JUMP_HEIGHTS: [f32; 2] = [1.0, 4.0];
const SECONDS_TO_APEX: f32 = 0.4;
const GRAVITY: f32 = 2.0 * JUMP_HEIGHTS[1] / (SECONDS_TO_APEX * SECONDS_TO_APEX);
const WALL_SLIDE_SPEED: f32 = 3.0;
const WALL_STICK_SECONDS: f32 = 0.25;
/// Jumps off a wall while walking toward it, not at all, and away from it.
const WALL_JUMPS: [Vec2; 3] = [
    Vec2::new(7.5, 16.0),
    Vec2::new(8.5, 7.0),
    Vec2::new(18.0, 17.0),
];

#[derive(Component, Default)]
struct Player {
    /// How long it still sticks to a wall that it walks away from.
    stick_seconds: f32,
}

fn player() -> impl Bundle {
    // The defaults are for pixels.
    let mover = Mover {
        skin_width: 0.015,
        ..default()
    };
    let walker = Walker {
        max_slope: 80f32.to_radians(),
        snap_distance: 0.2,
        step_width: 0.05,
        kept_velocity: KeptVelocity::Nothing,
        ..default()
    };
    let collider = RectCollider::new(1.0, 1.0);
    (Player::default(), collider, mover, walker)
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    player: Single<(&mut Player, &mut Mover, &mut Ground)>,
) {
    let (mut player, mut mover, mut ground) = player.into_inner();
    let pressed = |key| f32::from(keys.pressed(key));
    let right = pressed(KeyCode::ArrowRight) - pressed(KeyCode::ArrowLeft);
    let seconds = time.delta_secs();
    let rate = if ground.is_on_floor() { 20.0 } else { 10.0 };
    let wanted = SPEED * right;
    mover.velocity.x.smooth_nudge(&wanted, rate, seconds);
    mover.velocity.y -= GRAVITY * seconds;

    // The direction to the wall that it slides down.
    let is_sliding = !ground.is_on_floor() && mover.velocity.y < 0.0;
    let wall = ground.wall().filter(|_| is_sliding);
    let wall = wall.map(|wall| -wall.normal.x.signum());
    if let Some(wall) = wall {
        mover.velocity.y = mover.velocity.y.max(-WALL_SLIDE_SPEED);
        if right == -wall {
            player.stick_seconds -= seconds;
        } else {
            player.stick_seconds = WALL_STICK_SECONDS;
        }
        if player.stick_seconds > 0.0 {
            mover.velocity.x = 0.0;
        }
    }

    let [low, high] = JUMP_HEIGHTS.map(|height| (2.0 * GRAVITY * height).sqrt());
    if keys.just_pressed(KeyCode::Space) {
        if let Some(wall) = wall {
            let jump = WALL_JUMPS[(1.0 - right * wall) as usize];
            mover.velocity = jump * Vec2::new(-wall, 1.0);
        } else if ground.is_on_floor() {
            mover.velocity.y = high;
        }
    } else if keys.just_released(KeyCode::Space) {
        mover.velocity.y = mover.velocity.y.min(low);
    }
    if keys.pressed(KeyCode::ArrowDown) {
        ground.drop_through();
    }
}

/// Goes from each waypoint to the next one, and back or around, and waits at each.
#[derive(Component, Default)]
struct Platform {
    waypoints: Vec<Vec2>,
    speed: f32,
    /// 0 for a constant speed.
    ease: f32,
    wait_seconds: f32,
    is_cyclic: bool,
    last: usize,
    fraction: f32,
    waits_for: f32,
}

fn move_platforms(time: Res<Time>, mut platforms: Query<(&mut Platform, &mut Transform)>) {
    for (mut platform, mut transform) in &mut platforms {
        platform.waits_for -= time.delta_secs();
        if platform.waits_for > 0.0 {
            continue;
        }
        let count = platform.waypoints.len();
        let next = (platform.last + 1) % count;
        let [from, to] = [platform.last, next].map(|index| platform.waypoints[index]);
        platform.fraction += time.delta_secs() * platform.speed / from.distance(to);
        let fraction = platform.fraction.min(1.0);
        let [past, rest] = [fraction, 1.0 - fraction].map(|x| x.powf(platform.ease + 1.0));
        let position = from.lerp(to, past / (past + rest));
        transform.translation = position.extend(transform.translation.z);
        if platform.fraction >= 1.0 {
            platform.fraction = 0.0;
            platform.waits_for = platform.wait_seconds;
            platform.last = next;
            if !platform.is_cyclic && next + 1 == count {
                platform.waypoints.reverse();
                platform.last = 0;
            }
        }
    }
}

fn moving_platform(size: Vec2, platform: Platform) -> impl Bundle {
    let position = platform.waypoints[0].extend(0.0);
    let wall = (RectCollider::new(size.x, size.y), Solid, Swept);
    (wall, Transform::from_translation(position), platform)
}

// ---- What plays it ----

use crate::app::*;

/// A player at this position, above a floor with a wall, a slope and a plank.
fn stage(x: f32, y: f32) -> (App, Entity) {
    let mut app = app(CollisionPlugin::default(), |app| {
        app.add_systems(Update, (move_platforms, steer));
    });
    let world = app.world_mut();
    world.spawn((RectCollider::new(200.0, 2.0), Solid, at(0.0, -1.0)));
    world.spawn((RectCollider::new(2.0, 60.0), Solid, at(-20.0, 30.0)));
    let plank = (RectCollider::new(4.0, 0.5), Solid, OneWay(Dir2::Y));
    world.spawn((plank, at(-6.0, 3.0)));
    let slope = [(40.0, 0.0), (60.0, 0.0), (60.0, 20.0)].map(Vec2::from);
    world.spawn((PolygonCollider::new(slope).unwrap(), Solid));
    let player = world.spawn((player(), at(x, y))).id();
    run(&mut app, 0.25);
    (app, player)
}

fn is_on_floor(app: &App, player: Entity) -> bool {
    app.world().get::<Ground>(player).unwrap().is_on_floor()
}

/// The height of a jump from the floor, if the key is held for this many updates.
fn jump_height(updates: usize) -> f32 {
    let (mut app, player) = stage(0.0, 0.52);
    let start = position(&app, player).y;
    hold(&mut app, &[KeyCode::Space]);
    let mut height = 0.0f32;
    for update in 1..40 {
        if update == updates {
            hold(&mut app, &[]);
        } else {
            app.update();
        }
        height = height.max(position(&app, player).y - start);
    }
    height
}

#[test]
fn a_jump_is_four_units_high_and_less_if_the_key_is_released() {
    let high = jump_height(100);
    assert!((high - 4.0).abs() < 0.2, "{high}");
    let low = jump_height(1);
    assert!((1.0..1.5).contains(&low), "{low}");
}

#[test]
fn a_plank_is_jumped_through_from_below_and_dropped_through_with_down() {
    let (mut app, player) = stage(-6.0, 0.52);
    hold(&mut app, &[KeyCode::Space]);
    run(&mut app, 1.0);
    let y = position(&app, player).y;
    assert!(is_on_floor(&app, player) && (y - 3.765).abs() < 0.01, "{y}");
    hold(&mut app, &[]);
    hold(&mut app, &[KeyCode::ArrowDown]);
    run(&mut app, 0.5);
    let y = position(&app, player).y;
    assert!(is_on_floor(&app, player) && (y - 0.515).abs() < 0.01, "{y}");
}

#[test]
fn a_slope_does_not_change_the_speed_and_the_player_rests_on_it() {
    let (mut app, player) = stage(38.0, 0.52);
    hold(&mut app, &[KeyCode::ArrowRight]);
    run(&mut app, 1.0);
    let before = position(&app, player);
    run(&mut app, 0.5);
    let moved = position(&app, player) - before;
    assert!(
        (moved - Vec2::splat(3.0 * 0.5f32.sqrt())).length() < 0.05,
        "{moved}"
    );
    hold(&mut app, &[]);
    run(&mut app, 0.5);
    let before = position(&app, player);
    run(&mut app, 1.0);
    assert!(is_on_floor(&app, player));
    assert!(position(&app, player).distance(before) < 1e-3);
}

#[test]
fn a_platform_carries_who_stands_on_it_and_a_jump_from_it_keeps_nothing() {
    let (mut app, player) = stage(20.0, 2.77);
    let platform = Platform {
        waypoints: [(20.0, 2.0), (26.0, 2.0), (26.0, 6.0)]
            .map(Vec2::from)
            .to_vec(),
        speed: 4.0,
        ease: 1.0,
        wait_seconds: 0.5,
        ..default()
    };
    let platform = moving_platform(Vec2::new(3.0, 0.5), platform);
    let platform = app.world_mut().spawn(platform).id();
    app.world_mut()
        .get_mut::<Transform>(player)
        .unwrap()
        .translation
        .y = 2.77;
    app.update();
    let mut highest = Vec2::ZERO;
    // There, up, back down and back, and halfway once more.
    for _ in 0..(64.0 * (1.5 + 0.5 + 1.0 + 0.5 + 1.0 + 0.5 + 1.5 + 0.5 + 0.5)) as usize {
        app.update();
        let offset = position(&app, player) - position(&app, platform);
        assert!(offset.distance(Vec2::new(0.0, 0.765)) < 0.02, "{offset}");
        assert!(is_on_floor(&app, player));
        highest = highest.max(position(&app, platform));
    }
    assert!(highest.distance(Vec2::new(26.0, 6.0)) < 1e-4);
    let before = position(&app, player).x;
    tap(&mut app, &[KeyCode::Space]);
    let x = position(&app, player).x;
    run(&mut app, 0.2);
    assert_eq!(position(&app, player).x, x);
    assert!((x - before).abs() < 0.15, "{x} {before}");
    assert!(position(&app, platform).x > x + 0.5);
}

#[test]
fn a_platform_pushes_who_stands_beside_it() {
    let (mut app, player) = stage(12.0, 0.52);
    let platform = Platform {
        waypoints: vec![Vec2::new(10.0, 0.6), Vec2::new(14.0, 0.6)],
        speed: 3.0,
        wait_seconds: 9.0,
        ..default()
    };
    let platform = moving_platform(Vec2::ONE, platform);
    app.world_mut().spawn(platform);
    run(&mut app, 2.0);
    let x = position(&app, player).x;
    assert!((15.0..15.05).contains(&x), "{x}");
}

/// The velocity after a jump off the wall, while a key is held.
fn wall_jump(key: KeyCode) -> Vec2 {
    let (mut app, player) = stage(-18.485, 20.0);
    hold(&mut app, &[key]);
    run(&mut app, 0.1);
    hold(&mut app, &[key, KeyCode::Space]);
    velocity(&app, player)
}

#[test]
fn the_player_slides_down_a_wall_jumps_off_it_and_sticks_to_it_shortly() {
    let (mut app, player) = stage(-18.485, 20.0);
    assert_eq!(velocity(&app, player), Vec2::new(0.0, -WALL_SLIDE_SPEED));
    let start = position(&app, player);
    hold(&mut app, &[KeyCode::ArrowRight]);
    run(&mut app, 0.2);
    assert_eq!(position(&app, player).x, start.x);
    run(&mut app, 0.2);
    assert!(position(&app, player).x > start.x + 0.3);

    let keys = [KeyCode::ArrowLeft, KeyCode::ArrowUp, KeyCode::ArrowRight];
    assert_eq!(keys.map(wall_jump), WALL_JUMPS);
}
