//! Bouncing neither gains nor loses speed, and completes within the update.

use std::{f32::consts::TAU, time::Duration};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

const HALF: Vec2 = Vec2::new(20.0, 15.0);

/// A closed, rotated room around the origin with rotated posts in it.
fn spawn_room(app: &mut App, rng: &mut Rng, posts: usize) {
    let turn = Vec2::from_angle(rng.f32() * TAU);
    let mut put = |local: Vec2, size: Vec2, angle: f32| {
        let transform = rotated(turn.rotate(local), turn.to_angle() + angle);
        spawn(app, (RectCollider::new(size.x, size.y), Solid, transform));
    };
    for side in [-1.0, 1.0] {
        let (across, along) = (Vec2::X * HALF.x * side, Vec2::Y * HALF.y * side);
        put(across, Vec2::new(1.0, 2.0 * HALF.y + 1.0), 0.0);
        put(along, Vec2::new(2.0 * HALF.x + 1.0, 1.0), 0.0);
    }
    for post in 0..posts {
        let direction = Vec2::from_angle(post as f32 * TAU / posts as f32);
        put(
            direction * 9.0,
            Vec2::new(1.0 + rng.f32(), 1.0 + rng.f32()),
            rng.f32() * TAU,
        );
    }
}

fn spawn_ball(app: &mut App, velocity: Vec2) -> Entity {
    let body = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(velocity)
    };
    spawn(app, (CircleCollider::new(0.5), body, at(0.0, 0.0)))
}

fn hits_of(app: &App, mover: Entity) -> usize {
    app.world().get::<MoverHits>(mover).unwrap().len()
}

#[test]
fn ten_thousand_bounces_keep_the_energy() {
    let mut rng = Rng::with_seed(3);
    let mut app = test_app();
    spawn_room(&mut app, &mut rng, 7);
    for speed in [1000.0, 20_000.0] {
        let velocity = Vec2::from_angle(rng.f32() * TAU) * speed;
        let speed = velocity.length();
        let mover = spawn_ball(&mut app, velocity);
        let (mut bounces, mut low, mut high) = (0, speed, speed);
        while bounces < 10_000 {
            app.update();
            bounces += hits_of(&app, mover);
            let now = velocity_of(&app, mover).length();
            (low, high) = (low.min(now), high.max(now));
        }
        app.world_mut().despawn(mover);
        println!(
            "{speed}: {bounces} bounces, {} to {}",
            low / speed - 1.0,
            high / speed - 1.0
        );
        assert!(low >= 0.999 * speed, "{speed} fell to {low}");
        // A bounce rounds a few times, up as often as down.
        assert!(high <= (1.0 + 2e-5) * speed, "{speed} grew to {high}");
    }
}

/// The end of a ball in an empty room after a fifth of a second in this many steps, and its number
/// of bounces.
fn flight(seed: u64, speed: f32, steps: u32) -> (Vec2, usize) {
    let mut rng = Rng::with_seed(seed);
    let mut app = test_app();
    spawn_room(&mut app, &mut rng, 0);
    let mover = spawn_ball(&mut app, Vec2::from_angle(rng.f32() * TAU) * speed);
    let step = Duration::from_millis(200) / steps;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    let mut bounces = 0;
    for _ in 0..steps {
        app.update();
        bounces += hits_of(&app, mover);
    }
    (global_position(&app, mover), bounces)
}

/// Asserts that no ball is farther than a twentieth of the skin width from where small steps bring
/// it.
fn assert_same_flights(flights: u64, speeds: [f32; 2]) {
    let (mut worst, mut most) = (0f32, 0);
    for seed in 0..flights {
        let speed = speeds[0] + (speeds[1] - speeds[0]) * seed as f32 / flights as f32;
        let (big, bounces) = flight(seed, speed, 1);
        let (small, small_bounces) = flight(seed, speed, 1000);
        assert_eq!(
            bounces, small_bounces,
            "seed {seed}, {speed}: {big} {small}"
        );
        (worst, most) = (worst.max(big.distance(small)), most.max(bounces));
    }
    println!("up to {most} bounces, {worst} off");
    // Rounding adds up.
    assert!(worst < 2e-5 * (most as f32).max(50.0), "{worst}");
}

#[test]
fn one_big_step_makes_the_same_bounces_as_a_thousand_small_ones() {
    assert_same_flights(8, [200.0, 1200.0]);
}

#[test]
fn one_big_step_makes_a_hundred_bounces() {
    assert_same_flights(8, [15_000.0, 20_000.0]);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn one_big_step_makes_the_same_bounces_at_any_speed() {
    assert_same_flights(60, [200.0, 1200.0]);
    assert_same_flights(60, [15_000.0, 20_000.0]);
}

/// Far from the origin the edges of two tiles are not quite flush: one corner stands out.
#[test]
fn balls_bounce_off_the_seams_of_far_tiles_as_off_one_wall() {
    let mut rng = Rng::with_seed(5);
    let mut app = test_app();
    let balls: Vec<(Entity, Vec2)> = (0..400u16)
        .map(|number| {
            let seam = Vec2::new(f32::from(number % 20), f32::from(number / 20)) * 20.0 + 4000.0;
            let along = Vec2::from_angle(rng.f32() * TAU);
            let up = along.perp();
            for side in [-0.5, 0.5] {
                let transform = rotated(seam + along * side - up * 0.5, along.to_angle());
                spawn(&mut app, (RectCollider::new(1.0, 1.0), Solid, transform));
            }
            let incoming = Vec2::from_angle(2.0 * rng.f32() - 1.0).rotate(-up) * 3.0;
            let target = seam + along * (0.02 * rng.f32() - 0.01) + up * 0.27;
            let body = Mover {
                response: MoverResponse::Bounce,
                ..Mover::with_velocity(2.0 * incoming / STEP_SECS)
            };
            let transform = rotated(target - incoming, 0.0);
            let ball = spawn(&mut app, (CircleCollider::new(0.25), body, transform));
            (ball, (incoming - 2.0 * incoming.dot(up) * up).normalize())
        })
        .collect();
    app.update();
    for (ball, expected) in balls {
        let direction = velocity_of(&app, ball).normalize();
        assert!(
            direction.distance(expected) < 5e-3,
            "{direction} {expected}"
        );
    }
}
