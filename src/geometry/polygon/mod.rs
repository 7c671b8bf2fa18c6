//! Polygons in a frame of their own, and the convex ones that they are made of.

mod convex_pieces;
mod flips;
mod hierarchy;
mod many;
mod simple;

use std::{error::Error, fmt, sync::Arc};

use bevy::math::{DVec2, Vec2, bounding::Aabb2d};

use super::Placement;
use many::Many;

/// Of a polygon with more vertices not all are looked at for the box around it.
const MANY_VERTICES: usize = 256;
/// What of a [`turn`] may be rounding, as a part of its products (Shewchuk 1997, section 4.2).
const TURN_ROUNDING: f64 = 2.0 * f64::EPSILON;

/// A simple polygon, convex or not, in a frame of its own.
///
/// It is checked, and taken apart into convex pieces, when it is made; so share it in an [`Arc`], as
/// [`Shape::Polygon`](super::Shape::Polygon) does.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Vec2>", into = "Vec<Vec2>")
)]
pub struct Polygon {
    /// Counter-clockwise.
    vertices: Box<[Vec2]>,
    /// The outward normal of the side that ends at the vertex of the same index, unit length.
    normals: Box<[Vec2]>,
    bounds: Aabb2d,
    /// What there is more of one that is not in one piece.
    many: Option<Box<Many>>,
}

/// Why some points are not a [`Polygon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolygonError {
    /// There are fewer than three different points in a row.
    TooFewPoints {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// The index of the point.
        point: usize,
    },
    /// Two sides cross or touch each other.
    SelfIntersecting {
        /// The indices of the points at which the sides begin, the smaller one first.
        sides: [usize; 2],
    },
}

impl fmt::Display for PolygonError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewPoints { count } => {
                write!(f, "a polygon needs three points, and not {count}")
            }
            Self::NotFinite { point } => {
                write!(f, "point {point} of a polygon is not finite")
            }
            Self::SelfIntersecting { sides: [a, b] } => {
                write!(
                    f,
                    "the sides of a polygon from its points {a} and {b} cross or touch each other"
                )
            }
        }
    }
}

impl Error for PolygonError {}

impl Polygon {
    /// The polygon with these vertices, in either winding. A point that repeats the one before it counts once.
    ///
    /// # Errors
    ///
    /// If there are fewer than three points, if one is not finite, or if sides cross or touch each other.
    pub fn new(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        let vertices = simple::checked_outline(points)?;
        let pieces = convex_pieces::of(&vertices);
        Ok(Self::of(vertices, pieces))
    }

    fn of(vertices: Vec<Vec2>, pieces: Vec<Arc<Self>>) -> Self {
        Self {
            normals: sides(&vertices)
                .map(|(start, end)| outward(start, end))
                .collect(),
            bounds: around(vertices.iter().copied()),
            many: (!pieces.is_empty()).then(|| Box::new(Many::new(&vertices, pieces))),
            vertices: vertices.into(),
        }
    }

    /// The vertices, counter-clockwise with y up.
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The outward normals of the sides that end at each vertex, unit length.
    pub(super) fn normals(&self) -> &[Vec2] {
        &self.normals
    }

    /// The convex polygons that it is made of, of at most eight vertices each; none, if it is one of them itself.
    pub fn pieces(&self) -> &[Arc<Self>] {
        self.many.as_ref().map_or(&[], |many| many.pieces())
    }

    /// Whether it is in one piece: convex, and of eight vertices at most.
    pub fn is_single_piece(&self) -> bool {
        self.many.is_none()
    }

    /// The box around it.
    pub(super) fn bounds(&self) -> Aabb2d {
        self.bounds
    }

    /// The box around it at some place in the world.
    // Out of line, to keep short what all colliders go through.
    #[inline(never)]
    pub(super) fn aabb_at(&self, placement: &Placement) -> Aabb2d {
        if self.vertices.len() > MANY_VERTICES {
            return self.aabb_of_extremes(placement);
        }
        around(
            self.vertices
                .iter()
                .map(|vertex| placement.transform_point(*vertex)),
        )
    }

