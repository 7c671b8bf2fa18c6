//! Shapes that are not convex, against their pieces one by one.

use std::f32::consts::TAU;

use bevy::math::{Affine2, Rot2, Vec2};
use proptest::prelude::*;

use super::{
    assert_near,
    polygon::outline,
    shapes::{between, cases, shape, turn, vector},
    tiles::grid,
};
use crate::{
    aabb::Aabb2d,
    geometry::{
        Contact, Shape, TOUCHING_SLOP, cast_ray, cast_shape, contact, contact_within,
        contains_point, penetration_within, separation,
    },
};

const EVERYWHERE: Aabb2d = Aabb2d {
    min: Vec2::NEG_INFINITY,
    max: Vec2::INFINITY,
};

/// A polygon, a grid or several shapes, most of them not convex, rotated, scaled and mirrored.
fn compound() -> impl Strategy<Value = Shape> {
    let polygon = outline().prop_map(|points| Shape::polygon(points).unwrap());
    let polygons = outline().prop_map(|points| Shape::polygon(points).unwrap());
    let inner = prop_oneof![4 => shape(), 1 => polygons, 1 => grid()];
    let several = prop::collection::vec(inner, 2..5).prop_map(Shape::compound);
    let scale = (between(0.5, 1.5), between(0.5, 1.5), any::<bool>());
    (
        prop_oneof![polygon, grid(), several],
        vector(10),
        scale,
        turn(),
    )
        .prop_map(|(shape, translation, (x, y, is_mirrored), turn)| {
            let scale = Vec2::new(x, if is_mirrored { -y } else { y });
            let angle = turn.as_radians();
            shape.transformed(&Affine2::from_scale_angle_translation(
                scale,
                angle,
                translation,
            ))
        })
}

fn anything() -> impl Strategy<Value = Shape> {
    prop_oneof![3 => shape(), 1 => compound()]
}

fn pieces(shape: &Shape) -> Vec<Shape> {
    let mut pieces = Vec::new();
    shape.visit_convex_pieces(&EVERYWHERE, &mut |piece| pieces.push(piece.clone()));
    pieces
}

/// The signed distance of the pieces that are nearest, or deepest.
pub(super) fn least_distance(a: &Shape, b: &Shape) -> f32 {
    let pairs = pieces(a)
        .into_iter()
        .flat_map(|p| pieces(b).into_iter().map(move |q| (p.clone(), q)));
    pairs
        .map(|(p, q)| separation(&p, &q).distance)
        .fold(f32::INFINITY, f32::min)
}

fn has_cells(shape: &Shape) -> bool {
    let mut has_cells = false;
    shape.visit_shapes(&mut |shape| has_cells |= matches!(shape, Shape::Tiles { .. }));
    has_cells
}

