//! Jacobi iteration of overlapping shapes.

use bevy::math::{Rot2, Vec2};
use fastrand::Rng;

use super::super::crowd::{Body, Pair, separate_jacobi};
use crate::geometry::{Shape, penetration_within};

const HALF: [f32; 2] = [0.5; 2];
const ONLY_FIRST: [f32; 2] = [1.0, 0.0];

fn ball(x: f32, y: f32) -> Shape {
    Shape::circle(Vec2::new(x, y), 1.0)
}

fn pair(i: usize, j: usize, shares: [f32; 2]) -> Pair {
    Pair {
        bodies: [i as u32, j as u32],
        shares,
        margin: 0.0,
    }
}

/// The bodies of these shapes after this many iterations.
fn separated(shapes: &[Shape], pairs: &[Pair], steps: usize) -> Vec<Body> {
    let mut bodies: Vec<Body> = shapes.iter().cloned().map(Body::new).collect();
    separate_jacobi(&mut bodies, pairs, steps);
    bodies
}

/// Each shape with each other.
fn all_pairs(count: usize) -> Vec<Pair> {
    let pairs = (0..count).flat_map(|j| (0..j).map(move |i| pair(i, j, HALF)));
    pairs.collect()
}

/// Circles and rectangles of different sizes, close together.
fn crowd(rng: &mut Rng, count: usize) -> Vec<Shape> {
    let shape = |_| {
        let center = Vec2::new(rng.f32(), rng.f32()) * (count as f32).sqrt() * 1.5;
        let size = Vec2::new(1.0 + rng.f32(), 1.0 + rng.f32());
        match rng.bool() {
            true => Shape::circle(center, size.x / 2.0),
            false => Shape::rect(center, size, Rot2::radians(6.3 * rng.f32())),
        }
    };
    (0..count).map(shape).collect()
}

/// The sum of the depths of all overlaps.
fn depth_of_all(bodies: &[Body]) -> f32 {
    let pairs = (0..bodies.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let depth =
        |(i, j): (usize, usize)| penetration_within(&bodies[i].shape, &bodies[j].shape, 0.0);
    pairs.filter_map(depth).map(|(depth, _)| depth).sum()
}

#[test]
fn two_give_way_by_their_shares_and_end_touching() {
    for shares in [HALF, ONLY_FIRST, [0.25, 0.75], [0.0, 1.0]] {
        for margin in [0.0, 0.02] {
            let both = Pair {
                margin,
                ..pair(0, 1, shares)
            };
            let bodies = separated(&[ball(0.0, 0.0), ball(1.5, 0.0)], &[both], 1);
            let lacking = 0.5 + margin;
            for (body, moved) in bodies.iter().zip([-shares[0], shares[1]]) {
                assert!((body.moved.x - moved * lacking).abs() < 1e-6, "{shares:?}");
                assert_eq!(body.moved.y, 0.0);
            }
            let [p, q] = [0, 1].map(|i| bodies[i].shape.center().x);
            assert!((q - p - 2.0 - margin).abs() < 1e-6, "{shares:?}: {p} {q}");
        }
    }
}

#[test]
fn bodies_that_do_not_overlap_stay() {
    let shapes = [
        ball(0.0, 0.0),
        ball(2.0, 0.0),
        ball(0.0, 2.5),
        ball(1.0, 0.2),
    ];
    // The last one overlaps the others, but makes no pair with them.
    let bodies = separated(&shapes, &all_pairs(3), 16);
    for (body, shape) in bodies.iter().zip(shapes) {
        assert_eq!((&body.shape, body.moved), (&shape, Vec2::ZERO));
    }
}

#[test]
fn bodies_end_at_their_start_plus_their_displacement() {
    let mut rng = Rng::with_seed(4);
    let shapes = crowd(&mut rng, 30);
    for (body, shape) in separated(&shapes, &all_pairs(30), 16).iter().zip(shapes) {
        let expected = shape.translated(body.moved).center();
        assert!(body.shape.center().distance(expected) < 1e-4);
    }
}

#[test]
fn a_chain_spreads_to_both_ends_and_keeps_its_middle() {
    let shapes: Vec<Shape> = (0..9).map(|i| ball(1.8 * i as f32, 0.0)).collect();
    let neighbors: Vec<Pair> = (1..9).map(|i| pair(i - 1, i, HALF)).collect();
    let bodies = separated(&shapes, &neighbors, 300);
    for (first, second) in bodies.iter().zip(&bodies[1..]) {
        let apart = second.shape.center().x - first.shape.center().x;
        assert!((apart - 2.0).abs() < 1e-3, "{apart}");
    }
    for (body, opposite) in bodies.iter().zip(bodies.iter().rev()) {
        assert!((body.moved.x + opposite.moved.x).abs() < 1e-4);
    }
}

#[test]
fn a_row_gives_way_to_a_body_that_does_not() {
    let shapes: Vec<Shape> = (0..5).map(|i| ball(1.9 * i as f32, 0.0)).collect();
    let mut pairs: Vec<Pair> = (2..5).map(|i| pair(i - 1, i, HALF)).collect();
    pairs.push(pair(1, 0, ONLY_FIRST));
    let bodies = separated(&shapes, &pairs, 300);
    assert_eq!(bodies[0].moved, Vec2::ZERO);
    for (number, body) in bodies.iter().enumerate() {
        let x = body.shape.center().x;
        assert!((x - 2.0 * number as f32).abs() < 1e-3, "{number}: {x}");
    }
}

/// The body would be thrown about if it moved by the sum of all corrections.
#[test]
fn corrections_in_one_direction_are_not_summed_in_full() {
    let wall = ball(0.0, 0.0);
    for pushing in 2..8 {
        let mut shapes = vec![ball(1.5, 0.0)];
        shapes.extend((0..pushing).map(|_| wall.clone()));
        let pairs: Vec<Pair> = (1..=pushing).map(|i| pair(0, i, ONLY_FIRST)).collect();
        let x = separated(&shapes, &pairs, 1)[0].shape.center().x;
        let summed = 1.5 + 0.5 * pushing as f32;
        assert!(x >= 2.0 && x < summed, "{pushing}: {x}");
    }
}

#[test]
fn the_order_of_pairs_does_not_matter() {
    let mut rng = Rng::with_seed(8);
    for _ in 0..20 {
        let shapes = crowd(&mut rng, 12);
        let mut pairs = all_pairs(12);
        let bodies = separated(&shapes, &pairs, 4);
        rng.shuffle(&mut pairs);
        let shuffled = separated(&shapes, &pairs, 4);
        for (body, other) in bodies.iter().zip(&shuffled) {
            assert!(body.moved.distance(other.moved) < 1e-4);
        }
    }
}

#[test]
fn a_heap_gets_looser_with_every_few_steps() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..20 {
        let shapes = crowd(&mut rng, 60);
        let pairs = all_pairs(60);
        let mut last = depth_of_all(&separated(&shapes, &pairs, 0));
        for steps in [4, 8, 16, 32, 64] {
            let depth = depth_of_all(&separated(&shapes, &pairs, steps));
            assert!(depth < 0.9 * last, "{steps} steps: {depth} after {last}");
            last = depth;
        }
    }
}

