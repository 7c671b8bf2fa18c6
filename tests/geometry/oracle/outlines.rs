//! Outlines as editors export them: combs, gears, spirals and rough ones, with vertices that are
//! redundant, nearly so, doubled, and in either winding.

use std::f64::consts::TAU;

use bevy::math::{DVec2, Vec2};
use proptest::{collection::vec, prelude::*};

use super::test_shape::between;

/// How an editor writes an outline.
#[derive(Clone, Debug)]
struct Export {
    /// Edges with an additional vertex, and where that is: along the edge and aside of it, as
    /// fractions of its length.
    redundant: Vec<(usize, f64, f64)>,
    /// Vertices that come twice.
    doubled: Vec<usize>,
    is_reversed: bool,
    /// The vertex that is written first.
    first: usize,
}

fn export() -> impl Strategy<Value = Export> {
    let aside = prop_oneof![3 => Just(0.0), 1 => between(-1e-6, 1e-6)];
    let redundant = vec((0..100usize, between(0.1, 0.9), aside), 0..5);
    (
        redundant,
        vec(0..100usize, 0..3),
        any::<bool>(),
        0..100usize,
    )
        .prop_map(|(redundant, doubled, is_reversed, first)| Export {
            redundant,
            doubled,
            is_reversed,
            first,
        })
}

fn exported(mut points: Vec<DVec2>, export: &Export) -> Vec<Vec2> {
    for &(edge, along, aside) in &export.redundant {
        let edge = edge % points.len();
        let (start, end) = (points[edge], points[(edge + 1) % points.len()]);
        let vertex = start.lerp(end, along) + (end - start).perp() * aside;
        points.insert(edge + 1, vertex);
    }
    for vertex in &export.doubled {
        let vertex = vertex % points.len();
        points.insert(vertex, points[vertex]);
    }
    let count = points.len();
    points.rotate_left(export.first % count);
    if export.is_reversed {
        points.reverse();
    }
    points.iter().map(|point| point.as_vec2()).collect()
}

/// A star-shaped polygon with a vertex at each of these distances from its center.
fn around(distances: &[f64]) -> Vec<DVec2> {
    let count = distances.len() as f64;
    let vertex =
        |(i, distance): (usize, &f64)| DVec2::from_angle(i as f64 / count * TAU) * *distance;
    distances.iter().enumerate().map(vertex).collect()
}

fn gear(teeth: usize) -> Vec<DVec2> {
    let distances = [5.0, 5.0, 4.0, 4.0];
    let distances: Vec<f64> = (0..4 * teeth).map(|i| distances[i % 4]).collect();
    around(&distances)
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

/// A ribbon of width 0.8 that winds through this many quarter turns.
fn spiral(quarters: usize) -> Vec<DVec2> {
    let at = |i: usize, width: f64| {
        let turns = i as f64 / 2.0;
        DVec2::from_angle(turns * TAU / 4.0) * (1.0 + 0.4 * turns + width)
    };
    let count = 2 * quarters + 1;
    let outside = (0..count).map(|i| at(i, 0.8));
    outside
        .chain((0..count).rev().map(|i| at(i, 0.0)))
        .collect()
}

/// The vertices of a simple polygon, convex or not, that extends about five units in each
/// direction.
pub fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    let points = prop_oneof![
        (2..9usize).prop_map(gear),
        (1..7usize).prop_map(comb),
        (1..9usize).prop_map(spiral),
        vec(between(1.5, 6.0), 3..14).prop_map(|distances| around(&distances)),
        Just(around(&[5.0, 5.0, 5.0, 5.0])),
    ];
    (points, export()).prop_map(|(points, export)| exported(points, &export))
}