/// Whether moving the second shape by this contact separates two pieces that are as deep in each
/// other.
fn is_of_pieces(contact: &Contact, a: &Shape, b: &Shape) -> bool {
    let by = contact.normal * contact.depth;
    pieces(a).iter().any(|p| {
        pieces(b).iter().any(|q| {
            let depth = -separation(p, q).distance;
            let parted = separation(p, &q.translated(by)).distance;
            (depth - contact.depth).abs() < 1e-4 && parted.abs() < 1e-3
        })
    })
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn shapes_are_apart_as_their_nearest_pieces_are(a in anything(), b in compound()) {
        let expected = least_distance(&a, &b);
        let found = separation(&a, &b);
        if expected > 0.0 {
            prop_assert!((found.distance - expected).abs() < 1e-4, "{} {expected}", found.distance);
            let between = found.point_a.distance(found.point_b);
            prop_assert!((between - expected).abs() < 2e-4, "{between} {expected}");
        } else {
            // Deep in a grid, it may be less: `a_contact_is_that_of_the_deepest_pieces`.
            let has_cells = has_cells(&a) || has_cells(&b);
            let least_deep = if has_cells { 0.0 } else { expected };
            prop_assert!(found.distance <= least_deep + 1e-4, "{} {expected}", found.distance);
        }
    }

    #[test]
    fn shapes_overlap_if_pieces_do(
        a in anything(),
        b in compound(),
        margin in prop_oneof![Just(0.0), between(0.0, 5.0)],
    ) {
        let expected = least_distance(&a, &b);
        let found = contact_within(&a, &b, margin);
        if (expected - margin).abs() > 1e-4 {
            prop_assert_eq!(found.is_some(), expected < margin, "{}", expected);
        }
        let lacking = penetration_within(&a, &b, margin);
        if (expected - margin).abs() > 1e-4 {
            prop_assert_eq!(lacking.is_some(), expected < margin, "{}", expected);
        }
    }

    /// Grids have a test of their own, because the rectangles of one depend on the other shape; and
    /// what has no width may be inside between pieces.
    #[test]
    fn a_contact_is_that_of_the_deepest_pieces(a in anything(), b in compound()) {
        let is_thin = |shape: &Shape| {
            let mut is_thin = false;
            shape.visit_shapes(&mut |shape| {
                is_thin |= shape.as_convex().is_some_and(|shape| shape.is_thinner_than(1e-3));
            });
            is_thin
        };
        prop_assume!([&a, &b].iter().all(|shape| !has_cells(shape) && !is_thin(shape)));
        let depth = -least_distance(&a, &b);
        for (a, b) in [(&a, &b), (&b, &a)] {
            if let Some(contact) = contact(a, b) {
                prop_assert!((contact.normal.length() - 1.0).abs() < 1e-3);
                prop_assert!((contact.depth - depth).abs() < 1e-4, "{contact:?} {depth}");
                prop_assert!(is_of_pieces(&contact, a, b), "{contact:?}");
            }
        }
    }

    #[test]
    fn a_cast_hits_the_nearest_piece(a in anything(), by in vector(40), b in compound()) {
        let pairs =
            pieces(&a).into_iter().flat_map(|p| {
                pieces(&b).into_iter().map(move |q| (p.clone(), q))
            });
        let hits = pairs.filter_map(|(p, q)| cast_shape(&p, by, &q));
        let expected = hits.map(|hit| hit.fraction).reduce(f32::min);
        let found = cast_shape(&a, by, &b).map(|hit| hit.fraction);
        match (found, expected) {
            (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-5),
            _ => prop_assert_eq!(found, expected),
        }
    }

    #[test]
    fn a_ray_hits_the_nearest_piece(
        from in vector(25),
        by in vector(60),
        b in compound(),
    ) {
        let hits = pieces(&b).into_iter().filter_map(|q| cast_ray(&q, from, by));
        let of_pieces = hits.map(|hit| hit.fraction).reduce(f32::min);
        // From between two pieces it may only touch both.
        let expected = if contains_point(&b, from) { Some(0.0) } else { of_pieces };
        let found = cast_ray(&b, from, by).map(|hit| hit.fraction);
        let [found, expected] = [found, expected].map(|fraction| fraction.unwrap_or(1.0));
        let first = found.min(expected);
        // At a vertex rounding decides: the ray misses the shape on one side of it.
        let aside = by.perp().normalize_or_zero() * 8.0 * TOUCHING_SLOP * b.largest_coordinate();
        let hits_there = |from: Vec2| {
            cast_ray(&b, from, by).is_some_and(|hit| (hit.fraction - first).abs() < 1e-3)
        };
        let is_beside_vertex = || !hits_there(from - aside) || !hits_there(from + aside);
        let is_equal = (found - expected).abs() < 1e-5 || is_beside_vertex();
        prop_assert!(is_equal, "{found} {expected}");
    }
}

#[test]
fn a_ray_along_the_seam_of_two_shapes_hits_what_they_make_together() {
    let square = |x: f32| Shape::rect(Vec2::new(x, 0.0), Vec2::splat(16.0), Rot2::IDENTITY);
    let low = Shape::rect(Vec2::new(8.0, -4.0), Vec2::new(16.0, 8.0), Rot2::IDENTITY);
    for (right, top) in [(square(8.0), 8.0), (low, 0.0)] {
        let both = Shape::compound([square(-8.0), right]);
        for turn in [0.0, TAU / 4.0, TAU / 2.0, TAU / 8.0] {
            let turn = Affine2::from_angle(turn);
            let cast = |from: f32, by: f32| {
                let [from, by] = [from, by].map(|y| turn.transform_vector2(Vec2::Y * y));
                cast_ray(&both.transformed(&turn), from, by)
            };
            let hit = cast(50.0, -100.0).unwrap();
            assert_near(hit.fraction * 100.0, 50.0 - top, 1e-3);
            assert_near(
                hit.normal.distance(turn.transform_vector2(Vec2::Y)),
                0.0,
                1e-5,
            );
            let hit = cast(-50.0, 100.0).unwrap();
            assert_near(hit.fraction * 100.0, 42.0, 1e-3);
            // From within, away, and too short.
            assert_eq!(cast(-2.0, 100.0).unwrap().fraction, 0.0);
            assert_eq!(cast(9.0, 100.0), None);
            assert_eq!(cast(50.0, -40.0), None);
        }
    }
}
