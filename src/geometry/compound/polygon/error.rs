//! Why points are not a polygon.

use std::{error::Error, fmt};

/// Why some points are not a [`Polygon`](crate::geometry::Polygon).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolygonError {
    /// There are fewer than three points that differ from the one before.
    TooFewPoints {
        /// The number of such points.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// The index of the point.
        point: usize,
    },
    /// Two edges cross or touch each other.
    SelfIntersecting {
        /// The indices of the points at which the edges begin, the smaller one first.
        edges: [usize; 2],
    },
    /// All of it is narrower than rounding.
    NoArea,
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
            Self::SelfIntersecting { edges: [a, b] } => {
                write!(
                    f,
                    "the edges of a polygon from its points {a} and {b} cross or touch each other"
                )
            }
            Self::NoArea => write!(f, "a polygon has no area"),
        }
    }
}

impl Error for PolygonError {}
