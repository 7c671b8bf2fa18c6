//! The vertices of a polygon with what is derived from them.

use bevy::math::Vec2;

use crate::{
    aabb::{self, Aabb2d},
    geometry::vectors::bounding_box,
};

/// Closed chains of edges in a frame of its own. The functions of this module take convex ones, of
/// one chain.
#[derive(Clone, Debug)]
pub(in crate::geometry) struct Outline {
    /// Counter-clockwise; of several chains, with the area to the left.
    vertices: Box<[Vec2]>,
    /// The outward normal of the edge that ends at the vertex of the same index, unit length.
    normals: Box<[Vec2]>,
    bounds: Aabb2d,
}

impl Outline {
    /// The outline through these vertices, which come counter-clockwise.
    pub fn new(vertices: Vec<Vec2>) -> Self {
        let last = vertices.len().saturating_sub(1);
        Self::of_rings(vertices, |end| end.checked_sub(1).unwrap_or(last))
    }

    /// The outline of several closed chains through these vertices, to the left of which the area
    /// is. `before` returns the vertex at which the edge to a vertex starts.
    pub fn of_rings(vertices: Vec<Vec2>, before: impl Fn(usize) -> usize) -> Self {
        let normal = |(end, vertex)| edge_normal(vertices[before(end)], vertex);
        Self {
            normals: (vertices.iter().copied().enumerate()).map(normal).collect(),
            bounds: bounding_box(vertices.iter().copied()),
            vertices: vertices.into(),
        }
    }

    /// The vertices, counter-clockwise.
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The outward normals of the edges that end at each vertex, unit length.
    pub fn normals(&self) -> &[Vec2] {
        &self.normals
    }

    /// The bounding box.
    pub fn bounds(&self) -> Aabb2d {
        self.bounds
    }

    /// The center of the bounding box.
    pub fn center(&self) -> Vec2 {
        aabb::center(&self.bounds)
    }
}

fn edge_normal(start: Vec2, end: Vec2) -> Vec2 {
    let along = (end.as_dvec2() - start.as_dvec2()).normalize_or_zero();
    -along.perp().as_vec2()
}
