//! Polygons of several outlines: holes, islands, and outlines that touch, coincide or cross.

use bevy::math::Vec2;
use proptest::{collection::vec, prelude::*};

use super::{
    polygon::{is_convex, is_inside, star},
    shapes::{between, cases, turn},
};
use crate::geometry::{Polygon, PolygonError, Shape, TOUCHING_SLOP, cast_ray, contains_point};

/// A rectangle by its least corner and its size.
pub(super) fn rect(x: f32, y: f32, width: f32, height: f32) -> Vec<Vec2> {
    let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    corners.map(|(dx, dy)| Vec2::new(x + dx, y + dy)).into()
}

/// A polygon between whole numbers, so that its vertices are often on edges of others.
fn on_lattice() -> impl Strategy<Value = Vec<Vec2>> {
    let whole = || (0..=8u8).prop_map(f32::from);
    let size = || (1..=8u8).prop_map(f32::from);
    let rect = (whole(), whole(), size(), size())
        .prop_map(|(x, y, width, height)| rect(x, y, width, height));
    let around = vec((whole(), whole()).prop_map(Vec2::from), 3..7).prop_map(|mut points| {
        let center = points.iter().sum::<Vec2>() / points.len() as f32;
        points.sort_by(|p, q| {
            (*p - center)
                .to_angle()
                .total_cmp(&(*q - center).to_angle())
        });
        points
    });
    let half = || (0..=16u8).prop_map(|number| f32::from(number) / 2.0);
    let any = vec((half(), half()).prop_map(Vec2::from), 3..7);
    prop_oneof![2 => rect, 2 => around, 1 => any]
}

/// A checkerboard with random cells.
fn cells() -> impl Strategy<Value = Vec<Vec<Vec2>>> {
    (vec(any::<bool>(), 16..40), 3..7usize).prop_map(|(cells, columns)| {
        let solid = (0..cells.len()).filter(|cell| cells[*cell]);
        solid
            .map(|cell| rect((cell % columns) as f32, (cell / columns) as f32, 1.0, 1.0))
            .collect()
    })
}

/// A star in another one, and so on.
fn nested() -> impl Strategy<Value = Vec<Vec<Vec2>>> {
    (star(), 2..6u8).prop_map(|(star, count)| {
        (0..count)
            .map(|depth| {
                star.iter()
                    .map(|vertex| *vertex * 0.7f32.powi(depth.into()))
                    .collect()
            })
            .collect()
    })
}

/// Outlines that make up a polygon: nested, touching, coincident, crossing, in either winding,
/// rotated or not.
pub(super) fn outlines() -> impl Strategy<Value = Vec<Vec<Vec2>>> {
    let several = prop_oneof![3 => vec(on_lattice(), 1..12), 2 => cells(), 1 => nested()];
    let several = (several, any::<bool>()).prop_map(|(mut several, is_inverted)| {
        if is_inverted {
            several.insert(0, rect(-10.0, -10.0, 30.0, 30.0));
        }
        several
    });
    let scale = prop_oneof![Just(1.0), between(0.3, 3.0)];
    (several, vec(any::<bool>(), 40), turn(), scale).prop_map(|(several, reversed, turn, scale)| {
        let mut kept: Vec<Vec<Vec2>> = Vec::new();
        for (outline, is_reversed) in several.into_iter().zip(reversed) {
            let turned = outline.iter().map(|point| turn * *point * scale);
            let mut outline: Vec<Vec2> = turned.collect();
            if is_reversed {
                outline.reverse();
            }
            if Polygon::new(outline.iter().copied()).is_ok() {
                kept.push(outline);
            }
        }
        kept
    })
}

/// Whether an outline turns back exactly along the edge on which it came. Which vertices are left
/// on that edge is not promised.
fn turns_back(outline: &[Vec2]) -> bool {
    let count = outline.len();
    (0..count).any(|index| {
        let [before, vertex, after] =
            [count - 1, 0, 1].map(|step| outline[(index + step) % count].as_dvec2());
        let [back, on] = [before - vertex, after - vertex];
        back.perp_dot(on) == 0.0 && back.dot(on) > 0.0
    })
}

fn area(outline: &[Vec2]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    let doubled = |(p, q): (&Vec2, &Vec2)| p.as_dvec2().perp_dot(q.as_dvec2());
    outline.iter().zip(next).map(doubled).sum::<f64>() / 2.0
}

fn pieces(polygon: &Polygon) -> Vec<&[Vec2]> {
    if polygon.is_single_piece() {
        return vec![polygon.vertices()];
    }
    let pieces = polygon.pieces().iter();
    pieces.map(|piece| piece.vertices()).collect()
}

