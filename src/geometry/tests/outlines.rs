//! Polygons of many vertices: searches by bounding boxes, against brute force.

use std::{f32::consts::TAU, sync::Arc};

use bevy::math::{Affine2, DVec2, Vec2};
use proptest::{prelude::*, sample::select};

use super::{
    even_odd,
    nasty::NUMBERS,
    polygon::{self, comb, spiral},
    shapes::{between, cases, turn, vector},
};
use crate::{
    aabb::{Aabb2d, intersects},
    geometry::{
        Placement, Polygon, Ray, Shape, TOUCHING_SLOP, cast_ray, cast_shape, contact,
        contains_point, separation,
    },
};

/// A star of many points.
fn star() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec(between(6.0, 10.0), 9..600).prop_map(|radii| {
        let step = TAU / radii.len() as f32;
        let vertex = |(i, radius): (usize, f32)| Vec2::from_angle(i as f32 * step) * radius;
        radii.into_iter().enumerate().map(vertex).collect()
    })
}

/// The air between a rough floor and a rough ceiling. Many heights are equal.
fn tunnel() -> impl Strategy<Value = Vec<Vec2>> {
    let height = prop_oneof![Just(0.0), (0..4u8).prop_map(f32::from), between(0.0, 4.0)];
    let heights = prop::collection::vec((height.clone(), height), 9..200);
    (heights, between(0.01, 1.0)).prop_map(|(heights, step)| {
        let at = |i: usize, height: f32| Vec2::new(i as f32 * step, height);
        let floor = heights.iter().enumerate().map(|(i, pair)| at(i, pair.0));
        let ceiling = heights
            .iter()
            .enumerate()
            .map(|(i, pair)| at(i, pair.1 + 5.0));
        floor.chain(ceiling.rev()).collect()
    })
}

fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    prop_oneof![3 => star(), 3 => tunnel(), 1 => Just(spiral()), 1 => Just(comb())]
}

/// A scale that is sometimes huge, tiny or nothing.
fn scale() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => between(0.2, 3.0),
        1 => select(vec![0.0, 1e-7, 1e-4, 1.0, 300.0, 1e5]),
    ]
}

/// Somewhere, rotated, scaled and mirrored; sometimes flat, or far away.
fn pose() -> impl Strategy<Value = Affine2> {
    let away = prop_oneof![4 => Just(1.0), 1 => select(vec![1e3, 1e5, 1e7])];
    let signs = (any::<bool>(), any::<bool>());
    (scale(), scale(), signs, turn(), vector(20), away).prop_map(
        |(x, y, signs, turn, translation, away)| {
            let signed = |scale: f32, is_negative| if is_negative { -scale } else { scale };
            Affine2::from_scale_angle_translation(
                Vec2::new(signed(x, signs.0), signed(y, signs.1)),
                turn.as_radians(),
                translation * away,
            )
        },
    )
}

/// A star with a hole or with islands in holes.
fn rings() -> impl Strategy<Value = Polygon> {
    (star(), 2..5u8).prop_map(|(star, count)| {
        let at_depth = |depth: u8| {
            let scale = 0.55f32.powi(depth.into());
            star.iter().map(move |vertex| *vertex * scale)
        };
        Polygon::from_outlines((0..count).map(at_depth)).unwrap()
    })
}

/// A polygon of one or several outlines.
fn polygon() -> impl Strategy<Value = Polygon> {
    let touching = even_odd::outlines().prop_map(|outlines| {
        let polygon = Polygon::from_outlines(outlines).ok();
        polygon.filter(|polygon| !polygon.is_single_piece())
    });
    let single = outline().prop_map(|points| Polygon::new(points).unwrap());
    prop_oneof![
        4 => single,
        2 => rings(),
        1 => touching.prop_filter_map("it is one piece or nothing", |polygon| polygon),
    ]
}

fn posed() -> impl Strategy<Value = Shape> {
    (polygon(), pose()).prop_map(|(polygon, pose)| Shape::from(polygon).transformed(&pose))
}

fn polygon_of(shape: &Shape) -> (&Arc<Polygon>, &Placement) {
    match shape {
        Shape::Polygon { polygon, placement } => (polygon, placement),
        _ => panic!("{shape:?} is not a polygon"),
    }
}

/// A point about a shape: `x` and `y` are 0 to 1 across the box around it.
fn point_about(shape: &Shape, (x, y): (f32, f32)) -> Vec2 {
    let Aabb2d { min, max } = shape.aabb();
    min + (max - min) * Vec2::new(x, y)
}

