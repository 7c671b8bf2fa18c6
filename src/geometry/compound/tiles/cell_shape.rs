//! What a cell of a grid is made of.

use std::{fmt, ops::Range, sync::Arc};

use bevy::math::Vec2;

use crate::geometry::compound::polygon::{Polygon, PolygonError};

/// The solid part of a cell of a grid: all of it, a rectangle, a slope, or any convex polygon.
///
/// It is described in cells: x from 0 at the left edge to 1 at the right edge, y from 0 at the
/// lower edge to 1 at the upper one, with y up.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_thud::geometry::CellShape;
///
/// // A slope up to the right, as two cells, and the same slope down to the right.
/// let up = [CellShape::slope(0.0, 0.5), CellShape::slope(0.5, 1.0)];
/// let down = [up[1].flipped_x(), up[0].flipped_x()];
/// assert_eq!(down[0], CellShape::slope(1.0, 0.5));
/// assert_eq!(CellShape::slope(1.0, 1.0), CellShape::FULL);
/// ```
#[derive(Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Vec2>", into = "Vec<Vec2>")
)]
pub struct CellShape(Outline);

/// The vertices of a cell's solid part, counter-clockwise with y up.
#[derive(Clone, PartialEq)]
enum Outline {
    Full,
    Vertices(Arc<[Vec2]>),
}

const CORNERS: [Vec2; 4] = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];

impl CellShape {
    /// The whole cell.
    pub const FULL: Self = Self(Outline::Full);

    /// Nothing: an open cell.
    pub fn empty() -> Self {
        Self(Outline::Vertices(Arc::default()))
    }

    /// A floor that rises or falls from one height at the left edge to another at the right edge.
    /// Heights outside of 0 to 1 are clamped, and NaN counts as 0. For a ceiling, see
    /// [`flipped_y`](Self::flipped_y).
    pub fn slope(left: f32, right: f32) -> Self {
        let [left, right] = [left, right].map(clamped);
        Self::convex([
            Vec2::ZERO,
            Vec2::X,
            Vec2::new(1.0, right),
            Vec2::new(0.0, left),
        ])
    }

    /// A rectangle, clamped to the cell. Empty if it has no area or a side is NaN.
    pub fn rect(x: Range<f32>, y: Range<f32>) -> Self {
        let [left, right] = [x.start, x.end].map(clamped);
        let [low, high] = [y.start, y.end].map(clamped);
        if !(x.start < x.end && y.start < y.end) {
            return Self::empty();
        }
        Self::convex([
            Vec2::new(left, low),
            Vec2::new(right, low),
            Vec2::new(right, high),
            Vec2::new(left, high),
        ])
    }

    /// A convex polygon of at most eight vertices, in either winding.
    ///
    /// # Errors
    ///
    /// Returns an error if a vertex is outside of the cell or not finite, if there are fewer than
    /// three or more than eight, or if the polygon is not convex.
    pub fn polygon(vertices: impl IntoIterator<Item = Vec2>) -> Result<Self, CellShapeError> {
        let vertices: Vec<Vec2> = vertices.into_iter().collect();
        let is_inside = |vertex: &Vec2| vertex.clamp(Vec2::ZERO, Vec2::ONE) == *vertex;
        if !vertices.iter().all(is_inside) {
            return Err(CellShapeError::Outside);
        }
        let polygon = Polygon::new(vertices).map_err(CellShapeError::Polygon)?;
        if !polygon.is_single_piece() {
            return Err(CellShapeError::NotConvex);
        }
        Ok(Self::convex(polygon.vertices().iter().copied()))
    }

    /// Mirrored, so that left and right are swapped.
    #[must_use]
    pub fn flipped_x(&self) -> Self {
        self.mapped(|vertex| Vec2::new(1.0 - vertex.x, vertex.y), true)
    }