/// Whether a point is inside of an odd number of outlines, or `None` if it is near one.
fn is_inside_odd(outlines: &[Vec<Vec2>], point: Vec2) -> Option<bool> {
    outlines.iter().try_fold(false, |is_odd, outline| {
        Some(is_odd ^ is_inside(outline, point)?)
    })
}

/// Whether an edge of an outline is a part of one of the given ones.
fn is_part_of_edge(edge: [Vec2; 2], outlines: &[Vec<Vec2>]) -> bool {
    let edges = outlines
        .iter()
        .flat_map(|outline| outline.iter().zip(outline.iter().cycle().skip(1)));
    let distance = |point: Vec2, start: Vec2, end: Vec2| {
        let [p, a, b] = [point, start, end].map(|point| point.as_dvec2());
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a.lerp(b, along))
    };
    edges
        .into_iter()
        .any(|(&start, &end)| edge.iter().all(|point| distance(*point, start, end) < 1e-5))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn pieces_make_up_what_is_inside_of_an_odd_number_of_outlines(
        outlines in outlines(),
        points in vec((between(-12.0, 12.0), between(-12.0, 12.0)).prop_map(Vec2::from), 60),
    ) {
        let polygon = Polygon::from_outlines(outlines.clone());
        prop_assume!(polygon.is_ok());
        let polygon = polygon.unwrap();
        let pieces = pieces(&polygon);
        for piece in &pieces {
            prop_assert!(is_convex(piece) && piece.len() <= 8, "{piece:?}");
        }
        // Outer outlines count, holes are deducted, and no pieces overlap.
        let expected: f64 = polygon.outlines().map(area).sum();
        let found: f64 = pieces.iter().map(|piece| area(piece)).sum();
        prop_assert!((found - expected).abs() < 1e-5 * expected.max(1.0), "{found} {expected}");
        for ring in polygon.outlines() {
            let edges = ring.iter().zip(ring.iter().cycle().skip(1));
            for (&start, &end) in edges {
                prop_assert!(is_part_of_edge([start, end], &outlines));
            }
        }
        let shape = Shape::from(polygon.clone());
        for point in points {
            if let Some(expected) = is_inside_odd(&outlines, point) {
                prop_assert_eq!(contains_point(&shape, point), expected, "{}", point);
                let in_pieces = pieces.iter().any(|piece| is_inside(piece, point) == Some(true));
                let near_seam = pieces.iter().any(|piece| is_inside(piece, point).is_none());
                prop_assert!(near_seam || in_pieces == expected, "{point}");
            }
        }
    }

    #[test]
    fn the_order_and_the_winding_of_outlines_do_not_matter(
        outlines in outlines(),
        first in 0..12usize,
    ) {
        prop_assume!(!outlines.iter().any(|outline| turns_back(outline)));
        let polygon = Polygon::from_outlines(outlines.clone());
        let mut others = outlines;
        let count = others.len().max(1);
        others.rotate_left(first % count);
        for outline in &mut others {
            outline.reverse();
        }
        if others.len() > 1 {
            prop_assert_eq!(polygon.clone(), Polygon::from_outlines(others));
        }
        if let Ok(polygon) = polygon {
            let again = Polygon::from_outlines(polygon.outlines().map(<[Vec2]>::to_vec));
            prop_assert_eq!(again.as_ref(), Ok(&polygon));
            let saved: Vec<Vec2> = polygon.clone().into();
            prop_assert_eq!(Polygon::try_from(saved), Ok(polygon));
        }
    }

    /// Neighbors whose common edge is rounded differently.
    #[test]
    fn outlines_that_cross_by_rounding_leave_nothing_open(
        (turn, offset) in (turn(), between(-3.0, 3.0)),
        cut in between(0.1, 0.9),
        scale in between(0.1, 900.0),
    ) {
        let around = |points: Vec<Vec2>| {
            points.into_iter().map(move |point| turn * (point + offset) * scale)
        };
        // The vertex is on the edge of the other one except for rounding.
        let lower = rect(0.0, -1.0, 1.0, 1.0);
        let upper = rect(cut, 0.0, 1.0, 1.0);
        let polygon = Polygon::from_outlines([around(lower), around(upper)]);
        let polygon = polygon.unwrap();
        // No hairline is between them that is open.
        prop_assert!(polygon.outlines().all(|ring| area(ring) > 0.0), "{polygon:?}");
        let shape = Shape::from(polygon);
        for height in [-0.01, 0.01] {
            let point = around(vec![Vec2::new((1.0 + cut) / 2.0, height)]).next();
            prop_assert!(contains_point(&shape, point.unwrap()), "{height}");
        }
    }
}