#[test]
fn shapes_at_one_position_separate() {
    for shape in [
        ball(3.0, 4.0),
        Shape::rect(Vec2::new(3.0, 4.0), Vec2::ONE, Rot2::radians(0.3)),
    ] {
        let bodies = separated(&[shape.clone(), shape], &[pair(0, 1, HALF)], 1);
        assert_eq!(bodies[0].moved, -bodies[1].moved);
        let left = penetration_within(&bodies[0].shape, &bodies[1].shape, 0.0);
        assert!(left.is_none_or(|(depth, _)| depth < 1e-5), "{left:?}");
    }
}

#[test]
fn nan_moves_nobody() {
    let shapes = [ball(0.0, 0.0), ball(1.5, 0.0), ball(0.8, 1.0)];
    let expected = separated(&shapes, &all_pairs(3), 16);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for nowhere in [
            ball(bad, 0.0),
            ball(0.5, bad),
            Shape::circle(Vec2::ZERO, f32::NAN),
            Shape::rect(Vec2::new(bad, 0.0), Vec2::ONE, Rot2::IDENTITY),
            Shape::rect(Vec2::splat(bad), Vec2::ONE, Rot2::radians(0.4)),
        ] {
            let mut shapes = shapes.to_vec();
            shapes.push(nowhere);
            let bodies = separated(&shapes, &all_pairs(4), 16);
            for (body, expected) in bodies.iter().zip(&expected) {
                assert_eq!(body.moved, expected.moved, "{:?}", shapes[3]);
            }
        }
    }
}

#[test]
fn only_bodies_with_displacement_left_press_and_only_against_those_that_give_way() {
    let [right, left, up] = [Vec2::X, Vec2::NEG_X, Vec2::Y];
    let none = Vec2::ZERO;
    let cases = [
        (HALF, [right, left], [true, true]),
        (HALF, [right, right], [true, false]),
        (HALF, [left, right], [false, false]),
        (HALF, [right + up, left - up], [true, true]),
        (HALF, [none, left], [false, true]),
        (HALF, [none, none], [false, false]),
        // A body that gives way entirely presses against none.
        (ONLY_FIRST, [right, left], [false, true]),
        ([0.0, 1.0], [right, left], [true, false]),
    ];
    for (shares, remaining, expected) in cases {
        let presses = pair(0, 1, shares).presses(remaining, Vec2::X);
        assert_eq!(presses, expected, "{shares:?} {remaining:?}");
    }
}
