//! Polygons with vertices on straight edges, as editors export them: the same as without those.

use std::f32::consts::TAU;

use bevy::math::{Affine2, Rot2, Vec2};
use proptest::prelude::*;

use super::{
    compound::least_distance,
    reference::signed_distance,
    shapes::{between, cases, shape, turn, vector, with_redundant_vertices},
};
use crate::geometry::{CastHit, Shape, cast_shape, contact, separation};

/// Rounding of coordinates below 100, in world units.
const ROUNDING: f32 = 1e-3;

/// A square with a vertex in the center of an edge, starting at each of its vertices.
fn squares() -> impl Iterator<Item = [Vec2; 5]> {
    let outline = [(10, 10), (-10, 10), (-10, -10), (10, -10), (10, 0)];
    let outline = outline.map(|(x, y)| Vec2::new(x as f32, y as f32));
    (0..5).map(move |first| {
        let mut rotated = outline;
        rotated.rotate_left(first);
        rotated
    })
}

/// Poses with many angles, mirrored and not, of uniform and of non-uniform scale.
fn poses() -> impl Iterator<Item = Affine2> {
    let scales = [(1.0, 1.0), (-1.0, 1.0), (1.0, -2.0), (0.3, 1.0)];
    scales.into_iter().flat_map(|scale| {
        (0..64u8).map(move |index| {
            let angle = f32::from(index) / 64.0 * TAU;
            Affine2::from_scale_angle_translation(scale.into(), angle, Vec2::new(5.0, -3.0))
        })
    })
}

#[test]
fn a_vertex_on_a_straight_edge_makes_no_difference_to_contacts() {
    let plain = Shape::rect(Vec2::ZERO, Vec2::splat(20.0), Rot2::IDENTITY);
    for outline in squares() {
        let square = Shape::polygon(outline).unwrap();
        for pose in poses() {
            let (square, plain) = (square.transformed(&pose), plain.transformed(&pose));
            for index in 0..40u8 {
                let center = Vec2::from_angle(f32::from(index) * 0.7) * f32::from(index);
                let bar = Shape::rect(center, Vec2::new(6.0, 4.0), Rot2::radians(0.5));
                let [found, expected] = [&square, &plain].map(|shape| separation(&bar, shape));
                let difference = (found.distance - expected.distance).abs();
                assert!(
                    difference < ROUNDING,
                    "{found:?} {expected:?} {outline:?} {pose:?}"
                );
                let overlaps = [&square, &plain].map(|shape| contact(&bar, shape).is_some());
                let is_clear = expected.distance.abs() > ROUNDING;
                assert!(
                    !is_clear || overlaps[0] == overlaps[1],
                    "{outline:?} {pose:?}"
                );
            }
        }
    }
}

#[test]
fn a_vertex_on_a_straight_edge_makes_no_difference_to_casts() {
    let plain = Shape::rect(Vec2::ZERO, Vec2::splat(20.0), Rot2::IDENTITY);
    for outline in squares() {
        let square = Shape::polygon(outline).unwrap();
        for pose in poses() {
            let (square, plain) = (square.transformed(&pose), plain.transformed(&pose));
            for index in 0..24u8 {
                let direction = Vec2::from_angle(f32::from(index) * 0.27);
                let aside = direction.perp() * (f32::from(index) - 12.0);
                let bar = Shape::rect(
                    direction * -60.0 + aside,
                    Vec2::new(6.0, 4.0),
                    Rot2::radians(0.5),
                );
                let fraction = |shape: &Shape| {
                    let hit = cast_shape(&bar, direction * 120.0, shape);
                    hit.map_or(1.0, |CastHit { fraction, .. }| fraction)
                };
                let [found, expected] = [&square, &plain].map(fraction);
                assert!((found - expected).abs() < ROUNDING, "{outline:?} {pose:?}");
            }
        }
    }
}

/// The pieces of such an outline have vertices on straight edges, though it has none itself.
#[test]
fn a_mirrored_and_rotated_outline_like_a_t_overlaps_what_its_two_bars_overlap() {
    let outline = [
        (-6, 8),
        (-6, 4),
        (-2, 4),
        (-2, -8),
        (2, -8),
        (2, 4),
        (6, 4),
        (6, 8),
    ];
    let outline = outline.map(|(x, y)| Vec2::new(x as f32, y as f32));
    let t = Shape::polygon(outline).unwrap();
    let bars = [((0.0, 6.0), (12.0, 4.0)), ((0.0, -2.0), (4.0, 12.0))]
        .map(|(center, size)| Shape::rect(center.into(), size.into(), Rot2::IDENTITY));
    for pose in poses() {
        let (t, bars) = (
            t.transformed(&pose),
            bars.clone().map(|bar| bar.transformed(&pose)),
        );
        for index in 0..60u8 {
            let center = Vec2::from_angle(f32::from(index) * 0.7) * f32::from(index) / 2.0;
            for size in [Vec2::new(6.0, 4.0), Vec2::new(20.0, 0.5)] {
                let other = Shape::rect(center, size, Rot2::radians(0.5));
                let distances = bars.iter().map(|bar| signed_distance(&other, bar) as f32);
                let nearest = distances.fold(f32::INFINITY, f32::min);
                if nearest.abs() > ROUNDING {
                    assert_eq!(
                        contact(&other, &t).is_some(),
                        nearest < 0.0,
                        "{pose:?} {other:?}"
                    );
                }
            }
        }
    }
}

