//! Outlines as editors export them: combs, gears, spirals and rough ones, with vertices that are
//! redundant, nearly so, doubled, and in either winding.

use std::f64::consts::TAU;

use bevy::math::{DVec2, Vec2};
use proptest::{collection::vec, prelude::*};

use super::specimen::between;

/// What an editor does to an outline besides its vertices.
#[derive(Clone, Debug)]
struct Habits {
    /// For some edges, where a vertex on it is, as fractions of its length: along and aside.
    redundant: Vec<(usize, f64, f64)>,
    /// Vertices that come twice.
    doubled: Vec<usize>,
    is_reversed: bool,
    first: usize,
}

fn habits() -> impl Strategy<Value = Habits> {
    let aside = prop_oneof![3 => Just(0.0), 1 => between(-1e-6, 1e-6)];
    let redundant = vec((0..100usize, between(0.1, 0.9), aside), 0..5);
    (
        redundant,
        vec(0..100usize, 0..3),
        any::<bool>(),
        0..100usize,
    )
        .prop_map(|(redundant, doubled, is_reversed, first)| Habits {
            redundant,
            doubled,
            is_reversed,
            first,
        })
}

fn exported(mut points: Vec<DVec2>, habits: &Habits) -> Vec<Vec2> {
    for &(edge, along, aside) in &habits.redundant {
        let edge = edge % points.len();
        let (start, end) = (points[edge], points[(edge + 1) % points.len()]);
        let vertex = start.lerp(end, along) + (end - start).perp() * aside;
        points.insert(edge + 1, vertex);
    }
    for vertex in &habits.doubled {
        let vertex = vertex % points.len();
        points.insert(vertex, points[vertex]);
    }
    let count = points.len();
    points.rotate_left(habits.first % count);
    if habits.is_reversed {
        points.reverse();
    }
    points.iter().map(|point| point.as_vec2()).collect()
}

fn around(distances: &[f64]) -> Vec<DVec2> {
    let count = distances.len() as f64;
    let vertex =
        |(i, distance): (usize, &f64)| DVec2::from_angle(i as f64 / count * TAU) * *distance;
    distances.iter().enumerate().map(vertex).collect()
}

fn gear(teeth: usize) -> Vec<DVec2> {
    let distances = [5.0, 5.0, 4.0, 4.0];
    let around_all: Vec<f64> = (0..4 * teeth).map(|i| distances[i % 4]).collect();
    around(&around_all)
}

fn comb(teeth: usize) -> Vec<DVec2> {
    let half = teeth as f64 / 2.0;
    let tooth = |i: usize| {
        let x = i as f64 - half;
        [(0.0, -3.0), (0.0, 3.0), (0.5, 3.0), (0.5, -3.0)].map(|(by, y)| DVec2::new(x + by, y))
    };
    let back = [(half, -3.0), (half, -4.0), (-half, -4.0)].map(DVec2::from);
    (0..teeth).flat_map(tooth).chain(back).collect()
}

/// A ribbon of width 0.8 that is wound this many quarter turns.
fn spiral(quarters: usize) -> Vec<DVec2> {
    let at = |i: usize, width: f64| {
        let turned = i as f64 / 2.0;
        DVec2::from_angle(turned * TAU / 4.0) * (1.0 + 0.4 * turned + width)
    };
    let count = 2 * quarters + 1;
    let outside = (0..count).map(|i| at(i, 0.8));
    outside
        .chain((0..count).rev().map(|i| at(i, 0.0)))
        .collect()
}

/// Vertices of a simple polygon, some five units wide to each side, that need not be convex.
pub fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    let points = prop_oneof![
        (2..9usize).prop_map(gear),
        (1..7usize).prop_map(comb),
        (1..9usize).prop_map(spiral),
        vec(between(1.5, 6.0), 3..14).prop_map(|distances| around(&distances)),
        Just(around(&[5.0, 5.0, 5.0, 5.0])),
    ];
    (points, habits()).prop_map(|(points, habits)| exported(points, &habits))
}