    /// Mirrored, so that top and bottom are swapped: a floor becomes a ceiling.
    #[must_use]
    pub fn flipped_y(&self) -> Self {
        self.mapped(|vertex| Vec2::new(vertex.x, 1.0 - vertex.y), true)
    }

    /// Rotated clockwise by 90 degrees this many times.
    #[must_use]
    pub fn rotated(&self, quarters: u32) -> Self {
        (0..quarters % 4).fold(self.clone(), |shape, _| {
            shape.mapped(|vertex| Vec2::new(vertex.y, 1.0 - vertex.x), false)
        })
    }

    /// Whether all of the cell is solid.
    pub fn is_full(&self) -> bool {
        self.0 == Outline::Full
    }

    /// Whether nothing of the cell is solid.
    pub fn is_empty(&self) -> bool {
        self.vertices().is_empty()
    }

    /// The vertices of the solid part, counter-clockwise with y up. None if it is empty.
    pub fn vertices(&self) -> &[Vec2] {
        match &self.0 {
            Outline::Full => &CORNERS,
            Outline::Vertices(vertices) => vertices,
        }
    }

    /// The shape with these vertices, counter-clockwise, of which some may be equal.
    fn convex(vertices: impl IntoIterator<Item = Vec2>) -> Self {
        let mut vertices: Vec<Vec2> = vertices.into_iter().collect();
        vertices.dedup();
        if vertices.len() > 1 && vertices.first() == vertices.last() {
            vertices.pop();
        }
        // The same shape has the same vertices, whoever made it.
        let first = (0..vertices.len()).min_by(|&p, &q| {
            let [p, q] = [p, q].map(|index| vertices[index]);
            p.y.total_cmp(&q.y).then(p.x.total_cmp(&q.x))
        });
        vertices.rotate_left(first.unwrap_or(0));
        match vertices.as_slice() {
            [_, _, _, ..] if vertices == CORNERS => Self::FULL,
            [_, _, _, ..] => Self(Outline::Vertices(vertices.into())),
            _ => Self::empty(),
        }
    }

    /// The shape with each vertex moved. Mirroring reverses the order.
    fn mapped(&self, map: impl Fn(Vec2) -> Vec2, is_mirrored: bool) -> Self {
        // Adding zero turns minus zero into zero.
        let mut vertices: Vec<Vec2> = (self.vertices().iter())
            .map(|vertex| map(*vertex) + Vec2::ZERO)
            .collect();
        if is_mirrored {
            vertices.reverse();
        }
        Self::convex(vertices)
    }
}

impl fmt::Debug for CellShape {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Outline::Full => formatter.write_str("Full"),
            Outline::Vertices(_) => formatter.debug_list().entries(self.vertices()).finish(),
        }
    }
}

impl From<CellShape> for Vec<Vec2> {
    fn from(shape: CellShape) -> Self {
        shape.vertices().to_vec()
    }
}

impl TryFrom<Vec<Vec2>> for CellShape {
    type Error = CellShapeError;

    fn try_from(vertices: Vec<Vec2>) -> Result<Self, CellShapeError> {
        if vertices.is_empty() {
            return Ok(Self::empty());
        }
        Self::polygon(vertices)
    }
}

/// Why vertices are not the shape of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum CellShapeError {
    /// A vertex is outside of the cell, or not finite.
    Outside,
    /// The polygon is not convex, or has more than eight vertices.
    NotConvex,
    /// The vertices make no polygon.
    Polygon(PolygonError),
}

impl fmt::Display for CellShapeError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Outside => formatter.write_str("a vertex is outside of the cell, 0 to 1"),
            Self::NotConvex => {
                formatter.write_str("the polygon is not convex, or has more than eight vertices")
            }
            Self::Polygon(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for CellShapeError {}

/// A coordinate within the cell. NaN counts as 0.
fn clamped(number: f32) -> f32 {
    if number > 0.0 { number.min(1.0) } else { 0.0 }
}
