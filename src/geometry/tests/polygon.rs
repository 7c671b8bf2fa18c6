//! What makes a polygon, and of what convex ones it is made.

use std::f32::consts::TAU;

use bevy::math::{Affine2, DVec2, Vec2};
use proptest::{prelude::*, sample::select};

use super::{
    assert_near,
    shapes::{between, cases},
};
use crate::geometry::{Polygon, PolygonError, Shape, cast_ray, contains_point};

/// A polygon around a point that sees all of it, most of them not convex.
pub(super) fn star() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec(between(1.0, 10.0), 3..40).prop_map(|radii| {
        let step = TAU / radii.len() as f32;
        let vertex = |(i, radius): (usize, f32)| Vec2::from_angle(i as f32 * step) * radius;
        radii.into_iter().enumerate().map(vertex).collect()
    })
}

/// A band wound around the origin.
pub(super) fn spiral() -> Vec<Vec2> {
    let arm = |inset: f32| {
        (0..40u8).map(move |i| {
            let angle = f32::from(i) * 0.4;
            Vec2::from_angle(angle) * (2.0 + angle - inset)
        })
    };
    arm(0.0).chain(arm(1.5).rev()).collect()
}

/// Teeth that point up.
pub(super) fn comb() -> Vec<Vec2> {
    let teeth = (0..6u8).flat_map(|tooth| {
        let x = f32::from(tooth) * 2.0;
        [(x, 5.0), (x + 1.0, 5.0), (x + 1.0, 1.0), (x + 2.0, 1.0)].map(Vec2::from)
    });
    [Vec2::new(12.0, 0.0), Vec2::ZERO]
        .into_iter()
        .chain(teeth)
        .collect()
}

pub(super) fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    prop_oneof![6 => star(), 1 => Just(spiral()), 1 => Just(comb())]
}

/// Numbers of all sizes, and sums of those of different size.
fn extreme() -> impl Strategy<Value = f32> {
    let number = prop_oneof![
        any::<f32>().prop_filter("polygons are finite", |number| number.is_finite()),
        (-3..=3i8).prop_map(f32::from),
        select(vec![f32::MAX, f32::MIN, 1e-45, 1e8, -3e-9]),
    ];
    (number.clone(), number, any::<bool>()).prop_map(|(number, other, is_sum)| {
        let sum = number + other;
        if is_sum && sum.is_finite() {
            sum
        } else {
            number
        }
    })
}

fn area(vertices: &[Vec2]) -> f64 {
    let next = vertices.iter().cycle().skip(1);
    let doubled = |(p, q): (&Vec2, &Vec2)| p.as_dvec2().perp_dot(q.as_dvec2());
    vertices.iter().zip(next).map(doubled).sum::<f64>() / 2.0
}