#[test]
fn what_makes_no_polygon_names_the_outline() {
    let square = || rect(0.0, 0.0, 4.0, 4.0);
    let outline = 1;
    let cases = [
        (
            vec![],
            PolygonError::TooFewPoints {
                outline: 0,
                count: 0,
            },
        ),
        (
            vec![square(), vec![]],
            PolygonError::TooFewPoints { outline, count: 0 },
        ),
        (
            vec![square(), vec![Vec2::ZERO, Vec2::NAN, Vec2::ONE]],
            PolygonError::NotFinite { outline, point: 1 },
        ),
        (vec![square(), square()], PolygonError::NoArea),
    ];
    for (outlines, expected) in cases {
        let error = Polygon::from_outlines(outlines.clone());
        assert_eq!(error, Err(expected), "{outlines:?}");
        assert!(expected.to_string().contains("polygon"));
    }
}

#[test]
fn outlines_that_share_an_edge_are_one() {
    let halves = [rect(0.0, 0.0, 2.0, 2.0), rect(2.0, 0.0, 2.0, 2.0)];
    let polygon = Polygon::from_outlines(halves).unwrap();
    assert!(polygon.is_single_piece());
    assert_eq!(polygon.outlines().count(), 1);
    // A hole at the border is a notch.
    let notched = [rect(0.0, 0.0, 4.0, 4.0), rect(1.0, 2.0, 2.0, 2.0)];
    let polygon = Polygon::from_outlines(notched).unwrap();
    assert_eq!(polygon.outlines().count(), 1);
    assert_eq!(area(polygon.vertices()), 12.0);
}

#[test]
fn polygons_are_equal_if_their_outlines_are() {
    let points = |list: &[(f32, f32)]| list.iter().copied().map(Vec2::from).collect::<Vec<_>>();
    let vertices = points(&[
        (2.0, 1.0),
        (0.0, 0.0),
        (4.0, 0.0),
        (3.0, 9.0),
        (0.0, 5.0),
        (2.5, 5.0),
    ]);
    let one = Polygon::new(vertices.clone()).unwrap();
    let two = Polygon::from_outlines(vertices.chunks(3).map(<[Vec2]>::to_vec)).unwrap();
    assert_eq!(one.vertices(), two.vertices());
    assert_ne!(one, two);
}

/// The vertex in the corner is the first one of the hole.
#[test]
fn a_ray_along_the_floor_of_a_hole_hits_the_wall_in_the_corner() {
    let corner = |rise: f32| {
        [
            Vec2::ZERO,
            Vec2::from_angle(rise) * 9.0,
            Vec2::new(9.0, 0.0),
        ]
    };
    let outer = rect(-20.0, -20.0, 40.0, 40.0);
    for rise in [0.3, 0.8, 1.5] {
        let polygon = Polygon::from_outlines([outer.clone(), corner(rise).to_vec()]).unwrap();
        let shape = Shape::from(polygon);
        for off in [-1.0, 0.0, 1.0] {
            let height = off * TOUCHING_SLOP * shape.largest_coordinate() / 2.0;
            let hit = cast_ray(&shape, Vec2::new(5.0, height), Vec2::new(-30.0, 0.0));
            assert!(hit.is_some(), "{rise} {off}");
        }
    }
}

#[test]
fn holes_are_clockwise_and_islands_are_not() {
    let squares = [10.0f32, 8.0, 6.0].map(|size| rect(-size / 2.0, -size / 2.0, size, size));
    let polygon = Polygon::from_outlines(squares).unwrap();
    let areas: Vec<f64> = polygon.outlines().map(area).collect();
    assert_eq!(areas, [100.0, -64.0, 36.0]);
}

#[test]
fn a_ray_sees_the_walls_of_a_hole_from_within() {
    let ring = Shape::from(
        Polygon::from_outlines([rect(-5.0, -5.0, 10.0, 10.0), rect(-4.0, -4.0, 8.0, 8.0)]).unwrap(),
    );
    let hit = cast_ray(&ring, Vec2::ZERO, Vec2::new(20.0, 0.0)).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.2, Vec2::NEG_X));
    let hit = cast_ray(&ring, Vec2::new(4.5, 0.0), Vec2::X).unwrap();
    assert!(hit.starts_inside);
}