/// The box around all vertices.
fn slow_aabb(shape: &Shape) -> Aabb2d {
    let (polygon, placement) = polygon_of(shape);
    let vertices = polygon
        .vertices()
        .iter()
        .map(|v| placement.transform_point(*v));
    let (min, max) = vertices.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), v| {
        (min.min(v), max.max(v))
    });
    Aabb2d { min, max }
}

/// Each edge: where it starts and ends, and its normal.
fn edges(polygon: &Polygon) -> impl Iterator<Item = (Vec2, Vec2, Vec2)> {
    let ends = (polygon.outlines()).flat_map(|outline| {
        let before = outline.iter().cycle().skip(outline.len() - 1);
        before.copied().zip(outline.iter().copied())
    });
    let normals = polygon.outline().normals();
    ends.zip(normals)
        .map(|((start, end), normal)| (start, end, *normal))
}

/// Whether the ray to the right crosses an odd number of all edges. False on an edge.
fn slow_contains(polygon: &Polygon, point: Vec2) -> bool {
    let is_crossed = |(start, end, _): &(Vec2, Vec2, Vec2)| {
        let [start, end, at] = [start, end, &point].map(|p| p.as_dvec2());
        let is_left = (end - start).perp_dot(at - start) > 0.0;
        (start.y > at.y) != (end.y > at.y) && is_left == (end.y > start.y)
    };
    let is_on = |(start, end, _): (Vec2, Vec2, Vec2)| {
        let [from, to] = [start, end].map(|vertex| vertex.as_dvec2() - point.as_dvec2());
        from.perp_dot(to) == 0.0 && point.clamp(start.min(end), start.max(end)) == point
    };
    edges(polygon).filter(is_crossed).count() % 2 == 1 && !edges(polygon).any(is_on)
}

/// The first edge that a ray hits which starts at none of them, of two at once the one that it
/// crosses more steeply: the fraction, and its normal.
fn slow_cast(shape: &Shape, ray: &Ray) -> Option<(f64, Vec2)> {
    let (polygon, placement) = polygon_of(shape);
    let direction = ray.direction.as_dvec2();
    let rotation = placement.rotation();
    let impact = |(start, end, normal): (Vec2, Vec2, Vec2)| {
        let [start, end] = from_point(ray.origin, placement, [start, end]);
        let normal = placement.transform_normal(normal, rotation);
        let aside = [start, end].map(|vertex| direction.perp_dot(vertex));
        let time = start.perp_dot(end - start) / direction.perp_dot(end - start);
        let is_hit = normal.as_dvec2().dot(direction) < 0.0
            && (time >= 0.0 && time <= ray.max_fraction.into())
            && (aside[0] >= 0.0 && aside[1] <= 0.0 || aside[0] <= 0.0 && aside[1] >= 0.0);
        is_hit.then_some((time, normal))
    };
    let speed = |normal: Vec2| normal.as_dvec2().dot(direction);
    (edges(polygon).filter_map(impact))
        .min_by(|p, q| (p.0.total_cmp(&q.0)).then(speed(p.1).total_cmp(&speed(q.1))))
}

/// Two vertices in the world as seen from a point.
fn from_point(point: Vec2, placement: &Placement, vertices: [Vec2; 2]) -> [DVec2; 2] {
    vertices.map(|vertex| placement.transform_point(vertex).as_dvec2() - point.as_dvec2())
}

/// Whether a point is further from all edges than a number of touching slops.
fn is_off_surface(shape: &Shape, point: Vec2, slops: f32) -> bool {
    let (polygon, placement) = polygon_of(shape);
    let coordinates = point.abs().max(polygon.largest_coordinates_at(placement));
    let distance = f64::from(slops * TOUCHING_SLOP * coordinates.max_element());
    edges(polygon).all(|(start, end, _)| {
        let [start, end] = from_point(point, placement, [start, end]);
        let edge = end - start;
        // An edge that is scaled to nothing is a point.
        let length_squared = edge.length_squared().max(f64::MIN_POSITIVE);
        let fraction = (-start.dot(edge) / length_squared).clamp(0.0, 1.0);
        start.lerp(end, fraction).length() > distance
    })
}

