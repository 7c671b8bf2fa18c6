//! Random shapes, each with its reference.

use std::fmt::{self, Debug, Formatter};

use bevy::math::{Affine2, DAffine2, DMat2, DVec2, Rot2, UVec2, Vec2};
use bevy_thud::geometry::{Placement, Polygon, Shape, TOUCHING_SLOP, Tiles};
use proptest::{collection::vec, prelude::*};

use parry2d_f64::shape::Segment;

use super::{
    outlines::outline,
    reference::{Reference, edge},
};

/// A shape, and the same in double precision.
#[derive(Clone)]
pub struct TestShape {
    pub shape: Shape,
    pub reference: Reference,
}

impl Debug for TestShape {
    /// Without the cells of a grid, which fill pages.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let kind = match &self.shape {
            Shape::Polygon { .. } => "Polygon",
            Shape::Tiles { .. } => "Tiles",
            convex => &format!("{convex:?}"),
        };
        write!(f, "{kind}, that is {:?}", self.reference)
    }
}

impl TestShape {
    /// A point, as which a ray moves.
    pub fn point(position: Vec2) -> Self {
        Self {
            shape: Shape::circle(position, 0.0),
            reference: Reference::convex(&[position.as_dvec2()], 0.0),
        }
    }

    pub fn translated(&self, by: Vec2) -> Self {
        Self {
            shape: self.shape.translated(by),
            reference: self.reference.translated(by.as_dvec2()),
        }
    }
}

/// The distance up to which rounding decides, in world units: four times what counts as touching.
pub fn slop(shapes: &[&TestShape]) -> f64 {
    let largest = shapes.iter().map(|s| s.reference.largest_coordinate());
    4.0 * f64::from(TOUCHING_SLOP) * largest.fold(1.0, f64::max)
}

pub fn between(low: f64, high: f64) -> impl Strategy<Value = f64> + Clone {
    (0..=1_000_000u32).prop_map(move |millionths| low + (high - low) * f64::from(millionths) / 1e6)
}

/// A number within `limit`, often on a lattice, so that shapes touch exactly.
fn coordinate(limit: i16) -> impl Strategy<Value = f32> {
    let any = between(-f64::from(limit), f64::from(limit)).prop_map(|number| number as f32);
    prop_oneof![lattice(limit), any]
}

/// A multiple of 1, of 0.5 or of 0.1.
fn lattice(limit: i16) -> impl Strategy<Value = f32> {
    (0..6u8, -10 * limit..=10 * limit).prop_map(|(kind, tenths)| match kind {
        0 => f32::from(tenths) * 0.1,
        1 => f32::from(tenths / 5) * 0.5,
        _ => f32::from(tenths / 10),
    })
}

pub fn vector(limit: i16) -> impl Strategy<Value = Vec2> {
    (coordinate(limit), coordinate(limit)).prop_map(Vec2::from)
}

fn size() -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => Just(0.0),
        4 => lattice(8).prop_map(|size| size.abs().max(0.1)),
        4 => between(0.01, 8.0).prop_map(|size| size as f32),
    ]
}

/// An angle in radians, often a multiple of an eighth turn.
fn angle() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(0.0),
        (0..8i16).prop_map(|eighths| f32::from(eighths) * std::f32::consts::FRAC_PI_4),
        between(-4.0, 4.0).prop_map(|angle| angle as f32),
    ]
}

/// A scale along each axis, often negative, so that it mirrors.
fn scale() -> impl Strategy<Value = Vec2> {
    let factor = || {
        let size = prop_oneof![Just(1.0), Just(0.5), Just(2.0), between(0.2, 3.0)];
        (size, any::<bool>()).prop_map(|(size, is_negative)| if is_negative { -size } else { size })
    };
    (factor(), factor()).prop_map(|(x, y)| DVec2::new(x, y).as_vec2())
}

fn pose() -> impl Strategy<Value = Affine2> {
    (scale(), angle(), vector(10)).prop_map(|(scale, angle, position)| {
        Affine2::from_scale_angle_translation(scale, angle, position)
    })
}

/// A pose in double precision. Its axes are perpendicular except for rounding.
fn to_double(pose: &Affine2) -> DAffine2 {
    let [x, y] = [pose.matrix2.x_axis, pose.matrix2.y_axis].map(Vec2::as_dvec2);
    DAffine2::from_mat2_translation(DMat2::from_cols(x, y), pose.translation.as_dvec2())
}

fn circle() -> impl Strategy<Value = TestShape> {
    (vector(10), size()).prop_map(|(center, radius)| TestShape {
        shape: Shape::circle(center, radius),
        reference: Reference::convex(&[center.as_dvec2()], radius.into()),
    })
}

