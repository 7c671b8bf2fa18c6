//! Shapes made of many convex pieces: polygons and grids.

pub(super) mod polygon;
pub(super) mod tiles;
