//! Numbers of any bits, and shapes of such numbers.

use std::f32::consts::FRAC_PI_4;

use bevy::math::{Affine2, Mat2, Rot2, Vec2};
use bevy_thud::geometry::{Placement, Polygon, Shape, Tiles};
use proptest::{collection::vec, prelude::*, sample::select};

/// A number: usually an ordinary one, sometimes one at a limit, sometimes of any bits. Boxed:
/// scenes hold many of it.
pub fn number() -> BoxedStrategy<f32> {
    let limits = vec![
        0.0,
        -0.0,
        1.0,
        f32::EPSILON,
        f32::MIN_POSITIVE,
        1e-45,
        1e-20,
        1e18,
        1e20,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    prop_oneof![
        6 => (-4000..4000i16).prop_map(|eighths| f32::from(eighths) / 8.0),
        3 => (-4..=4i16).prop_map(f32::from),
        3 => (-20..=20i16).prop_map(|tenths| f32::from(tenths) * 0.1),
        1 => select(limits),
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
    .boxed()
}

pub fn vector() -> impl Strategy<Value = Vec2> {
    (number(), number()).prop_map(Vec2::from)
}

/// Usually a rotation, sometimes any two numbers.
fn rotation() -> impl Strategy<Value = Rot2> {
    prop_oneof![
        3 => (-700..700i16).prop_map(|hundredths| Rot2::radians(f32::from(hundredths) / 100.0)),
        2 => (0..8i16).prop_map(|eighths| Rot2::radians(f32::from(eighths) * FRAC_PI_4)),
        1 => (number(), number()).prop_map(|(cos, sin)| Rot2 { cos, sin }),
    ]
}

fn pose() -> impl Strategy<Value = Affine2> {
    let matrix = (vector(), vector()).prop_map(|(x, y)| Mat2::from_cols(x, y));
    (matrix, vector())
        .prop_map(|(matrix, position)| Affine2::from_mat2_translation(matrix, position))
}

/// A convex shape, made by its constructor or with any numbers as the fields of its variant.
fn convex() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (vector(), number()).prop_map(|(center, radius)| Shape::Circle { center, radius }),
        (vector(), vector(), rotation()).prop_map(|(center, half_size, rotation)| Shape::Rect {
            center,
            half_size,
            rotation,
        }),
        (vector(), number(), rotation(), number()).prop_map(
            |(center, half_length, rotation, radius)| Shape::Capsule {
                center,
                half_length,
                rotation,
                radius,
            }
        ),
        (vector(), number()).prop_map(|(center, radius)| Shape::circle(center, radius)),
        (vector(), vector(), rotation()).prop_map(|(c, size, r)| Shape::rect(c, size, r)),
        (vector(), vector(), number()).prop_map(|(p, q, radius)| Shape::capsule(p, q, radius)),
    ]
}

/// A polygon of several outlines, or a line, or a point if these points are neither.
fn outlines() -> impl Strategy<Value = Shape> {
    let around = |radius: f32, center: Vec2| {
        let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(Vec2::from);
        corners.map(|corner| center + corner * radius).to_vec()
    };
    let nested = (vec(1..60i16, 1..5), vector()).prop_map(move |(radii, center)| {
        let outline = |radius: &i16| around(f32::from(*radius) / 7.0, center);
        Polygon::from_outlines(radii.iter().map(outline))
    });
    let any = vec(vec(vector(), 0..6), 0..4).prop_map(Polygon::from_outlines);
    let line = (vec(vector(), 0..8), number(), number())
        .prop_map(|(points, left, right)| Polygon::line(points, left, right));
    prop_oneof![3 => nested, 1 => any, 1 => line]
        .prop_map(|polygon| polygon.map_or_else(|_| Shape::circle(Vec2::ZERO, 0.0), Shape::from))
}

/// A polygon, or a point if no polygon has these vertices.
fn polygon() -> impl Strategy<Value = Shape> {
    let rough = vec((1..40i16, 1..40i16), 3..12).prop_map(|distances| {
        let step = std::f32::consts::TAU / distances.len() as f32;
        let vertex = |(i, (p, q)): (usize, (i16, i16))| {
            Vec2::from_angle(i as f32 * step) * f32::from(p) / f32::from(q)
        };
        distances.into_iter().enumerate().map(vertex).collect()
    });
    prop_oneof![3 => rough, 1 => vec(vector(), 0..7)].prop_map(|points: Vec<Vec2>| {
        Shape::polygon(points).unwrap_or_else(|_| Shape::circle(Vec2::ZERO, 0.0))
    })
}

fn grid() -> impl Strategy<Value = Shape> {
    let cells = vec(any::<bool>(), 0..40);
    (0..9u32, cells, vector(), vector()).prop_map(|(columns, cells, cell_size, center)| {
        Shape::Tiles {
            tiles: Tiles::from_cells(columns, cells, cell_size).into(),
            placement: Placement::at(center),
        }
    })
}

fn compound() -> impl Strategy<Value = Shape> {
    let inner = prop_oneof![3 => convex(), 1 => polygon(), 1 => outlines(), 1 => grid()];
    // On the heap, for it is larger than the stack of a test.
    vec(inner.boxed(), 0..5).prop_map(Shape::compound).boxed()
}

/// A shape, and whether it is valid: see the rules for the fields of [`Shape`].
#[derive(Clone, Debug)]
pub struct Sample {
    pub shape: Shape,
    pub is_valid: bool,
}

/// Whether no size is negative or NaN, and rotations have unit length.
fn is_valid(shape: &Shape) -> bool {
    match *shape {
        Shape::Compound { ref shapes, .. } => shapes.iter().all(is_valid),
        Shape::Circle { radius, .. } => radius >= 0.0,
        Shape::Rect {
            half_size,
            rotation,
            ..
        } => half_size.cmpge(Vec2::ZERO).all() && rotation.is_normalized(),
        Shape::Capsule {
            half_length,
            rotation,
            radius,
            ..
        } => half_length >= 0.0 && radius >= 0.0 && rotation.is_normalized(),
        _ => true,
    }
}

/// Any shape, as it is or in any pose.
pub fn sample() -> impl Strategy<Value = Sample> {
    let local =
        prop_oneof![3 => convex(), 1 => polygon(), 1 => outlines(), 1 => grid(), 1 => compound()]
            .boxed();
    (local, proptest::option::of(pose())).prop_map(|(shape, pose)| Sample {
        is_valid: is_valid(&shape),
        shape: pose.map_or(shape.clone(), |pose| shape.transformed(&pose)),
    })
}