/// Whether a ray from a point crosses the outline an odd number of times, or `None` if the point is
/// near the outline.
pub(super) fn is_inside(outline: &[Vec2], point: Vec2) -> Option<bool> {
    let point = point.as_dvec2();
    let mut is_inside = false;
    for (p, q) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let (p, q) = (p.as_dvec2(), q.as_dvec2());
        let fraction = ((point - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
        if p.lerp(q, fraction).distance(point) < 1e-3 {
            return None;
        }
        let crosses = (p.y > point.y) != (q.y > point.y);
        if crosses && point.x < p.x + (point.y - p.y) / (q.y - p.y) * (q.x - p.x) {
            is_inside = !is_inside;
        }
    }
    Some(is_inside)
}

pub(super) fn is_convex(vertices: &[Vec2]) -> bool {
    let vertices: Vec<DVec2> = vertices.iter().map(|v| v.as_dvec2()).collect();
    (0..vertices.len()).all(|i| {
        let [p, q, r] = [i, i + 1, i + 2].map(|i| vertices[i % vertices.len()]);
        (q - p).perp_dot(r - q) >= -1e-9
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_pieces_are_convex_and_make_up_the_whole(points in outline()) {
        let polygon = Polygon::new(points.clone());
        prop_assert!(polygon.is_ok(), "{polygon:?}");
        let polygon = polygon.unwrap();
        if polygon.is_single_piece() {
            prop_assert!(is_convex(polygon.vertices()) && polygon.vertices().len() <= 8);
        } else {
            let areas: f64 = polygon.pieces().iter().map(|piece| area(piece.vertices())).sum();
            let expected = area(&points).abs();
            prop_assert!((areas - expected).abs() < 1e-4, "{areas} of {expected}");
            for piece in polygon.pieces() {
                let vertices = piece.vertices();
                prop_assert!(is_convex(vertices) && vertices.len() <= 8, "{piece:?}");
            }
        }
    }

    #[test]
    fn a_point_is_in_a_polygon_if_a_ray_from_it_leaves_it_oddly_often(
        points in outline(),
        x in between(-20.0, 20.0),
        y in between(-20.0, 20.0),
    ) {
        let point = Vec2::new(x, y);
        let shape = Shape::polygon(points.clone()).unwrap();
        if let Some(expected) = is_inside(&points, point) {
            prop_assert_eq!(contains_point(&shape, point), expected);
        }
    }

    #[test]
    fn either_winding_gives_the_same_polygon(points in outline()) {
        let clockwise: Vec<Vec2> = points.iter().rev().copied().collect();
        let polygons = [points, clockwise].map(|points| Polygon::new(points).unwrap());
        for polygon in &polygons {
            prop_assert!(area(polygon.vertices()) > 0.0);
        }
        prop_assert_eq!(area(polygons[0].vertices()) as f32, area(polygons[1].vertices()) as f32);
    }

    #[test]
    fn no_points_panic(points in prop::collection::vec((0..6i8, 0..6i8), 0..12)) {
        let points = points.into_iter().map(|(x, y)| Vec2::new(x.into(), y.into()));
        if let Ok(polygon) = Polygon::new(points) {
            prop_assert!(polygon.outlines().map(area).sum::<f64>() > 0.0);
        }
    }

    #[test]
    fn an_accepted_polygon_is_accepted_from_each_vertex_on_and_backwards(
        points in prop::collection::vec((extreme(), extreme()).prop_map(Vec2::from), 3..7),
        by in any::<prop::sample::Index>(),
    ) {
        let Ok(polygon) = Polygon::new(points.clone()) else {
            return Ok(());
        };
        let again = Polygon::from_outlines(polygon.outlines().map(<[Vec2]>::to_vec));
        prop_assert_eq!(again.as_ref(), Ok(&polygon));
        let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f32::max);
        let mut rotated = points;
        let by = by.index(rotated.len());
        rotated.rotate_left(by);
        rotated.reverse();
        let rotated = Polygon::new(rotated);
        prop_assert!(rotated.is_ok(), "{:?}", rotated);
        // A vertex may be left on a straight edge from which a spike was cut off.
        let [found, expected] = [rotated.unwrap(), polygon]
            .map(|polygon| polygon.outlines().map(area).sum::<f64>());
        // A part that is narrower than rounding may be wider or be left out.
        let tolerance = 1e-6 * expected + 1e-7 * f64::from(largest).powi(2);
        prop_assert!((found - expected).abs() <= tolerance, "{} {}", found, expected);
    }
}

#[test]
fn what_is_no_polygon_is_refused_with_a_reason() {
    let points = |list: &[(f32, f32)]| list.iter().copied().map(Vec2::from).collect::<Vec<_>>();
    let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let cases = [
        (
            points(&[]),
            PolygonError::TooFewPoints {
                outline: 0,
                count: 0,
            },
        ),
        (
            points(&square[..2]),
            PolygonError::TooFewPoints {
                outline: 0,
                count: 2,
            },
        ),
        // Only two different points.
        (
            points(&[square[0], square[0], square[1], square[1], square[0]]),
            PolygonError::TooFewPoints {
                outline: 0,
                count: 2,
            },
        ),
        (
            points(&[square[0], (1.0, f32::NAN), square[2]]),
            PolygonError::NotFinite {
                outline: 0,
                point: 1,
            },
        ),
        (
            points(&[square[0], square[1], (f32::INFINITY, 0.0)]),
            PolygonError::NotFinite {
                outline: 0,
                point: 2,
            },
        ),
        // On one line.
        (
            points(&[square[0], square[1], (2.0, 0.0)]),
            PolygonError::NoArea,
        ),
        // Back along the same edges.
        (
            points(&[square[0], square[1], square[2], square[1]]),
            PolygonError::NoArea,
        ),
        // A wedge narrower than the rounding of its far end, and a notch in it.
        (
            points(&[(2.0, 1e8), (f32::MIN, f32::MAX), (1e8, 3.0), (1e8, 2.0)]),
            PolygonError::NoArea,
        ),
    ];
    for (points, expected) in cases {
        assert_eq!(Polygon::new(points.clone()), Err(expected), "{points:?}");
    }
}

#[test]
fn an_outline_may_touch_and_cross_itself() {
    let notched = [(0, 0), (4, 0), (4, 2), (2, 0), (0, 2)];
    let bow_tie = [(0, 0), (2, 2), (2, 0), (0, 2)];
    let pinched = [(0, 0), (2, 2), (4, 0), (4, 4), (2, 2), (0, 4)];
    // A pentagon in the center is within two turns: it is open.
    let pentagram = [(0, 10), (6, -8), (-10, 3), (10, 3), (-6, -8)];
    let cases: [(&[(i8, i8)], f64); 4] = [
        (&notched, 4.0),
        (&bow_tie, 2.0),
        (&pinched, 8.0),
        (&pentagram, 80.2514),
    ];
    for (outline, expected) in cases {
        let outline = outline
            .iter()
            .map(|(x, y)| Vec2::new((*x).into(), (*y).into()));
        for quarter in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let mut turned: Vec<Vec2> = outline.clone().map(|v| quarter.rotate(v)).collect();
            for _ in 0..2 {
                let polygon = Polygon::new(turned.iter().copied()).unwrap();
                let found: f64 = polygon.outlines().map(area).sum();
                assert!(
                    (found - expected).abs() < 0.01,
                    "{found} {expected}: {turned:?}"
                );
                turned.reverse();
            }
        }
    }
}

#[test]
fn a_seam_between_pieces_is_inside() {
    let outline = [(12.0, 0.0), (-8.0, 8.0), (-3.0, 0.0), (-8.0, -8.0)];
    let arrow = Shape::polygon(outline.map(Vec2::from)).unwrap();
    assert!(contains_point(&arrow, Vec2::ZERO));
    assert!(!contains_point(&arrow, Vec2::new(-4.0, 0.0)));
    let hit = cast_ray(&arrow, Vec2::new(-20.0, 0.0), Vec2::X * 40.0).unwrap();
    assert_near(hit.fraction, 17.0 / 40.0, 1e-6);
    let hit = cast_ray(&arrow, Vec2::new(20.0, 0.0), Vec2::NEG_X * 40.0).unwrap();
    assert_near(hit.fraction, 0.2, 1e-6);
    assert_eq!(
        cast_ray(&arrow, Vec2::ZERO, Vec2::X).map(|hit| hit.fraction),
        Some(0.0)
    );
}

#[test]
fn points_that_repeat_or_lie_on_an_edge_do_no_harm() {
    let points = [
        (0.0, 0.0),
        (0.0, 0.0),
        (1.0, 0.0),
        (2.0, 0.0),
        (2.0, 2.0),
        (0.0, 2.0),
        (0.0, 0.0),
    ];
    let polygon = Polygon::new(points.map(Vec2::from)).unwrap();
    assert_eq!(polygon.vertices().len(), 5);
    assert_near(area(polygon.vertices()) as f32, 4.0, 1e-6);
}

#[test]
fn a_convex_polygon_with_many_vertices_is_cut() {
    let circle = (0..64u8).map(|i| Vec2::from_angle(f32::from(i) / 64.0 * TAU) * 5.0);
    let polygon = Polygon::new(circle).unwrap();
    assert!(
        (8..=12).contains(&polygon.pieces().len()),
        "{}",
        polygon.pieces().len()
    );
}

#[test]
fn a_ray_hits_a_polygon_without_thickness_wherever_it_crosses_it() {
    let rock = [(1.76, 2.63), (-1.21, 2.93), (-3.17, 0.0)].map(Vec2::from);
    let rock = Shape::polygon(rock).expect("it is a triangle");
    for turn in 0..50u8 {
        let turn = Affine2::from_angle(f32::from(turn) * 0.13);
        let line = rock.transformed(&(turn * Affine2::from_scale(Vec2::new(0.0, 2.0))));
        for index in 1..97u8 {
            let center = Vec2::new(0.0, f32::from(index) * 0.0586);
            let [from, to] = [Vec2::new(-3.0, -1.7), Vec2::new(2.0, 1.3)]
                .map(|off| turn.transform_point2(center + off));
            assert!(cast_ray(&line, from, to - from).is_some(), "{turn} {index}");
        }
    }
}

#[test]
fn points_on_the_outline_are_not_inside() {
    let l = [(0, 0), (10, 0), (10, 5), (5, 5), (5, 10), (0, 10)];
    let zigzag = [(0, 0), (4, 4), (8, 0), (8, 9), (4, 6), (0, 9)];
    for outline in [l, zigzag] {
        let outline = outline.map(|(x, y): (i8, i8)| Vec2::new(f32::from(x), f32::from(y)));
        for quarter in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let turned = outline.map(|vertex| quarter.rotate(vertex));
            let polygon = Shape::polygon(turned).unwrap();
            for (i, vertex) in turned.into_iter().enumerate() {
                let next = turned[(i + 1) % turned.len()];
                for fraction in [0.0, 0.25, 0.5] {
                    let point = vertex.lerp(next, fraction);
                    assert!(!contains_point(&polygon, point), "{point} in {turned:?}");
                }
            }
            assert!(contains_point(
                &polygon,
                quarter.rotate(Vec2::new(2.0, 4.0))
            ));
        }
    }
}
