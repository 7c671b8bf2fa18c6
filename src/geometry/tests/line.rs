//! Lines with a thickness.

use bevy::math::{DVec2, Vec2};
use proptest::{collection::vec, prelude::*};

use super::shapes::{between, cases};
use crate::geometry::{Polygon, PolygonError, Shape, cast_ray, contains_point};

fn points(list: &[(f32, f32)]) -> Vec<Vec2> {
    list.iter().copied().map(Vec2::from).collect()
}

/// A line that goes to the right, with bends.
fn terrain() -> impl Strategy<Value = Vec<Vec2>> {
    vec((between(0.3, 4.0), between(-2.0, 2.0)), 2..60).prop_map(|steps| {
        let mut at = Vec2::ZERO;
        let next = |step: (f32, f32)| {
            at += Vec2::from(step);
            at
        };
        steps.into_iter().map(next).collect()
    })
}

/// The distance of a point from a line, in double precision.
fn distance(line: &[Vec2], point: Vec2) -> f64 {
    let to_segment = |ends: &[Vec2]| {
        let [p, a, b] = [point, ends[0], ends[1]].map(Vec2::as_dvec2);
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        DVec2::distance(p, a.lerp(b, along))
    };
    line.windows(2)
        .map(to_segment)
        .fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_line_is_solid_on_the_sides_on_which_it_is_thick(
        line in terrain(),
        (left, right) in (between(0.0, 0.3), between(0.01, 0.3)),
        at in (any::<prop::sample::Index>(), between(0.01, 0.99)),
        off in between(-1.5, 1.5),
    ) {
        let polygon = Polygon::line(line.clone(), left, right);
        prop_assert!(polygon.is_ok(), "{polygon:?}");
        let shape = Shape::from(polygon.unwrap());
        let start = at.0.index(line.len() - 1);
        let ends = [line[start], line[start + 1]];
        let normal = (ends[1] - ends[0]).perp().normalize();
        let point = ends[0].lerp(ends[1], at.1) + normal * off;
        let distance = distance(&line, point);
        // No point further away than the thickness is solid, except at mitre joints.
        let thickest = f64::from(left.max(right));
        if contains_point(&shape, point) {
            prop_assert!(distance <= 2.0 * thickest + 1e-4, "{point} at {distance}");
        }
        // Just beside the line it is solid, and a side without thickness ends at the line.
        let [beside, behind] = [-0.02, 0.02].map(|aside: f32| {
            ends[0].lerp(ends[1], at.1) + normal * aside * left.min(right).min(0.1)
        });
        if left > 0.01 {
            prop_assert!(contains_point(&shape, beside) && contains_point(&shape, behind));
        }
    }

    #[test]
    fn a_side_without_thickness_is_the_line(line in terrain(), depth in between(0.01, 0.3)) {
        let polygon = Polygon::line(line.clone(), 0.0, depth).unwrap();
        for point in &line {
            prop_assert!(polygon.vertices().contains(point));
        }
        // Nothing is above the line, and all of its length is solid.
        let shape = Shape::from(polygon);
        for ends in line.windows(2) {
            let middle = ends[0].midpoint(ends[1]);
            let hit = cast_ray(&shape, middle + Vec2::Y * 0.5, Vec2::NEG_Y).unwrap();
            prop_assert!((hit.fraction - 0.5).abs() < 1e-4, "{hit:?} at {middle}");
        }
    }
}

#[test]
fn a_closed_line_is_a_ring() {
    let square = points(&[(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0), (0.0, 0.0)]);
    let ring = Polygon::line(square, 0.0, 1.0).unwrap();
    let sizes = ring.outlines().map(|outline| {
        let last = outline.iter().copied().reduce(Vec2::max).unwrap();
        last - outline.iter().copied().reduce(Vec2::min).unwrap()
    });
    assert_eq!(
        sizes.collect::<Vec<_>>(),
        [Vec2::splat(10.0), Vec2::splat(8.0)]
    );
    let shape = Shape::from(ring);
    assert!(!contains_point(&shape, Vec2::splat(4.0)));
    assert!(contains_point(&shape, Vec2::new(4.0, -0.5)));
    assert!(contains_point(&shape, Vec2::splat(-0.9)));
}

