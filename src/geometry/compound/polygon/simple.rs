//! Validates simple polygons: their edges meet only where one ends and the next begins.

use bevy::math::Vec2;

use super::{edge_boxes::EdgeBoxes, error::PolygonError, orientation::orientation};
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
/// its polygon is not simple.
pub(super) fn validated_outline(
    points: impl IntoIterator<Item = Vec2>,
) -> Result<Vec<Vec2>, PolygonError> {
    let mut numbered: Vec<(usize, Vec2)> = points.into_iter().enumerate().collect();
    if let Some(&(point, _)) = numbered.iter().find(|(_, point)| !point.is_finite()) {
        return Err(PolygonError::NotFinite { point });
    }
    numbered.dedup_by_key(|(_, point)| *point);
    while numbered.len() > 1 && numbered.first().map(|p| p.1) == numbered.last().map(|p| p.1) {
        numbered.pop();
    }
    if numbered.len() < 3 {
        let count = numbered.len();
        return Err(PolygonError::TooFewPoints { count });
    }
    check_edges(&numbered)?;
    let mut outline: Vec<Vec2> = numbered.into_iter().map(|(_, point)| point).collect();
    if is_clockwise(&outline) {
        outline.reverse();
    }
    Ok(outline)
}

/// Compares each edge with the later ones that are near it.
fn check_edges(outline: &[(usize, Vec2)]) -> Result<(), PolygonError> {
    let before = outline.iter().cycle().skip(outline.len() - 1);
    let edges: Vec<OutlineEdge> = (before.zip(outline))
        .map(|(&(index, start), &(_, end))| OutlineEdge { index, start, end })
        .collect();
    let ends: Vec<Vec2> = edges.iter().map(|edge| edge.end).collect();
    let boxes = EdgeBoxes::new(&ends);
    for (i, edge) in edges.iter().enumerate() {
        let aabb = edge.aabb();
        for near in boxes.find_from(i, |other| intersects(other, &aabb)) {
            let later = &edges[near.start.max(i + 1)..near.end];
            if let Some(other) = later.iter().find(|other| edge.interferes(other)) {
                let edges = [edge.index.min(other.index), edge.index.max(other.index)];
                return Err(PolygonError::SelfIntersecting { edges });
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
        let (p, q, r, s) = (self.start, self.end, other.start, other.end);
        let edges = [
            orientation(p, q, r),
            orientation(p, q, s),
            orientation(r, s, p),
            orientation(r, s, q),
        ];
        let is_crossed =
            edges[0].signum() != edges[1].signum() && edges[2].signum() != edges[3].signum();
        let is_between = |point: Vec2, (start, end): (Vec2, Vec2)| {
            point.cmpge(start.min(end)).all() && point.cmple(start.max(end)).all()
        };
        let ends = [(r, (p, q)), (s, (p, q)), (p, (r, s)), (q, (r, s))];
        let is_end_on = (edges.iter().zip(ends))
            .any(|(edge, (end, along))| *edge == 0.0 && is_between(end, along));
        is_end_on || (is_crossed && edges.iter().all(|edge| *edge != 0.0))
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
