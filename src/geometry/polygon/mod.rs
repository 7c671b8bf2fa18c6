//! Polygons in a frame of their own, and the convex ones that they are made of.

mod convex_pieces;
mod simple;

use std::{error::Error, fmt, sync::Arc};

use bevy::math::{Vec2, bounding::Aabb2d};

use super::Placement;

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
    /// The convex polygons that it is made of, in the same frame; none, if it is one of them itself.
    pieces: Box<[Arc<Polygon>]>,
    bounds: Aabb2d,
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
            pieces: pieces.into(),
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
        &self.pieces
    }

    /// Whether it is in one piece: convex, and of eight vertices at most.
    pub fn is_single_piece(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The box around it.
    pub(super) fn bounds(&self) -> Aabb2d {
        self.bounds
    }

    /// Whether a point of its frame is inside: a ray from there crosses the sides an odd number of times.
    pub(super) fn contains(&self, point: Vec2) -> bool {
        let is_crossed = |(start, end): &(Vec2, Vec2)| {
            let is_left = turn(*start, *end, point) > 0.0;
            (start.y > point.y) != (end.y > point.y) && is_left == (end.y > start.y)
        };
        sides(&self.vertices).filter(is_crossed).count() % 2 == 1
    }

    /// Its sides at some place in the world, each with its outward normal.
    pub(super) fn sides_at(
        &self,
        placement: &Placement,
    ) -> impl Iterator<Item = (Vec2, Vec2, Vec2)> {
        let rotation = placement.rotation();
        (sides(&self.vertices).zip(&self.normals)).map(move |((start, end), normal)| {
            let normal = placement.apply_normal(*normal, rotation);
            (placement.apply(start), placement.apply(end), normal)
        })
    }

    /// The box around it at some place in the world.
    #[inline(never)]
    pub(super) fn aabb_at(&self, placement: &Placement) -> Aabb2d {
        around(self.vertices.iter().map(|vertex| placement.apply(*vertex)))
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

/// To which side `point` lies of the line from `start` to `end`: positive for the left one. Of double precision, so that the sign is right
/// for all but the most extreme points.
fn turn(start: Vec2, end: Vec2, point: Vec2) -> f64 {
    let [start, end, point] = [start, end, point].map(|p| p.as_dvec2());
    (end - start).perp_dot(point - start)
}
