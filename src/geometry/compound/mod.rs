//! Shapes that are made of many convex ones: polygons and grids.

pub(super) mod polygon;
pub(super) mod tiles;
