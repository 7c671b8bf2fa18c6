//! Movers slide around outer corners and come to rest in inner ones.

use std::{
    f32::consts::{PI, TAU},
    ops::Range,
};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

const MIN_RADIUS: f32 = 0.3;

/// Moves a circle once around a rectangle: along it, and at `push` radians into it. Returns its
/// distance from the skin around the rectangle once it arrived there, in skin widths.
fn worst_around(rng: &mut Rng, step_length: f32, push: f32) -> f32 {
    let mut app = test_app();
    let center = Vec2::from_angle(rng.f32() * TAU) * 100.0 * rng.f32();
    let (angle, radius) = (rng.f32() * TAU, MIN_RADIUS + 1.7 * rng.f32());
    let size = Vec2::new(4.0 + 6.0 * rng.f32(), 4.0 + 6.0 * rng.f32());
    let collider = RectCollider::new(size.x, size.y);
    spawn(&mut app, (collider, Solid, rotated(center, angle)));
    let wall = Shape::rect(center, size, Rot2::radians(angle));
    let start = center + Vec2::from_angle(angle) * (size.x / 2.0 + radius + SKIN);
    let mover = (CircleCollider::new(radius), Mover::default());
    let mover = spawn(&mut app, (mover, rotated(start, 0.0)));
    let rounding = tolerance(center.abs().max_element() + 10.0) - SKIN;
    let frames = (2.0 * (size.x + size.y) + TAU * radius) / (step_length * push.cos());
    let mut worst = 0f32;
    for _ in 0..frames as usize {
        let inward = separation(&shape_of(&app, mover), &wall).normal;
        let velocity = Vec2::from_angle(PI / 2.0 - push).rotate(inward) * step_length / STEP_SECS;
        set_velocity(&mut app, mover, velocity);
        app.update();
        let distance = separation(&shape_of(&app, mover), &wall).distance;
        worst = worst.max(((distance - SKIN).abs() - rounding) / SKIN);
    }
    worst
}

fn assert_follows_corners(trials: u32, step_lengths: [f32; 2]) {
    let mut rng = Rng::with_seed(1);
    let [low, high] = step_lengths;
    for trial in 0..trials {
        let step_length = low * (high / low).powf(rng.f32());
        let push = (5.0 + 80.0 * rng.f32()).to_radians();
        // A mover that turns by more than `push` within a frame leaves the surface by itself.
        let step_length = step_length.min(0.8 * MIN_RADIUS * push);
        let worst = worst_around(&mut rng, step_length, push);
        assert!(
            worst <= 1.0,
            "trial {trial}, {step_length} a frame at {push} rad: {worst} skins off"
        );
    }
}

#[test]
fn a_slow_circle_stays_at_the_skin_around_outer_corners() {
    assert_follows_corners(8, [0.02, 0.1]);
}

