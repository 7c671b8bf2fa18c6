//! Validates simple polygons: their edges touch only where one ends and the next begins.

use bevy::math::Vec2;

use super::{
    edge_boxes::EdgeBoxes,
    error::PolygonError,
    orientation::{are_crossing, is_on_segment, orientation},
    rings::Rings,
};
use crate::{
    aabb::{Aabb2d, intersects},
    geometry::vectors::bounding_box,
};

/// An edge between two vertices, with the index of the first one.
#[derive(Clone, Copy)]
struct OutlineEdge {
    index: usize,
    start: Vec2,
    end: Vec2,
}

/// Returns the points of a simple outline without repetitions, counter-clockwise, or an error if
/// its polygon is not simple, with the number of the outline.
pub(super) fn validated_outline(
    points: impl IntoIterator<Item = Vec2>,
    outline: usize,
) -> Result<Vec<Vec2>, PolygonError> {
    let mut numbered: Vec<(usize, Vec2)> = points.into_iter().enumerate().collect();
    if let Some(&(point, _)) = numbered.iter().find(|(_, point)| !point.is_finite()) {
        return Err(PolygonError::NotFinite { outline, point });
    }
    numbered.dedup_by_key(|(_, point)| *point);
    while numbered.len() > 1 && numbered.first().map(|p| p.1) == numbered.last().map(|p| p.1) {
        numbered.pop();
    }
    if numbered.len() < 3 {
        let count = numbered.len();
        return Err(PolygonError::TooFewPoints { outline, count });
    }
    check_edges(&numbered, outline)?;
    let mut vertices: Vec<Vec2> = numbered.into_iter().map(|(_, point)| point).collect();
    if is_clockwise(&vertices) {
        vertices.reverse();
    }
    Ok(vertices)
}

/// Compares each edge with the later ones that are near it.
fn check_edges(vertices: &[(usize, Vec2)], outline: usize) -> Result<(), PolygonError> {
    let before = vertices.iter().cycle().skip(vertices.len() - 1);
    let edges: Vec<OutlineEdge> = (before.zip(vertices))
        .map(|(&(index, start), &(_, end))| OutlineEdge { index, start, end })
        .collect();
    let ends: Vec<Vec2> = edges.iter().map(|edge| edge.end).collect();
    let boxes = EdgeBoxes::new(&ends, Rings::one(ends.len()));
    for (i, edge) in edges.iter().enumerate() {
        let aabb = edge.aabb();
        for near in boxes.find_from(i, |other| intersects(other, &aabb)) {
            let later = &edges[near.start.max(i + 1)..near.end];
            if let Some(other) = later.iter().find(|other| edge.interferes(other)) {
                let edges = [edge.index.min(other.index), edge.index.max(other.index)];
                return Err(PolygonError::SelfIntersecting { outline, edges });
            }
        }
    }
    Ok(())
}

impl OutlineEdge {
    fn aabb(&self) -> Aabb2d {
        bounding_box([self.start, self.end].into_iter())
    }

    /// Whether two edges share any point but the vertex between them.
    fn interferes(&self, other: &Self) -> bool {
        if self.end == other.start {
            self.folds_back(other)
        } else if other.end == self.start {
            other.folds_back(self)
        } else {
            intersects(&self.aabb(), &other.aabb()) && self.touches(other)
        }
    }

    /// Whether the next edge runs back along this one.
    fn folds_back(&self, next: &Self) -> bool {
        let [before, vertex, after] = [self.start, self.end, next.end].map(|p| p.as_dvec2());
        orientation(self.start, self.end, next.end) == 0.0
            && (vertex - before).dot(after - vertex) < 0.0
    }

    fn touches(&self, other: &Self) -> bool {
        let [edge, other] = [self, other].map(|edge| [edge.start, edge.end]);
        let is_end_on = other.iter().any(|end| is_on_segment(edge, *end))
            || edge.iter().any(|end| is_on_segment(other, *end));
        is_end_on || are_crossing([edge, other])
    }
}

/// Whether a simple polygon turns right at its leftmost vertex, where its winding decides.
fn is_clockwise(outline: &[Vec2]) -> bool {
    let position = |i: &usize| (outline[*i].x, outline[*i].y);
    let is_further_left = |i: &usize, j: &usize| position(i).partial_cmp(&position(j));
    let count = outline.len();
    let leftmost =
        (0..count).min_by(|i, j| is_further_left(i, j).unwrap_or(std::cmp::Ordering::Equal));
    leftmost.is_some_and(|i| {
        let [before, after] = [i + count - 1, i + 1].map(|neighbor| outline[neighbor % count]);
        orientation(before, outline[i], after) < 0.0
    })
}
