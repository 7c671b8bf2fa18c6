//! Solid movers that start in each other.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{geometry::separation, prelude::*};
use fastrand::Rng;

use crate::common::*;

const RADIUS: f32 = 6.0;

fn spawn_mover(app: &mut App, position: Vec2) -> Entity {
    let transform = Transform::from_translation(position.extend(0.0));
    let mover = (
        CircleCollider::new(RADIUS),
        Mover::default(),
        Solid,
        transform,
    );
    spawn(app, mover)
}

/// The deepest overlap of any two.
fn deepest(app: &App, movers: &[Entity]) -> f32 {
    let shapes: Vec<_> = movers.iter().map(|&mover| shape_of(app, mover)).collect();
    let pairs = (0..shapes.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| -separation(&shapes[i], &shapes[j]).distance)
        .fold(0.0, f32::max)
}

#[test]
fn a_pile_comes_apart_and_is_not_thrown() {
    for (count, radius) in [(10, 24.0), (50, 51.0), (100, 72.0)] {
        for seed in 0..4 {
            let mut rng = Rng::with_seed(seed);
            let mut app = test_app();
            let movers: Vec<Entity> = (0..count)
                .map(|_| {
                    let offset = Vec2::from_angle(rng.f32() * TAU) * 3.0 * rng.f32();
                    spawn_mover(&mut app, if seed == 0 { Vec2::ZERO } else { offset })
                })
                .collect();
            let mut farthest = 0.0f32;
            for _ in 0..128 {
                app.update();
                let all = movers
                    .iter()
                    .map(|&mover| local_position(&app, mover).length());
                farthest = farthest.max(all.fold(0.0, f32::max));
            }
            let case = format!("{count}, seed {seed}");
            assert!(farthest < radius, "{case}: {farthest} away");
            assert!(deepest(&app, &movers) < 1e-3, "{case}");
        }
    }
}

#[test]
fn a_pile_at_one_point_of_a_room_comes_apart() {
    // Movers that are not convex and interlock may stay so.
    for kind in (Kind::ALL.into_iter()).filter(|kind| *kind != Kind::Notched) {
        let mut app = test_app();
        for side in [-1.0, 1.0] {
            spawn(
                &mut app,
                (RectCollider::new(220.0, 20.0), Solid, at(0.0, 110.0 * side)),
            );
            spawn(
                &mut app,
                (RectCollider::new(20.0, 220.0), Solid, at(110.0 * side, 0.0)),
            );
        }
        let movers: Vec<Entity> = (0..50)
            .map(|_| {
                let mover = spawn(&mut app, (Mover::default(), Solid, at(90.0, 80.0)));
                kind.insert(&mut app, mover, Vec2::splat(2.0 * RADIUS));
                mover
            })
            .collect();
        for _ in 0..640 {
            app.update();
        }
        let depth = deepest(&app, &movers);
        assert!(depth < 0.1, "{kind:?}: {depth}");
        for &mover in &movers {
            let position = local_position(&app, mover);
            assert!(position.abs().max_element() < 100.0, "{kind:?}: {position}");
        }
    }
}

#[test]
fn two_at_one_place_come_apart_as_their_weights_say_in_any_order_of_spawning() {
    let ends = |weights: [f32; 2]| {
        let mut app = test_app();
        let movers = weights.map(|weight| {
            let mover = Mover {
                weight,
                ..default()
            };
            spawn(
                &mut app,
                (CircleCollider::new(RADIUS), mover, Solid, at(0.0, 0.0)),
            )
        });
        app.update();
        app.update();
        movers.map(|mover| local_position(&app, mover))
    };
    let [light, heavy] = ends([1.0, 5.0]);
    assert!(light.length() > 4.0 * heavy.length(), "{light} {heavy}");
    assert_eq!(ends([5.0, 1.0]), [heavy, light]);
}
