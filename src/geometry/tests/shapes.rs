//! Random shapes: rotated and not, on a grid and off it, points and segments among them.

use std::f32::consts::{FRAC_PI_4, PI, TAU};

use bevy::math::{Affine2, Rot2, Vec2};
use proptest::prelude::*;

use super::reference::{Outline, separating_translations};
use crate::geometry::Shape;
pub(super) use crate::strategies::{between, cases};

/// A coordinate within `limit`, often on a lattice so that shapes touch exactly.
pub(super) fn coordinate(limit: i16) -> impl Strategy<Value = f32> {
    prop_oneof![lattice(limit), between(-f32::from(limit), f32::from(limit)),]
}

/// A multiple of 1, of 0.5 or of 0.1.
fn lattice(limit: i16) -> impl Strategy<Value = f32> {
    (0..6u8, -10 * limit..=10 * limit).prop_map(|(kind, tenths)| match kind {
        0 => f32::from(tenths) * 0.1,
        1 => f32::from(tenths / 5) * 0.5,
        _ => f32::from(tenths / 10),
    })
}

pub(super) fn vector(limit: i16) -> impl Strategy<Value = Vec2> {
    (coordinate(limit), coordinate(limit)).prop_map(Vec2::from)
}

pub(super) fn unit_vector() -> impl Strategy<Value = Vec2> {
    turn().prop_map(|turn| Vec2::new(turn.cos, turn.sin))
}

/// A turn by any angle, often none or by a multiple of 45 degrees.
pub(super) fn turn() -> impl Strategy<Value = Rot2> {
    prop_oneof![
        1 => Just(Rot2::IDENTITY),
        1 => (0..8u8).prop_map(|eighths| Rot2::radians(f32::from(eighths) * FRAC_PI_4)),
        2 => between(-PI, PI).prop_map(Rot2::radians),
    ]
}

/// A size that is sometimes nothing.
fn size(largest: u8) -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => Just(0.0),
        4 => lattice(largest.into()).prop_map(|size| size.abs().max(0.1)),
        4 => between(0.01, f32::from(largest)),
    ]
}

pub(super) fn circle() -> impl Strategy<Value = Shape> {
    (vector(15), size(10)).prop_map(|(center, radius)| Shape::circle(center, radius))
}

pub(super) fn rect() -> impl Strategy<Value = Shape> {
    (vector(15), size(20), size(20), turn()).prop_map(|(center, width, height, turn)| {
        Shape::rect(center, Vec2::new(width, height), turn)
    })
}

pub(super) fn capsule() -> impl Strategy<Value = Shape> {
    (vector(15), vector(8), size(10))
        .prop_map(|(start, along, radius)| Shape::capsule(start, start + along, radius))
}

/// A convex polygon, rotated, scaled and mirrored, sometimes to nothing; every other one with
/// redundant vertices.
pub(super) fn polygon() -> impl Strategy<Value = Shape> {
    let directions = prop::collection::btree_set(0..32u8, 3..=8);
    let redundant = prop_oneof![Just(Vec::new()), redundant_vertices()];
    let scale = (size(3), size(3), prop::bool::ANY);
    (directions, redundant, vector(15), size(5), scale, turn()).prop_map(
        |(directions, redundant, center, radius, (x, y, is_mirrored), turn)| {
            let vertex = |direction: u8| {
                Vec2::from_angle(f32::from(direction) * TAU / 32.0) * radius.max(0.01)
            };
            let scale = Vec2::new(x, if is_mirrored { -y } else { y });
            let pose = Affine2::from_scale_angle_translation(scale, turn.as_radians(), center);
            let vertices: Vec<Vec2> = directions.into_iter().map(vertex).collect();
            let polygon = Shape::polygon(with_redundant_vertices(&vertices, &redundant));
            let polygon = polygon.ok().filter(Shape::is_convex);
            polygon
                .or_else(|| Shape::polygon(vertices).ok())
                .map_or(Shape::circle(center, radius), |polygon| {
                    polygon.transformed(&pose)
                })
        },
    )
}

/// Where to put vertices on the edges of a polygon: on which edge, and at which fraction of it. The
/// first also says at which vertex the list begins.
pub(super) fn redundant_vertices() -> impl Strategy<Value = Vec<(usize, f32)>> {
    prop::collection::vec((0..8usize, between(0.0, 1.0)), 1..=4)
}

/// Adds vertices on the edges of an outline, up to eight in total, and starts it at another vertex.
pub(super) fn with_redundant_vertices(vertices: &[Vec2], redundant: &[(usize, f32)]) -> Vec<Vec2> {
    let room = 8usize.saturating_sub(vertices.len());
    let mut outline = Vec::new();
    for (edge, &start) in vertices.iter().enumerate() {
        let end = vertices[(edge + 1) % vertices.len()];
        let is_on_edge = |(number, _): &&(usize, f32)| number % vertices.len() == edge;
        let on_edge = redundant.iter().take(room).filter(is_on_edge);
        let mut fractions: Vec<f32> = on_edge.map(|(_, fraction)| *fraction).collect();
        fractions.sort_unstable_by(f32::total_cmp);
        outline.push(start);
        outline.extend(
            fractions
                .into_iter()
                .map(|fraction| start.lerp(end, fraction)),
        );
    }
    let first = redundant.first().map_or(0, |(number, _)| *number);
    let count = outline.len();
    outline.rotate_left(first % count);
    outline
}