fn rect() -> impl Strategy<Value = TestShape> {
    (vector(10), size(), size(), angle()).prop_map(|(center, width, height, angle)| {
        let rotation = Rot2::radians(angle);
        let [cos, sin] = [rotation.cos, rotation.sin].map(f64::from);
        let x = DVec2::new(cos, sin) * f64::from(width) / 2.0;
        let y = DVec2::new(-sin, cos) * f64::from(height) / 2.0;
        // Without width or height it is a segment, without both a point.
        let points = match (width == 0.0, height == 0.0) {
            (false, false) => vec![x + y, y - x, -x - y, x - y],
            (true, false) => vec![y, -y],
            (false, true) => vec![x, -x],
            (true, true) => vec![DVec2::ZERO],
        };
        let points: Vec<DVec2> = points.into_iter().map(|p| center.as_dvec2() + p).collect();
        TestShape {
            shape: Shape::rect(center, Vec2::new(width, height), rotation),
            reference: Reference::convex(&points, 0.0),
        }
    })
}

fn capsule() -> impl Strategy<Value = TestShape> {
    (vector(10), vector(6), size()).prop_map(|(start, along, radius)| {
        let end = start + along;
        let ends = [start, end].map(Vec2::as_dvec2);
        let points = if along == Vec2::ZERO {
            &ends[..1]
        } else {
            &ends
        };
        TestShape {
            shape: Shape::capsule(start, end, radius),
            reference: Reference::convex(points, radius.into()),
        }
    })
}

/// A polygon of several outlines: the same one within itself, smaller each time, or beside itself.
fn rings() -> impl Strategy<Value = TestShape> {
    let scales = prop_oneof![
        Just(vec![1.0, 0.5]),
        Just(vec![1.2, 0.8, 0.4]),
        Just(vec![1.0])
    ];
    (outline(), scales, any::<bool>(), pose()).prop_map(|(points, scales, is_beside, pose)| {
        let beside = is_beside.then_some(Vec2::new(15.0, 2.0));
        let outlines: Vec<Vec<Vec2>> = ([Vec2::ZERO].into_iter().chain(beside))
            .flat_map(|by| scales.iter().map(move |scale| (by, *scale)))
            .map(|(by, scale)| points.iter().map(|point| *point * scale + by).collect())
            .collect();
        let polygon = Polygon::from_outlines(outlines).expect("the outline of one has an area");
        let to_world = to_double(&pose);
        let vertex = |point: &Vec2| to_world.transform_point2(point.as_dvec2());
        // Not what was given: where outlines cancel each other, there is no edge.
        let edges = polygon.outlines().flat_map(|outline| {
            let next = outline.iter().cycle().skip(1);
            outline
                .iter()
                .zip(next)
                .map(|(p, q)| edge([vertex(p), vertex(q)]))
        });
        TestShape {
            reference: Reference::area(edges.collect()),
            shape: Shape::from(polygon.clone()).transformed(&pose),
        }
    })
}

fn polygon() -> impl Strategy<Value = TestShape> {
    (outline(), pose()).prop_map(|(points, pose)| {
        let to_world = to_double(&pose);
        let vertex = |point: &Vec2| to_world.transform_point2(point.as_dvec2());
        let shape = Shape::polygon(points.clone()).expect("no edges cross");
        let points: Vec<DVec2> = points.iter().map(vertex).collect();
        TestShape {
            reference: Reference::polygon(&points),
            shape: shape.transformed(&pose),
        }
    })
}

fn grid() -> impl Strategy<Value = TestShape> {
    let cells = vec(prop::bool::weighted(0.6), 1..36);
    let cell_size = prop_oneof![Just(Vec2::new(2.0, 1.5)), Just(Vec2::ONE)];
    (1..7u32, cells, cell_size, pose()).prop_map(|(columns, mut cells, cell_size, pose)| {
        cells[0] = true;
        let tiles = Tiles::from_cells(columns, cells, cell_size);
        let reference = Reference::area(outline_of(&tiles, &to_double(&pose)));
        let shape = Shape::Tiles {
            tiles: tiles.into(),
            placement: Placement::at(Vec2::ZERO),
        };
        TestShape {
            shape: shape.transformed(&pose),
            reference,
        }
    })
}

/// The edges between solid and open cells: rows are counted from the top, and the grid is centered
/// on its origin.
fn outline_of(tiles: &Tiles, to_world: &DAffine2) -> Vec<Segment> {
    let corner = |column: u32, row: u32| {
        let from_center = UVec2::new(column, row).as_dvec2() - tiles.size().as_dvec2() / 2.0;
        let flipped = DVec2::new(from_center.x, -from_center.y);
        to_world.transform_point2(flipped * tiles.cell_size().as_dvec2())
    };
    let is_solid = |x: u32, y: u32| tiles.is_solid(UVec2::new(x, y));
    let edges_of = |UVec2 { x, y }| {
        let corners = [(x, y), (x, y + 1), (x + 1, y + 1), (x + 1, y)].map(|(x, y)| corner(x, y));
        let [left, below] = [(x.wrapping_sub(1), y), (x, y + 1)];
        let [right, above] = [(x + 1, y), (x, y.wrapping_sub(1))];
        let neighbors = [left, below, right, above];
        (0..4).filter_map(move |side| {
            let (x, y) = neighbors[side];
            (!is_solid(x, y)).then(|| edge([corners[side], corners[(side + 1) % 4]]))
        })
    };
    tiles.solid_cells().flat_map(edges_of).collect()
}

/// Any shape.
pub fn test_shape() -> impl Strategy<Value = TestShape> {
    prop_oneof![circle(), rect(), capsule(), polygon(), rings(), grid()]
}
