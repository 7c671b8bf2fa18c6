//! Boolean operations on polygons and their offsets, against what they are point by point.

use bevy::math::{DVec2, Vec2};
use proptest::{collection::vec, prelude::*};

use super::{
    even_odd::{outlines, rect},
    polygon::{is_convex, is_inside, star},
    shapes::{between, cases},
};
use crate::geometry::{Polygon, Shape, contains_point};

/// The least distance of a sampled point from what decides about it. Coordinates are below 100.
const CLEARANCE: f64 = 1e-3;

fn polygon() -> impl Strategy<Value = Polygon> {
    prop_oneof![outlines(), star().prop_map(|star| vec![star])]
        .prop_filter_map("it has no area", |outlines| {
            Polygon::from_outlines(outlines).ok()
        })
}

fn points() -> impl Strategy<Value = Vec<Vec2>> {
    vec(
        (between(-15.0, 15.0), between(-15.0, 15.0)).prop_map(Vec2::from),
        60,
    )
}

fn contains(polygon: &Option<Polygon>, point: Vec2) -> bool {
    let contains = |polygon: &Polygon| contains_point(&Shape::from(polygon.clone()), point);
    polygon.as_ref().is_some_and(contains)
}

/// Whether two polygons have the same area.
fn are_same(a: &Polygon, b: &Polygon) -> bool {
    a.difference(b).is_none() && b.difference(a).is_none()
}

/// The distance of a point from the nearest edge.
fn edge_distance(polygon: &Polygon, point: Vec2) -> f64 {
    let to_edge = |(start, end): (&Vec2, &Vec2)| {
        let [p, a, b] = [point, *start, *end].map(|point| point.as_dvec2());
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        DVec2::distance(p, a.lerp(b, along))
    };
    let edges = (polygon.outlines()).flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)));
    edges.map(to_edge).fold(f64::INFINITY, f64::min)
}

fn area(outlines: &[&[Vec2]]) -> f64 {
    let doubled = |ring: &&[Vec2]| -> f64 {
        let next = ring.iter().cycle().skip(1);
        let pairs = ring.iter().zip(next);
        pairs
            .map(|(p, q)| p.as_dvec2().perp_dot(q.as_dvec2()))
            .sum()
    };
    outlines.iter().map(doubled).sum::<f64>() / 2.0
}

/// The outlines make up the pieces, and are those of the same polygon made from them.
fn check_result(polygon: &Polygon) -> Result<(), TestCaseError> {
    let rings: Vec<&[Vec2]> = polygon.outlines().collect();
    let pieces: Vec<&[Vec2]> = polygon
        .pieces()
        .iter()
        .map(|piece| piece.vertices())
        .collect();
    for piece in &pieces {
        prop_assert!(is_convex(piece) && piece.len() <= 8, "{piece:?}");
    }
    let (whole, parts) = (area(&rings), area(&pieces));
    prop_assert!(polygon.is_single_piece() || (whole - parts).abs() < 1e-9 * whole.max(1.0));
    prop_assert!(whole > 0.0);
    let again = Polygon::from_outlines(rings.iter().map(|ring| ring.to_vec()));
    prop_assert_eq!(again.as_ref(), Ok(polygon));
    Ok(())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn boolean_operations_are_those_of_each_point(
        (a, b) in (polygon(), polygon()),
        points in points(),
    ) {
        let results = [Some(a.union(&b)), a.difference(&b), a.intersection(&b)];
        for result in results.iter().flatten() {
            check_result(result)?;
        }
        for point in points {
            if edge_distance(&a, point).min(edge_distance(&b, point)) < CLEARANCE {
                continue;
            }
            let [in_a, in_b] = [a.clone(), b.clone()].map(|shape| contains(&Some(shape), point));
            let expected = [in_a || in_b, in_a && !in_b, in_a && in_b];
            let found = results.clone().map(|result| contains(&result, point));
            prop_assert_eq!(found, expected, "{}", point);
        }
    }

    #[test]
    fn nothing_is_lost_and_nothing_counts_twice((a, b) in (polygon(), polygon())) {
        let area_of = |polygon: &Option<Polygon>| {
            let rings = polygon.iter().flat_map(|polygon| polygon.outlines());
            area(&rings.collect::<Vec<_>>())
        };
        let [whole, rest, common, other] = [
            Some(a.union(&b)),
            a.difference(&b),
            a.intersection(&b),
            Some(b.clone()),
        ]
        .map(|polygon| area_of(&polygon));
        let [a, tolerance] = [area_of(&Some(a)), 1e-4 * whole];
        prop_assert!((rest + common - a).abs() < tolerance, "{rest} {common} {a}");
        prop_assert!((rest + other - whole).abs() < tolerance, "{rest} {other} {whole}");
    }

    #[test]
    fn an_offset_is_what_is_within_a_distance(
        polygon in star().prop_map(|star| Polygon::new(star).unwrap()),
        distance in prop_oneof![between(0.05, 3.0), between(-3.0, -0.05)],
        points in points(),
    ) {
        let offset = polygon.offset(distance);
        if let Some(offset) = &offset {
            check_result(offset)?;
        }
        let shape = Some(polygon.clone());
        // Round corners are made of edges.
        let tolerance = 0.02 * f64::from(distance.abs()) + CLEARANCE;
        for point in points {
            let depth = edge_distance(&polygon, point);
            let depth = if contains(&shape, point) { depth } else { -depth };
            let margin = depth + f64::from(distance);
            if margin.abs() > tolerance {
                prop_assert_eq!(contains(&offset, point), margin > 0.0, "{} {}", point, margin);
            }
        }
    }
}

