//! Movers among movers: solid ones are separated by weight, and none is pushed through a wall.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

/// Two movers of radius 1 that collide within one update: their desired positions are at 2 and at
/// 3.
fn head_on(left: Mover, right: Mover) -> (App, [Entity; 2]) {
    let mut app = test_app();
    let left = Mover {
        velocity: per_step(2.0, 0.0),
        ..left
    };
    let right = Mover {
        velocity: per_step(-2.0, 0.0),
        ..right
    };
    let left = spawn(&mut app, (ball(0.0, 0.0), Solid, left));
    let right = spawn(&mut app, (ball(5.0, 0.0), Solid, right));
    (app, [left, right])
}

fn weighing(weight: f32) -> Mover {
    Mover {
        weight,
        ..default()
    }
}

#[test]
fn solid_movers_that_moved_into_each_other_separate_by_weight() {
    let cases = [
        (1.0, 1.0, 0.5),
        (1.0, 3.0, 0.75),
        (3.0, 1.0, 0.25),
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 1.0),
        (0.0, 0.0, 0.5),
    ];
    for (left_weight, right_weight, left_share) in cases {
        let (mut app, [left, right]) = head_on(weighing(left_weight), weighing(right_weight));
        app.update();
        let (x, y) = (
            global_position(&app, left).x,
            global_position(&app, right).x,
        );
        // The overlap is 1, within a skin width.
        assert!(
            (x - (2.0 - left_share)).abs() < 0.05,
            "{left_weight} {right_weight}: {x}"
        );
        assert!(
            (y - (3.0 + 1.0 - left_share)).abs() < 0.05,
            "{left_weight} {right_weight}: {y}"
        );
        assert!(y - x > 2.0 - 1e-4, "{left_weight} {right_weight}: {x} {y}");
    }
}

#[test]
fn a_mover_that_is_not_solid_yields_wholly_to_one_that_is() {
    let (mut app, [soft, solid]) = head_on(weighing(1000.0), weighing(0.001));
    app.world_mut().entity_mut(soft).remove::<Solid>();
    app.update();
    let (x, y) = (
        global_position(&app, soft).x,
        global_position(&app, solid).x,
    );
    assert!(
        (y - 3.0).abs() < 1e-4,
        "the solid one goes where it wants: {y}"
    );
    assert!((x - 1.0).abs() < 0.05, "{x}");
}

#[test]
fn movers_that_are_not_solid_pass_through_each_other_and_report() {
    let (mut app, [a, b]) = head_on(default(), default());
    for entity in [a, b] {
        app.world_mut().entity_mut(entity).remove::<Solid>();
    }
    let events = brief(&steps(&mut app, 4));
    assert_eq!(
        events,
        [started(a, b), ended(a, b, CollisionEndReason::Separated)]
    );
    assert_eq!(global_position(&app, a).x, 8.0);
}

#[test]
fn a_resting_solid_mover_blocks_one_that_moves_into_it() {
    let mut app = test_app();
    let resting = spawn(&mut app, (ball(20.0, 0.0), Solid, Mover::default()));
    let runner = spawn(
        &mut app,
        (
            ball(0.0, 0.0),
            Solid,
            Mover::with_velocity(per_step(50.0, 0.0)),
        ),
    );
    assert_eq!(brief(&steps(&mut app, 3)), [started(resting, runner)]);
    let x = global_position(&app, runner).x;
    assert!((x - 17.98).abs() < 1e-3, "{x}");
    assert_eq!(global_position(&app, resting).x, 20.0, "it is not pushed");
}

/// Two solid movers that move toward each other, 6 apart.
fn spawn_opponents(app: &mut App, velocity: Vec2) -> [Entity; 2] {
    [(0.0, velocity), (6.0, -velocity)]
        .map(|(x, velocity)| spawn(app, (ball(x, 0.0), Solid, Mover::with_velocity(velocity))))
}

#[test]
fn solid_movers_do_not_pass_through_each_other() {
    for step_length in [0.05, 0.5, 1.2] {
        let mut app = test_app();
        let velocity = per_step(step_length, 0.0);
        let [left, right] = spawn_opponents(&mut app, velocity);
        let mut starts = vec![];
        for frame in 0..200 {
            starts.extend(brief_step(&mut app));
            for (entity, velocity) in [(left, velocity), (right, -velocity)] {
                app.world_mut().get_mut::<Mover>(entity).unwrap().velocity = velocity;
            }
            let distance = global_position(&app, right).x - global_position(&app, left).x;
            assert!(
                distance > 2.0 - 1e-3,
                "{step_length}, frame {frame}: {distance}"
            );
        }
        assert_eq!(starts[0], started(left, right), "{step_length}");
    }
}