fn across() -> impl Strategy<Value = (f32, f32)> {
    // Also beside the shape, and in line with its edges.
    let fraction = prop_oneof![4 => between(-0.2, 1.2), 1 => select(vec![0.0, 0.5, 1.0])];
    (fraction.clone(), fraction)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_box_is_that_around_all_vertices(shape in posed()) {
        prop_assert_eq!(shape.aabb(), slow_aabb(&shape));
        prop_assert!(shape.is_finite());
    }

    #[test]
    fn all_pieces_are_visited_that_reach_into_an_area_in_their_order(
        shape in posed(),
        at in across(),
        size in prop_oneof![Just(0.0), between(0.0, 0.2), between(0.0, 2.0)],
    ) {
        let point = point_about(&shape, at);
        let half = (shape.aabb().max - shape.aabb().min) * size;
        let area = Aabb2d { min: point - half, max: point + half };
        let (polygon, placement) = polygon_of(&shape);
        let pieces = polygon.pieces().iter().filter(|piece| {
            let piece = Shape::Polygon { polygon: Arc::clone(piece), placement: *placement };
            intersects(&area, &slow_aabb(&piece))
        });
        let expected: Vec<*const Polygon> = pieces.map(Arc::as_ptr).collect();
        let mut found = Vec::new();
        shape.visit_convex_pieces(&area, &mut |piece| found.push(Arc::as_ptr(polygon_of(piece).0)));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_point_is_inside_if_an_odd_number_of_edges_is_crossed(
        polygon in polygon(),
        at in across(),
        index in any::<prop::sample::Index>(),
    ) {
        let shape = Shape::from(polygon);
        let (polygon, _) = polygon_of(&shape);
        let vertex = *index.get(polygon.vertices());
        let point = point_about(&shape, at);
        for point in [point, vertex, Vec2::new(point.x, vertex.y), Vec2::new(vertex.x, point.y)] {
            prop_assert_eq!(
                contains_point(&shape, point),
                slow_contains(polygon, point),
                "{}",
                point,
            );
        }
    }

    #[test]
    fn a_ray_hits_the_first_of_all_edges(
        shape in posed(),
        from in across(),
        to in across(),
        index in any::<prop::sample::Index>(),
        is_at_vertex in any::<bool>(),
        length in prop_oneof![Just(f32::INFINITY), Just(1.0), between(0.0, 3.0)],
    ) {
        let (polygon, placement) = polygon_of(&shape);
        let vertex = placement.transform_point(*index.get(polygon.vertices()));
        let origin = point_about(&shape, from);
        let target = if is_at_vertex { vertex } else { point_about(&shape, to) };
        let ray = Ray { origin, direction: target - origin, max_fraction: length };
        // The walls between two vertices are thicker than what a ray may pass behind one of them.
        let scale = placement.scale().min_element();
        let is_thick = 0.01 * scale > 12.0 * TOUCHING_SLOP * shape.largest_coordinate();
        if is_thick && is_off_surface(&shape, origin, 2.0) && !contains_point(&shape, origin) {
            let found = ray.cast(&shape).map(|output| (output.fraction, output.normal));
            let expected = slow_cast(&shape, &ray);
            // At a reflex vertex rounding decides which of its edges is hit.
            let slop = f64::from(TOUCHING_SLOP * shape.largest_coordinate());
            let is_same_point = |((found, p), (expected, q)): ((f64, Vec2), (f64, Vec2))| {
                let apart = (found - expected) * ray.direction.as_dvec2();
                let across = [p, q].map(|normal| apart.dot(normal.as_dvec2()).abs());
                found != expected && across[0].min(across[1]) < slop
            };
            prop_assert!(
                found == expected || found.zip(expected).is_some_and(is_same_point),
                "{:?} {:?}",
                found,
                expected,
            );
        }
    }

    #[test]
    fn a_ray_from_a_vertex_hits_at_once_if_it_goes_in(
        points in prop_oneof![outline(), polygon::star()],
        (scale, is_mirrored) in (between(0.2, 3.0), any::<bool>()),
        (turn, translation) in (turn(), vector(20)),
        index in any::<prop::sample::Index>(),
        (ahead, length) in (between(0.0, TAU), between(0.5, 50.0)),
    ) {
        let size = Vec2::new(scale, if is_mirrored { -2.0 } else { 2.0 });
        let pose = Affine2::from_scale_angle_translation(size, turn.as_radians(), translation);
        let shape = Shape::polygon(points).unwrap().transformed(&pose);
        let (polygon, placement) = polygon_of(&shape);
        let count = polygon.vertices().len();
        let vertex = |i: usize| placement.transform_point(polygon.vertices()[i % count]);
        let i = index.index(count);
        let origin = vertex(i);
        let edges = [vertex(i + 1) - origin, vertex(i + count - 1) - origin];
        let [next, previous] = edges.map(|edge| edge.normalize().as_dvec2());
        let direction = Vec2::from_angle(ahead).as_dvec2();
        // Counter-clockwise from one edge to the other is inside; the reverse in a mirror.
        let mirror = if is_mirrored { -1.0 } else { 1.0 };
        let from_next = |to: DVec2| (mirror * next.angle_to(to)).rem_euclid(TAU.into());
        let (inside, at) = (from_next(previous), from_next(direction));
        let full: f64 = TAU.into();
        let is_clear = [0.0, inside, full].into_iter().all(|edge| (at - edge).abs() > 0.05);
        if !polygon.is_single_piece() && is_clear && inside > 0.1 && inside < full - 0.1 {
            let direction = direction.as_vec2() * length;
            let found = Ray { origin, direction, max_fraction: f32::INFINITY }.cast(&shape);
            let hits_at_once =
                found.is_some_and(|output| output.fraction * f64::from(length) < 1e-4);
            prop_assert_eq!(hits_at_once, at < inside, "{} of {}: {:?}", at, inside, found);
            if let Some(found) = found {
                prop_assert!(found.normal.dot(direction) < 0.0, "{:?}", found);
            }
        }
    }

    #[test]
    fn no_ray_slips_in_through_a_vertex(
        shape in posed(),
        index in any::<prop::sample::Index>(),
        at in across(),
        (before, behind) in (between(0.1, 9.0), between(0.001, 0.5)),
    ) {
        let (polygon, placement) = polygon_of(&shape);
        let vertex = placement.transform_point(*index.get(polygon.vertices()));
        let direction = point_about(&shape, at) - vertex;
        let [from, to] = [-before, behind].map(|length| vertex + direction * length);
        let slips_in = !contains_point(&shape, from)
            && contains_point(&shape, to)
            && is_off_surface(&shape, to, 20.0)
            && cast_ray(&shape, from, to - from).is_none();
        prop_assert!(placement.is_flat() || !slips_in, "from {} to {}", from, to);
    }

    #[test]
    fn no_ray_slips_in_from_the_surface(
        shape in posed(),
        index in any::<prop::sample::Index>(),
        along in between(0.0, 1.0),
        (at, behind) in (across(), between(0.001, 0.5)),
        is_along_edge in any::<bool>(),
    ) {
        let (polygon, placement) = polygon_of(&shape);
        let (start, end, _) = edges(polygon).nth(index.index(polygon.vertices().len())).unwrap();
        let [start, end] = [start, end].map(|vertex| placement.transform_point(vertex));
        let from = start.lerp(end, along);
        let to = if is_along_edge { end + (end - from) * behind } else { point_about(&shape, at) };
        let slips_in = contains_point(&shape, to)
            && is_off_surface(&shape, to, 20.0)
            && cast_ray(&shape, from, to - from).is_none();
        prop_assert!(placement.is_flat() || !slips_in, "from {} to {}", from, to);
    }

    #[test]
    fn a_ray_along_a_floor_hits_the_hill_behind_it(
        (rise, turn, translation) in (between(0.001, 2.5), turn(), vector(20)),
        (from, to) in (between(0.1, 15.0), between(5.0, 15.0)),
        off in prop_oneof![Just(0.0), between(-1.0, 1.0)],
    ) {
        let hill = Vec2::from_angle(rise) * 18.0;
        let corners = [Vec2::splat(-20.0), Vec2::new(20.0, -20.0), Vec2::new(20.0, 19.0)];
        let surface = [hill, Vec2::ZERO, Vec2::new(-20.0, 0.0)];
        let pose = Affine2::from_angle_translation(turn.as_radians(), translation);
        let terrain = Shape::polygon([corners, surface].concat()).unwrap().transformed(&pose);
        let height = off * TOUCHING_SLOP * terrain.largest_coordinate() / 2.0;
        let [from, to] = [-from, to].map(|x| pose.transform_point2(Vec2::new(x, height)));
        prop_assert!(cast_ray(&terrain, from, to - from).is_some());
    }
}

#[test]
fn numbers_that_nobody_means_do_no_harm() {
    let spiral = Shape::polygon(spiral()).unwrap();
    let ball = Shape::circle(Vec2::new(1.0, 2.0), 1.0);
    for x in NUMBERS {
        for y in NUMBERS {
            let (both, plain) = (Vec2::new(x, y), Vec2::new(1.0, -2.0));
            for (scale, translation) in [(both, plain), (plain, both), (both, both)] {
                let pose = Affine2::from_scale_angle_translation(scale, 0.4, translation);
                let shape = spiral.transformed(&pose);
                let Aabb2d { min, max } = slow_aabb(&shape);
                assert_eq!(shape.is_finite(), min.is_finite() && max.is_finite());
                let _ = (contact(&ball, &shape), separation(&shape, &ball));
                let _ = (cast_ray(&shape, both, plain), cast_ray(&shape, plain, both));
                let _ = cast_shape(&ball, both, &shape);
                let _ = contains_point(&shape, both);
            }
        }
    }
}
