//! Why points are not a polygon.

use std::{error::Error, fmt};

/// Why some points are not a [`Polygon`](crate::geometry::Polygon).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolygonError {
    /// There are fewer than three points that differ from the one before.
    TooFewPoints {
        /// The number of the outline, from 0.
        outline: usize,
        /// The number of such points.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// The number of the outline, from 0.
        outline: usize,
        /// The index of the point in the outline.
        point: usize,
    },
    /// Two edges of an outline cross or touch each other.
    SelfIntersecting {
        /// The number of the outline, from 0.
        outline: usize,
        /// The indices of the points at which the edges begin, the smaller one first.
        edges: [usize; 2],
    },
    /// Two outlines cross each other.
    OutlinesCross {
        /// The numbers of the outlines, from 0, the smaller one first.
        outlines: [usize; 2],
    },
    /// A line has fewer than two points that differ from the one before.
    LineTooShort {
        /// The number of such points.
        count: usize,
    },
    /// All of it is narrower than rounding, or outlines cancel each other.
    NoArea,
}

impl fmt::Display for PolygonError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewPoints { outline, count } => {
                write!(
                    f,
                    "outline {outline} of a polygon needs three points, and not {count}"
                )
            }
            Self::NotFinite { outline, point } => {
                write!(
                    f,
                    "point {point} of outline {outline} of a polygon is not finite"
                )
            }
            Self::SelfIntersecting {
                outline,
                edges: [a, b],
            } => {
                write!(
                    f,
                    "the edges from points {a} and {b} of outline {outline} of a polygon cross or \
                     touch each other"
                )
            }
            Self::OutlinesCross { outlines: [a, b] } => {
                write!(f, "outlines {a} and {b} of a polygon cross each other")
            }
            Self::LineTooShort { count } => write!(f, "a line needs two points, and not {count}"),
            Self::NoArea => write!(f, "a polygon has no area"),
        }
    }
}

impl Error for PolygonError {}