#[test]
fn a_fast_circle_stays_at_the_skin_around_outer_corners() {
    assert_follows_corners(12, [0.1, 2.0]);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn a_circle_of_any_speed_stays_at_the_skin_around_outer_corners() {
    assert_follows_corners(30, [0.02, 0.1]);
    assert_follows_corners(30, [0.1, 2.0]);
}

/// Two walls that form a wedge, and a mover that pushes into it.
struct Wedge {
    mover: Entity,
    walls: [Shape; 2],
    velocity: Vec2,
    describe: String,
}

impl Wedge {
    fn random(app: &mut App, rng: &mut Rng, apex: Vec2) -> Self {
        let opening = (10.0 + 160.0 * rng.f32()).to_radians();
        let turn = rng.f32() * TAU;
        let walls = [-1.0, 1.0].map(|side| {
            let along = Vec2::from_angle(turn + side * opening / 2.0);
            let center = apex + along * 40.0 + along.perp() * side;
            let size = Vec2::new(100.0, 2.0);
            let transform = rotated(center, along.to_angle());
            spawn(app, (RectCollider::new(size.x, size.y), Solid, transform));
            Shape::rect(center, size, Rot2::radians(along.to_angle()))
        });
        // Between the directions into the two walls.
        let aside = (PI - opening) / 2.0 * 0.9 * (2.0 * rng.f32() - 1.0);
        let step_length = 0.05 * 400f32.powf(rng.f32());
        let velocity = -Vec2::from_angle(turn + aside) * step_length / STEP_SECS;
        let start = apex + Vec2::from_angle(turn) * (2.0 / (opening / 2.0).sin() + 1.0);
        let mover = Mover::with_velocity(velocity);
        let mover = spawn(app, (mover, rotated(start, rng.f32() * TAU)));
        let kind = Kind::any(rng);
        let size = Vec2::new(0.3 + 2.0 * rng.f32(), 0.3 + 2.0 * rng.f32());
        kind.insert(app, mover, size);
        let describe = format!(
            "{} degrees, rotated {turn}, aside {aside}, {step_length} a frame, {kind:?}, {size}",
            opening.to_degrees()
        );
        Self {
            mover,
            walls,
            velocity,
            describe,
        }
    }

    fn distances(&self, app: &App) -> [f32; 2] {
        let shape = shape_of(app, self.mover);
        (self.walls.each_ref()).map(|wall| separation(&shape, wall).distance)
    }

    fn depth(&self, app: &App) -> f32 {
        let [p, q] = self.distances(app);
        -p.min(q)
    }

    /// Whether the mover is at both walls, within this distance. A slow one may still slide along
    /// one of them.
    fn has_arrived(&self, app: &App, max_distance: f32) -> bool {
        let [p, q] = self.distances(app);
        p.max(q) < max_distance
    }
}

/// Frames that a slow mover may need for the last tolerance before it rests in a corner.
const SETTLING: u32 = 20;

/// Asserts that after 600 updates, movers in many wedges up to `max_distance` from the origin move
/// by at most the fraction `rest` of the tolerance per update, and never tunnel.
fn assert_rests_in_wedges(seeds: Range<u64>, max_distance: f32, rest: f32) {
    let (mut restless, mut deepest) = ((0.0, String::new()), (f32::MIN, String::new()));
    let (mut count, mut failed, mut late) = (0, 0, 0);
    for seed in seeds {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        let corner = Vec2::from_angle(rng.f32() * TAU) * max_distance * rng.f32();
        let wedges: Vec<Wedge> = (0..36)
            .map(|i| {
                let apex = corner + 300.0 * Vec2::new((i % 6) as f32, (i / 6) as f32);
                Wedge::random(&mut app, &mut rng, apex)
            })
            .collect();
        let allowed = tolerance(corner.abs().max_element() + 1900.0);
        let mut was_restless = vec![false; wedges.len()];
        // For how many frames each has been there.
        let mut there_for = vec![0; wedges.len()];
        for frame in 0..700 {
            let before: Vec<Vec2> = (wedges.iter())
                .map(|wedge| shape_of(&app, wedge.mover).center())
                .collect();
            for wedge in &wedges {
                set_velocity(&mut app, wedge.mover, wedge.velocity);
            }
            app.update();
            for (i, (wedge, before)) in wedges.iter().zip(&before).enumerate() {
                let describe = |figure: f32| {
                    (
                        figure,
                        format!("seed {seed}, frame {frame}: {}", wedge.describe),
                    )
                };
                let depth = wedge.depth(&app) / allowed;
                if depth > deepest.0 {
                    deepest = describe(depth);
                }
                let moved = shape_of(&app, wedge.mover).center().distance(*before) / allowed;
                if frame >= 600 && there_for[i] > SETTLING {
                    was_restless[i] |= moved > rest;
                    if moved > restless.0 {
                        restless = describe(moved);
                    }
                }
                let is_there = there_for[i] > 0 || wedge.has_arrived(&app, 2.0 * allowed);
                there_for[i] += u32::from(is_there);
            }
        }
        count += wedges.len();
        late += (there_for.iter().filter(|frames| **frames <= SETTLING)).count();
        failed += was_restless.iter().filter(|was| **was).count();
    }
    println!(
        "{count} wedges, {late} not reached, {failed} restless: {restless:?}, deepest {deepest:?}"
    );
    assert!(20 * late <= count, "{late} of {count} have not arrived");
    assert!(deepest.0 <= 1.0, "{deepest:?}");
    assert!(failed == 0, "{failed} of {count}: {restless:?}");
}

#[test]
fn movers_come_to_rest_in_wedges() {
    assert_rests_in_wedges(0..2, 0.0, 0.1);
    // One of these is almost flat: its mover slides only slowly into the second wall.
    assert_rests_in_wedges(12..13, 0.0, 0.1);
}

#[test]
#[ignore = "takes minutes: the same with more wedges"]
fn movers_come_to_rest_in_wedges_everywhere() {
    assert_rests_in_wedges(0..60, 0.0, 0.1);
    assert_rests_in_wedges(0..60, 1e3, 0.5);
    // Here a tenth of the tolerance is less than the rounding of a position, which an opening of
    // 170 degrees amplifies tenfold.
    assert_rests_in_wedges(0..60, 9e4, 5.0);
}