#[test]
fn fast_solid_movers_do_not_swap_within_an_update() {
    for length in [4.0, 10.0, 100.0] {
        let mut app = test_app();
        let velocity = per_step(length, 0.0);
        let [left, right] = spawn_opponents(&mut app, velocity);
        app.update();
        let distance = global_position(&app, right).x - global_position(&app, left).x;
        assert!(distance > 2.0 - 1e-3, "{length}: {distance}");
    }
}

#[test]
fn parting_does_not_lead_into_a_wall() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(2.0, 20.0), Solid, at(-2.5, 0.0)),
    );
    // The light one slides along the wall, in front of the heavy one, which would push it 0.8 into
    // the wall.
    let light = Mover {
        weight: 0.0,
        ..Mover::with_velocity(per_step(0.0, 2.0))
    };
    let light = spawn(&mut app, (ball(-0.45, -2.5), Solid, light));
    let heavy = Mover::with_velocity(per_step(-2.5, 0.0));
    let heavy = spawn(&mut app, (ball(3.0, 0.0), Solid, heavy));
    app.update();
    assert_eq!(global_position(&app, heavy), Vec2::new(0.5, 0.0));
    let pushed = global_position(&app, light);
    assert!(pushed.x > -0.5, "{pushed} is in the wall");
    assert!(pushed.y < -0.9, "{pushed} was pushed");
}

#[test]
fn walls_hold_against_crowds() {
    for is_circle in [true, false] {
        let mut app = test_app();
        let mut rng = Rng::with_seed(3);
        for (x, y, width, height) in [
            (21.0, 0.0, 2.0, 44.0),
            (-21.0, 0.0, 2.0, 44.0),
            (0.0, 21.0, 44.0, 2.0),
            (0.0, -21.0, 44.0, 2.0),
        ] {
            spawn(
                &mut app,
                (RectCollider::new(width, height), Solid, at(x, y)),
            );
        }
        spawn(
            &mut app,
            (
                RectCollider::new(8.0, 1.0),
                Solid,
                rotated(Vec2::new(8.0, 8.0), 0.6),
            ),
        );
        let movers: Vec<Entity> = (0..60)
            .map(|i| {
                let mut random = || (rng.f32() * 2.0 - 1.0) * 18.0;
                let transform = rotated(Vec2::new(random(), random()), 0.0);
                let mover = spawn(
                    &mut app,
                    (
                        Mover {
                            weight: 1.0 + (i % 4) as f32,
                            ..default()
                        },
                        Solid,
                        transform,
                    ),
                );
                insert_collider(&mut app, mover, is_circle, Vec2::new(2.0, 1.5));
                mover
            })
            .collect();
        let half = if is_circle {
            Vec2::ONE
        } else {
            Vec2::new(1.0, 0.75)
        };
        // All push into one corner, then into another.
        for frame in 0..150 {
            let to = if frame < 75 {
                Vec2::splat(300.0)
            } else {
                Vec2::new(-2000.0, 500.0)
            };
            for &mover in &movers {
                app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = to;
            }
            app.update();
            for &mover in &movers {
                let outermost = global_position(&app, mover).abs() + half;
                assert!(
                    outermost.max_element() < 20.001,
                    "circles {is_circle}, frame {frame}: {outermost}"
                );
            }
        }
    }
}

#[test]
fn a_crowd_that_starts_at_one_position_spreads_until_nobody_overlaps() {
    let mut app = test_app();
    let movers: Vec<Entity> = (0..12)
        .map(|i| {
            spawn(
                &mut app,
                (
                    ball(0.1 * i as f32, 0.05 * (i % 5) as f32),
                    Solid,
                    Mover::default(),
                ),
            )
        })
        .collect();
    steps(&mut app, 150);
    let positions: Vec<Vec2> = movers
        .iter()
        .map(|&mover| global_position(&app, mover))
        .collect();
    for (i, p) in positions.iter().enumerate() {
        for q in &positions[..i] {
            assert!(p.distance(*q) > 1.98, "{p} {q}");
        }
    }
}

#[test]
fn a_mover_with_a_wide_skin_keeps_it_from_a_wall_while_others_press() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 20.0), Solid, at(-1.0, 0.0));
    spawn(&mut app, wall);
    let skin_width = 0.4;
    let mover = Mover {
        skin_width,
        ..default()
    };
    let pressed = (CircleCollider::new(0.5), mover, at(0.5 + skin_width, 0.0));
    let pressed = spawn(&mut app, pressed);
    let pusher = Mover {
        blocked_by: LayerMask::NONE,
        ..Mover::with_velocity(per_step(-0.1, 0.0))
    };
    spawn(
        &mut app,
        (RectCollider::new(1.0, 1.0), Solid, pusher, at(2.0, 0.0)),
    );
    for update in 0..10 {
        app.update();
        let distance = global_position(&app, pressed).x - 0.5;
        assert!(distance >= 0.9 * skin_width, "update {update}: {distance}");
    }
}