/// A triangle with vertices on its edges that are off the straight line by this angle, in radians.
fn bent_triangle(bend: f32) -> Vec<Vec2> {
    let vertices = [(-12.0, -7.0), (11.0, -9.0), (2.0, 13.0)].map(Vec2::from);
    let bulge = |fraction: f32, start: Vec2, end: Vec2| {
        let along = end - start;
        start.lerp(end, fraction) - along.perp() * bend * fraction * (1.0 - fraction)
    };
    let edges = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (vertices[i], vertices[j]));
    edges
        .iter()
        .flat_map(|&(start, end)| [start, bulge(0.4, start, end)])
        .collect()
}

/// Whether a shape is as far from a polygon with redundant vertices as from one without. A vertex
/// that rounding puts inside cuts the polygon in pieces: the shape is at least as deep as in the
/// deepest of them, which may be less than in the whole.
fn are_alike(expected: f32, shape: &Shape, with: &Shape) -> bool {
    let found = separation(shape, with).distance;
    let least_deep = if with.is_convex() || expected >= 0.0 {
        expected
    } else {
        least_distance(shape, with)
    };
    (expected - ROUNDING..least_deep + ROUNDING).contains(&found)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn redundant_vertices_make_no_difference(
        vertices in Just([(-9.0, -4.0), (8.0, -7.0), (10.0, 3.0), (-3.0, 9.0)].map(Vec2::from)),
        redundant in super::shapes::redundant_vertices(),
        (turn, x_scale, translation) in (
            turn(),
            prop_oneof![between(-2.0, -0.2), between(0.2, 2.0)],
            vector(15),
        ),
        (other, displacement) in (shape(), vector(40)),
    ) {
        let pose = Affine2::from_scale_angle_translation(
            Vec2::new(x_scale, 1.0), turn.as_radians(), translation);
        let [with, without] = [with_redundant_vertices(&vertices, &redundant), vertices.to_vec()]
            .map(|outline| Shape::polygon(outline).unwrap().transformed(&pose));
        let expected = separation(&other, &without).distance;
        prop_assert!(are_alike(expected, &other, &with), "{}", expected);
        let [found, expected] =
            [&with, &without].map(|shape| cast_shape(&other, displacement, shape));
        if let (Some(found), Some(expected)) = (found, expected) {
            prop_assert!(
                (found.fraction - expected.fraction).abs() * displacement.length()
                    < 10.0 * ROUNDING,
            );
        } else if (found, expected) != (None, None) {
            // One of them only grazes it.
            let hit = found.or(expected).unwrap();
            let inside = displacement.normalize_or_zero() * 0.1;
            let moved = other.translated(displacement * hit.fraction + inside);
            prop_assert!(
                separation(&moved, &without).distance > -0.1,
                "{:?} {:?}",
                found,
                expected,
            );
        }
    }

    #[test]
    fn nearly_collinear_edges_are_as_exact_as_others(
        exponent in between(-9.0, -4.0),
        first in 0..6usize,
        (turn, is_mirrored, translation) in (turn(), any::<bool>(), vector(15)),
        other in shape(),
    ) {
        let mut outline = bent_triangle(10f32.powf(exponent));
        outline.rotate_left(first);
        let scale = Vec2::new(if is_mirrored { -1.0 } else { 1.0 }, 1.0);
        let pose = Affine2::from_scale_angle_translation(scale, turn.as_radians(), translation);
        let bent = Shape::polygon(outline).unwrap().transformed(&pose);
        let found = f64::from(separation(&other, &bent).distance);
        let expected = signed_distance(&other, &bent);
        let allowed = f64::from(ROUNDING) + 0.05 * (-expected).max(0.0);
        prop_assert!((found - expected).abs() < allowed, "{} {}", found, expected);
    }
}

/// Rounding puts the normals of such edges on both sides of the x axis, where angles start over.
#[test]
fn a_vertex_on_an_edge_that_faces_the_x_axis_makes_no_difference() {
    let mut dice = fastrand::Rng::with_seed(5);
    for sides in 3..=6u8 {
        let corner = |i: u8| Vec2::from_angle(f32::from(i) / f32::from(sides) * TAU) * 7.0;
        let plain: Vec<Vec2> = (0..sides).map(corner).collect();
        for edge in 0..sides {
            let normal = (f32::from(edge) + 0.5) / f32::from(sides) * TAU;
            for step in -12i32..=12 {
                let on_edge = [(); 2].map(|()| (edge.into(), dice.f32()));
                let outline = with_redundant_vertices(&plain, &on_edge);
                // From one number to the next.
                let angle = -f32::from_bits((normal.to_bits() as i32 + step) as u32);
                let pose = Affine2::from_angle_translation(angle, Vec2::new(1.0, -2.0));
                let [with, without] = [&outline, &plain]
                    .map(|outline| Shape::polygon(outline.clone()).unwrap().transformed(&pose));
                for turn in 0..12u8 {
                    let center = Vec2::from_angle(f32::from(turn)) * (4.0 + f32::from(turn));
                    let size = Vec2::new(6.0, 4.0);
                    let bar = Shape::rect(center, size, Rot2::radians(f32::from(turn) * 0.3));
                    let expected = separation(&bar, &without).distance;
                    assert!(are_alike(expected, &bar, &with), "{expected} {pose:?}");
                }
            }
        }
    }
}