pub(super) fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![1 => circle(), 2 => rect(), 1 => capsule(), 2 => polygon()]
}

/// Two shapes that overlap about every other time.
pub(super) fn pair() -> impl Strategy<Value = (Shape, Shape)> {
    (shape(), shape())
}

/// Two shapes that just touch, except for rounding and up to `offset` (world units) of overlap or
/// distance.
pub(super) fn touching_pair(offset: f32) -> impl Strategy<Value = (Shape, Shape)> {
    (pair(), -500..=500i16).prop_map(move |((a, b), step)| {
        let offset = offset * f32::from(step) / 500.0;
        let translation = separating_translations(&Outline::from(&a), &Outline::from(&b))[0];
        let apart = translation.direction * (translation.length + f64::from(offset));
        let b = b.translated(apart.as_vec2());
        (a, b)
    })
}

/// Mirrors a shape at the line `x = 0` if `mirror.x` is negative, and at `y = 0` if `mirror.y` is.
pub(super) fn mirrored(shape: &Shape, mirror: Vec2) -> Shape {
    match *shape {
        Shape::Circle { center, radius } => Shape::circle(center * mirror, radius),
        Shape::Rect {
            center,
            half_size,
            rotation,
        } => {
            let turn = Rot2 {
                sin: rotation.sin * mirror.x * mirror.y,
                ..rotation
            };
            Shape::rect(center * mirror, half_size * 2.0, turn)
        }
        Shape::Capsule { radius, .. } => {
            let [start, end] = capsule_ends(shape).map(|end| end * mirror);
            Shape::capsule(start, end, radius)
        }
        _ => shape.transformed(&Affine2::from_scale(mirror)),
    }
}

/// Rotates a shape about the world's origin, and then moves it.
pub(super) fn carried(shape: &Shape, turn: Rot2, translation: Vec2) -> Shape {
    let center = turn * shape.center() + translation;
    match *shape {
        Shape::Circle { radius, .. } => Shape::circle(center, radius),
        Shape::Rect {
            half_size,
            rotation,
            ..
        } => Shape::rect(center, half_size * 2.0, turn * rotation),
        Shape::Capsule { radius, .. } => {
            let [start, end] = capsule_ends(shape).map(|end| turn * end + translation);
            Shape::capsule(start, end, radius)
        }
        _ => {
            let pose = Affine2::from_angle_translation(turn.as_radians(), translation);
            shape.transformed(&pose)
        }
    }
}

/// The least width of a shape in any direction.
pub(super) fn thickness(shape: &Shape) -> f32 {
    match *shape {
        Shape::Circle { radius, .. } => 2.0 * radius,
        Shape::Rect { half_size, .. } => 2.0 * half_size.min_element(),
        Shape::Capsule { radius, .. } => 2.0 * radius,
        _ => Outline::from(shape).width() as f32,
    }
}

/// The ends of the segment in a capsule.
fn capsule_ends(capsule: &Shape) -> [Vec2; 2] {
    let vertices = Outline::from(capsule).vertices;
    [vertices[0].as_vec2(), vertices[1].as_vec2()]
}

/// Four units in the last place of the largest coordinate involved: what the rules call touching.
pub(super) fn four_ulp(a: &Shape, b: &Shape) -> f64 {
    let largest = [a, b].map(|shape| {
        let outline = Outline::from(shape);
        let furthest = outline.vertices.iter().map(|c| c.abs().max_element());
        furthest.fold(0.0, f64::max) + outline.radius
    });
    4.0 * f64::from(f32::EPSILON) * largest[0].max(largest[1])
}

/// Blocks flush with the upper edge of a wall, both rotated by the same angle: the turn, the wall
/// and the block.
pub(super) fn flush_blocks() -> impl Iterator<Item = (Rot2, Shape, Shape)> {
    let turns = (0..60u8).map(|turn| Rot2::radians(f32::from(turn) * 0.031));
    turns.flat_map(|turn| {
        let wall = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 2.0), turn);
        (0..40u8).map(move |index| {
            let x = (f32::from(index) - 19.3) / 4.0;
            let block = Shape::rect(turn * Vec2::new(x, 2.0), Vec2::splat(2.0), turn);
            (turn, wall.clone(), block)
        })
    })
}

#[test]
fn the_least_width_of_a_thin_rectangle_is_hardly_more_than_its_own() {
    for angle in [0.0, 0.7, 2.0] {
        let rotation = bevy::math::Rot2::radians(angle);
        let wall = Shape::rect(Vec2::new(30.0, -20.0), Vec2::new(200.0, 2.0), rotation);
        let (axis, half_width) = wall.min_width_axis().unwrap();
        assert!(axis.distance(rotation * Vec2::Y) < 1e-6, "{axis}");
        assert!((1.0..1.01).contains(&half_width), "{half_width}");
    }
}