#[test]
fn a_segment_is_a_rectangle() {
    let polygon = Polygon::line(points(&[(0.0, 0.0), (0.0, 0.0), (4.0, 0.0)]), 1.0, 2.0).unwrap();
    let expected = Polygon::new(points(&[(0.0, 1.0), (0.0, -2.0), (4.0, -2.0), (4.0, 1.0)]));
    assert_eq!(Ok(polygon), expected);
}

#[test]
fn a_line_is_thinner_where_bends_leave_no_room() {
    let bends = points(&[
        (-9.0, 0.0),
        (0.0, 0.0),
        (0.5, 0.5),
        (1.0, 0.0),
        (1.5, 0.5),
        (9.0, 0.5),
    ]);
    for (left, right) in [(0.0, 0.6), (0.6, 0.0), (0.4, 0.4)] {
        let polygon = Polygon::line(bends.clone(), left, right);
        assert!(polygon.is_ok(), "{left} {right}: {polygon:?}");
    }
}

#[test]
fn sharp_bends_are_cut() {
    let spike = points(&[(0.0, 0.0), (10.0, 0.5), (0.0, 1.0)]);
    let polygon = Polygon::line(spike, 0.0, 0.1).unwrap();
    let furthest = polygon
        .vertices()
        .iter()
        .map(|vertex| vertex.x)
        .fold(0.0, f32::max);
    assert!((furthest - 10.2).abs() < 0.01, "{furthest}");
}

#[test]
fn what_makes_no_line_is_an_error() {
    let bend = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)];
    let too_few = |count| PolygonError::TooFewPoints { outline: 0, count };
    let cases = [
        (points(&[]), 1.0, too_few(0)),
        (points(&bend[..1]), 1.0, too_few(1)),
        (points(&[bend[0]; 3]), 1.0, too_few(1)),
        (points(&bend), 0.0, PolygonError::NoArea),
        (points(&bend), f32::NEG_INFINITY, PolygonError::NoArea),
        (points(&bend), f32::NAN, PolygonError::NoArea),
        (
            points(&[bend[0], (f32::NAN, 0.0)]),
            1.0,
            PolygonError::NotFinite {
                outline: 0,
                point: 1,
            },
        ),
    ];
    for (points, thickness, expected) in cases {
        let error = Polygon::line(points.clone(), thickness, thickness);
        assert_eq!(error, Err(expected), "{points:?} {thickness}");
    }
    for (thickness, expected) in [
        (
            f32::INFINITY,
            PolygonError::NotFinite {
                outline: 0,
                point: 0,
            },
        ),
        (
            f32::MAX,
            PolygonError::NotFinite {
                outline: 0,
                point: 0,
            },
        ),
        (1e-30, PolygonError::NoArea),
    ] {
        let [left, right] = [(thickness, 0.0), (0.0, thickness)]
            .map(|(left, right)| Polygon::line(points(&bend), left, right));
        assert_eq!((left, right), (Err(expected), Err(expected)), "{thickness}");
    }
}

#[test]
fn a_line_may_cross_itself_and_turn_back() {
    let crossing = points(&[(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (5.0, 9.0), (5.0, -9.0)]);
    let folded = points(&[(0.0, 0.0), (9.0, 0.0), (1.0, 0.0)]);
    for line in [crossing, folded] {
        let shape = Shape::from(Polygon::line(line.clone(), 0.5, 0.5).unwrap());
        for ends in line.windows(2) {
            for along in [0.1, 0.3, 0.5, 0.625, 0.9] {
                let point = ends[0].lerp(ends[1], along);
                assert!(contains_point(&shape, point), "{point} of {line:?}");
            }
        }
        assert!(!contains_point(&shape, Vec2::new(7.0, 4.0)));
    }
}
