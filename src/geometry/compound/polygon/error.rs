//! Why points are not a polygon.

use std::{error::Error, fmt};

/// Why some points are not a [`Polygon`](crate::geometry::Polygon).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolygonError {
    /// Too few points differ from the one before: three are needed, of a line two.
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
    /// All of it is narrower than rounding, a line has no thickness, or outlines cancel each other.
    NoArea,
}

impl fmt::Display for PolygonError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewPoints { outline, count } => {
                write!(
                    f,
                    "outline {outline} of a polygon has too few points: {count}"
                )
            }
            Self::NotFinite { outline, point } => {
                write!(
                    f,
                    "point {point} of outline {outline} of a polygon is not finite"
                )
            }
            Self::NoArea => write!(f, "a polygon has no area"),
        }
    }
}

impl Error for PolygonError {}