#[test]
fn a_crater_leaves_the_other_vertices_as_they_are() {
    // No power of two divides these numbers.
    let ground = [(-90.1, -40.3), (90.7, -39.9), (90.1, 0.3), (-89.9, 0.1)].map(Vec2::from);
    let crater = (0..16u8).map(|i| Vec2::from_angle(f32::from(i) * 0.39) * 12.3);
    let (ground, crater) = (Polygon::new(ground).unwrap(), Polygon::new(crater).unwrap());
    let rest = ground.difference(&crater).unwrap();
    for vertex in ground.vertices() {
        assert!(rest.vertices().contains(vertex), "{vertex}");
    }
    let rim = crater.vertices().iter().filter(|vertex| vertex.y < 0.0);
    assert!(rim.clone().count() > 6);
    for vertex in rim {
        assert!(rest.vertices().contains(vertex), "{vertex}");
    }
    assert_eq!(
        is_inside(rest.vertices(), Vec2::new(0.0, -5.0)),
        Some(false)
    );
    // Again, where it was.
    assert!(are_same(&rest.difference(&crater).unwrap(), &rest));
}

#[test]
fn polygons_cut_apart_and_put_together_are_the_same() {
    let [whole, left, right] = [
        rect(0.0, 0.0, 4.0, 2.0),
        rect(0.0, 0.0, 1.5, 2.0),
        rect(1.5, 0.0, 2.5, 2.0),
    ]
    .map(|outline| Polygon::new(outline).unwrap());
    assert!(are_same(&whole.difference(&right).unwrap(), &left));
    assert!(are_same(&left.union(&right), &whole));
    assert_eq!(whole.difference(&whole), None);
    assert_eq!(left.intersection(&right), None);
    assert_eq!(left.union(&right).outlines().count(), 1);
    // They touch at a corner.
    let apart = Polygon::new(rect(4.0, 2.0, 1.0, 1.0)).unwrap();
    assert_eq!(whole.union(&apart).outlines().count(), 2);
}

#[test]
fn an_offset_of_any_number_does_no_harm() {
    let square = Polygon::new(rect(-2.0, -2.0, 4.0, 4.0)).unwrap();
    assert!(are_same(&square.offset(0.0).unwrap(), &square));
    for nothing in [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        -2.0,
        -1e9,
    ] {
        assert_eq!(square.offset(nothing), None, "{nothing}");
    }
    for distance in [1e-30, -1e-30, 1e5, 1e9] {
        let offset = square.offset(distance).unwrap();
        assert!(offset.vertices().iter().all(|vertex| vertex.is_finite()));
    }
    let shrunk = square.offset(-0.5).unwrap();
    assert_eq!(shrunk.vertices().len(), 4);
    assert_eq!(shrunk.vertices()[0].abs(), Vec2::splat(1.5));
}
