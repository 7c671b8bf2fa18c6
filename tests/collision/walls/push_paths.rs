//! The paths of movers that `Swept` walls push: when they are where, and at any scale.

use std::f32::consts::{FRAC_PI_4, TAU};

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

#[test]
fn a_pushed_mover_hits_what_is_on_its_path_one_after_the_other() {
    let mut app = test_app();
    let board = (RectCollider::new(0.1, 60.0), Solid, Swept, at(-10.0, 0.0));
    let board = spawn(&mut app, board);
    let mover = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    // It turns by 45 degrees where it reaches a ramp.
    let ramp = (
        RectCollider::new(80.0, 1.0),
        Solid,
        rotated(Vec2::X * 12.0, FRAC_PI_4),
    );
    spawn(&mut app, ramp);
    let sensors = [(3.0, 0.0), (15.0, 5.0), (19.0, 9.0)].map(|(x, y)| {
        let sensor = (CircleCollider::new(0.5), at(x, y));
        spawn(&mut app, sensor)
    });
    app.update();
    step(&mut app);
    set_position(&mut app, board, Vec2::new(25.0, 0.0));
    let events = step(&mut app);
    let fractions = sensors.map(|sensor| {
        let started = events.iter().find_map(|event| match *event {
            CollisionEvent::Started { a, b, fraction, .. } => {
                ([a, b] == [mover.min(sensor), mover.max(sensor)]).then_some(fraction)
            }
            CollisionEvent::Ended { .. } => None,
        });
        started.expect("it is on the path")
    });
    assert!(
        0.0 < fractions[0] && fractions.is_sorted() && fractions[2] < 1.0,
        "{fractions:?}"
    );
}

#[test]
fn a_wall_that_the_mover_was_in_does_not_push_it() {
    let mut app = test_app();
    let wall = spawn(
        &mut app,
        (RectCollider::new(4.0, 40.0), Solid, Swept, at(0.0, 0.0)),
    );
    let mover = spawn(
        &mut app,
        (CircleCollider::new(0.5), Mover::default(), at(9.0, 0.0)),
    );
    app.update();
    // Into the edge that leads, while the wall moves so far that the other edge is the nearer one.
    set_position(&mut app, mover, Vec2::new(2.2, 0.0));
    set_position(&mut app, wall, Vec2::new(3.5, 0.0));
    app.update();
    let x = global_position(&app, mover).x;
    assert!((x - 0.98).abs() < 1e-3, "{x}");
}

/// The end of a mover that several walls push at once, or crush, in a world of this scale.
fn pushed(seed: u64, scale: f32) -> (Vec2, bool) {
    let mut rng = Rng::with_seed(seed);
    let mut app = test_app();
    let kind = Kind::any(&mut rng);
    let mover = Mover {
        skin_width: 0.02 * scale,
        ..default()
    };
    let mover = spawn(&mut app, (mover, at(0.0, 0.0)));
    kind.insert(&mut app, mover, Vec2::new(2.0, 1.0) * scale);
    let walls: Vec<(Entity, Vec2)> = (0..6)
        .map(|_| {
            let position = Vec2::from_angle(rng.f32() * TAU) * (3.0 + 5.0 * rng.f32());
            let wall = spawn(
                &mut app,
                (Solid, Swept, rotated(position * scale, rng.f32() * TAU)),
            );
            let size = Vec2::new(1.0 + 4.0 * rng.f32(), 1.0 + 4.0 * rng.f32());
            Kind::any(&mut rng).insert(&mut app, wall, size * scale);
            let aim = Vec2::new(rng.f32(), rng.f32()) * 4.0 - 2.0;
            (wall, position + (aim - position) * (0.5 + rng.f32()))
        })
        .collect();
    app.update();
    for (wall, end) in walls {
        set_position(&mut app, wall, end * scale);
    }
    app.update();
    let is_crushed = is_crushed(&app, mover);
    (global_position(&app, mover), is_crushed)
}

#[test]
fn pushes_scale_with_the_scene() {
    for seed in 0..8 {
        let (end, is_crushed) = pushed(seed, 1.0);
        for scale in [2f32.powi(-12), 2f32.powi(12)] {
            let expected = (end * scale, is_crushed);
            assert_eq!(pushed(seed, scale), expected, "seed {seed}, scale {scale}");
        }
    }
}
