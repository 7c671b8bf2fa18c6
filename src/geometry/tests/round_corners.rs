//! Casts at where an edge of a rounded outline ends and the circle around its vertex begins.

use std::f32::consts::TAU;

use bevy::math::{Rot2, Vec2};

use crate::geometry::{Shape, cast_shape, cast_with_margin, separation};

#[test]
fn a_ball_does_not_slip_in_between_an_edge_and_the_vertex_beside_it() {
    let corners = [
        (0.0, -60.0),
        (200.0, -60.0),
        (200.0, 18.060_614),
        (0.0, 0.0),
    ];
    let wall = Shape::polygon(corners.map(Vec2::from)).unwrap();
    let ball = Shape::circle(Vec2::new(207.574, 19.025_316), 0.25);
    let displacement = Vec2::new(-107.561_356, -10.134_086);
    assert!(cast_shape(&ball, displacement, &wall).is_some());
}

/// Just above the start of the upper edge of a wall, and down into it at a small angle.
fn skimming(dice: &mut fastrand::Rng, turn: Rot2, (start, length): (Vec2, f32)) -> (Vec2, Vec2) {
    let angle = 10f32.powf(-1.5 - dice.f32() * 3.0);
    let direction = turn * Rot2::radians(angle) * Vec2::NEG_X;
    let from = start - direction * dice.f32() * 10.0;
    (from, (start - from) + direction * length * 0.9)
}

#[test]
fn nothing_slips_in_between_an_edge_and_the_vertex_beside_it() {
    let mut dice = fastrand::Rng::with_seed(1);
    for _ in 0..100_000 {
        let turn = Rot2::radians(dice.f32() * TAU);
        let size = Vec2::new(10.0 + dice.f32() * 200.0, 20.0);
        let center = Vec2::new(dice.f32() - 0.5, dice.f32() - 0.5) * 50.0;
        let wall = Shape::rect(center, size, turn);
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
        let corners = corners.map(|corner| center + turn * (size * Vec2::from(corner)));
        let (normal, radius) = (turn * Vec2::Y, 0.01 + dice.f32());
        let moving = Shape::rect(Vec2::ZERO, Vec2::ONE, Rot2::IDENTITY);
        let lowest = -0.5 * Vec2::ONE.copysign(normal);
        let polygon = Shape::polygon(corners).unwrap();
        for (moving, resting, start, margin) in [
            (
                Shape::circle(Vec2::ZERO, radius),
                &polygon,
                corners[2] + normal * radius,
                0.0,
            ),
            (moving, &wall, corners[2] - lowest + normal * 0.01, 0.01),
        ] {
            let (from, displacement) = skimming(&mut dice, turn, (start, size.x));
            let moving = moving.translated(from);
            let end = separation(&moving.translated(displacement), resting).distance;
            if end < margin - 1e-3 {
                let found = cast_with_margin(&moving, displacement, resting, margin);
                assert!(
                    found.is_some(),
                    "{moving:?} {displacement} {resting:?} {end}"
                );
            }
        }
    }
}