    /// Whether all of it is at finite coordinates at some place in the world.
    pub(super) fn is_finite_at(&self, placement: &Placement) -> bool {
        // Where this is finite so is each number on the way from a vertex to the world.
        if self.reach_at(placement).is_finite() {
            return true;
        }
        let Aabb2d { min, max } = self.aabb_at(placement);
        min.is_finite() && max.is_finite()
    }

    /// No coordinate of it is larger at some place in the world, nor is any number from which those are made.
    pub(super) fn reach_at(&self, placement: &Placement) -> Vec2 {
        let furthest = self.bounds.min.abs().max(self.bounds.max.abs());
        placement.center.abs() + placement.apply_half_size(furthest)
    }

    /// The middle of the box around it.
    pub(super) fn middle(&self) -> Vec2 {
        self.bounds.min.midpoint(self.bounds.max)
    }
}

impl TryFrom<Vec<Vec2>> for Polygon {
    type Error = PolygonError;

    fn try_from(points: Vec<Vec2>) -> Result<Self, PolygonError> {
        Self::new(points)
    }
}

impl From<Polygon> for Vec<Vec2> {
    fn from(polygon: Polygon) -> Self {
        polygon.vertices.into_vec()
    }
}

impl PartialEq for Polygon {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices
    }
}

// Its coordinates are finite, so that each is equal to itself.
impl Eq for Polygon {}

/// The sides of a polygon, each from the vertex before to one: in the order of the latter.
fn sides(vertices: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let before = vertices.iter().cycle().skip(vertices.len().max(1) - 1);
    before.copied().zip(vertices.iter().copied())
}

fn outward(start: Vec2, end: Vec2) -> Vec2 {
    let along = (end.as_dvec2() - start.as_dvec2()).normalize_or_zero();
    -along.perp().as_vec2()
}

/// The box around some points.
fn around(points: impl Iterator<Item = Vec2>) -> Aabb2d {
    let (min, max) = points.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), point| {
        (min.min(point), max.max(point))
    });
    // A literal, because the constructor asserts that its input is finite.
    Aabb2d { min, max }
}

/// To which side `point` lies of the line from `start` to `end`: positive for the left one, zero
/// for a point on the line. The sign is exact.
fn turn(start: Vec2, end: Vec2, point: Vec2) -> f64 {
    let [start, end, point] = [start, end, point].map(|p| p.as_dvec2());
    let (along, to_point) = (end - start, point - start);
    let products = [along.x * to_point.y, along.y * to_point.x];
    let turn = products[0] - products[1];
    let rounding = TURN_ROUNDING * (products[0].abs() + products[1].abs());
    if turn.abs() >= rounding {
        turn
    } else {
        exact_turn([start, end, point])
    }
}

/// The same for what rounding could change: a sum that is kept as several numbers of which no bits
/// overlap, so that the largest one has its sign (Shewchuk, "Adaptive Precision Floating-Point
/// Arithmetic and Fast Robust Geometric Predicates", 1997, section 2.4).
#[cold]
fn exact_turn([a, b, c]: [DVec2; 3]) -> f64 {
    // Products of single precision are exact in double precision.
    let products = [
        a.x * b.y,
        -a.y * b.x,
        b.x * c.y,
        -b.y * c.x,
        c.x * a.y,
        -c.y * a.x,
    ];
    let mut parts = [0.0; 6];
    for (count, product) in products.into_iter().enumerate() {
        let mut sum = product;
        for part in &mut parts[..count] {
            let rounded = sum + *part;
            let added = rounded - sum;
            *part = (sum - (rounded - added)) + (*part - added);
            sum = rounded;
        }
        parts[count] = sum;
    }
    (parts.into_iter().rev())
        .find(|part| *part != 0.0)
        .unwrap_or(0.0)
}
