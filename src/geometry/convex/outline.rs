//! The vertices of a polygon with what is derived from them.

use bevy::math::Vec2;

use crate::{
    aabb::{self, Aabb2d},
    geometry::vectors::bounding_box,
};

/// A closed chain of edges in a frame of its own. The functions of this module take convex ones.
#[derive(Clone, Debug)]
pub(in crate::geometry) struct Outline {
    /// Counter-clockwise.
    vertices: Box<[Vec2]>,
    /// The outward normal of the edge that ends at the vertex of the same index, unit length.
    normals: Box<[Vec2]>,
    bounds: Aabb2d,
}

impl Outline {
    /// The outline through these vertices, which come counter-clockwise.
    pub fn new(vertices: Vec<Vec2>) -> Self {
        Self {
            normals: edges(&vertices)
                .map(|(start, end)| edge_normal(start, end))
                .collect(),
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

    /// The start and the end of the edge that ends at the vertex with this index.
    pub fn edge(&self, end: usize) -> (Vec2, Vec2) {
        let start = end.checked_sub(1).unwrap_or(self.vertices.len() - 1);
        (self.vertices[start], self.vertices[end])
    }

    /// Whether the outline turns inward at the start and at the end of the edge that ends at the
    /// vertex with this index.
    pub fn are_reflex(&self, end: usize) -> [bool; 2] {
        let last = self.normals.len() - 1;
        let previous = self.normals[if end > 0 { end - 1 } else { last }];
        let next = self.normals[if end < last { end + 1 } else { 0 }];
        let normal = self.normals[end];
        [previous.perp_dot(normal), normal.perp_dot(next)].map(|turn| turn < 0.0)
    }

    /// Returns the vertices alone.
    pub fn into_vertices(self) -> Vec<Vec2> {
        self.vertices.into_vec()
    }
}

/// The edges between vertices, each by its start and its end, in the order of their ends.
fn edges(vertices: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let before = vertices.iter().cycle().skip(vertices.len().max(1) - 1);
    before.copied().zip(vertices.iter().copied())
}

fn edge_normal(start: Vec2, end: Vec2) -> Vec2 {
    let along = (end.as_dvec2() - start.as_dvec2()).normalize_or_zero();
    -along.perp().as_vec2()
}
