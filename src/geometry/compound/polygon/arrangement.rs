//! The edges around the area of several outlines by the even-odd rule.

use std::cmp::Ordering;

use bevy::{math::Vec2, platform::collections::HashMap};

use super::{
    bvh::StaticBvh,
    error::PolygonError,
    orientation::{are_crossing, distance_to_segment, is_on_segment},
};
use crate::{
    aabb::intersects,
    geometry::{tolerances::TOUCHING_SLOP, vectors::bounding_box},
};

/// How often edges are cut at points of others. Once is enough, unless they cross by rounding.
const MAX_ROUNDS: usize = 8;

/// Edges that touch only at common ends.
pub(super) struct Arrangement {
    /// By x, then by y.
    pub points: Vec<Vec2>,
    /// The indices of the points at both ends, in order.
    pub edges: Vec<[usize; 2]>,
}

/// An edge of an outline, or a segment of one.
#[derive(Clone, Copy)]
struct Edge {
    outline: usize,
    ends: [usize; 2],
}

/// A point of another edge at which an edge is cut in two.
struct Cut {
    edge: usize,
    point: usize,
    outlines: [usize; 2],
}

/// Returns the edges between what is inside of an odd number of simple outlines and the rest.
/// Where edges of two outlines coincide, neither bounds the area.
///
/// # Errors
///
/// Returns an error if outlines cross each other by more than rounding.
pub(super) fn of(outlines: &[Vec<Vec2>]) -> Result<Arrangement, PolygonError> {
    let (points, mut edges) = edges_of(outlines);
    for _ in 0..MAX_ROUNDS {
        let cuts = find_cuts(&points, &edges)?;
        if cuts.is_empty() {
            return Ok(arranged(&points, &edges));
        }
        edges = cut(&points, &edges, cuts);
    }
    match find_cuts(&points, &edges)?.first() {
        Some(&Cut { outlines, .. }) => Err(PolygonError::OutlinesCross { outlines }),
        None => Ok(arranged(&points, &edges)),
    }
}

/// Orders points by x, then by y.
fn by_coordinates(p: Vec2, q: Vec2) -> Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y))
}

/// Returns all points, each once, and the edges between them.
fn edges_of(outlines: &[Vec<Vec2>]) -> (Vec<Vec2>, Vec<Edge>) {
    // There is one zero, so that equal numbers have equal bits.
    let in_order = || outlines.iter().flatten().map(|point| *point + Vec2::ZERO);
    let mut points: Vec<Vec2> = in_order().collect();
    points.sort_unstable_by(|p, q| by_coordinates(*p, *q));
    points.dedup();
    let indices: HashMap<[u32; 2], usize> = (points.iter().enumerate())
        .map(|(index, point)| (bits(*point), index))
        .collect();
    let mut edges = Vec::new();
    for (outline, vertices) in outlines.iter().enumerate() {
        let before = vertices.iter().cycle().skip(vertices.len().max(1) - 1);
        edges.extend(before.zip(vertices).map(|(start, end)| Edge {
            outline,
            ends: [start, end].map(|point| indices[&bits(*point + Vec2::ZERO)]),
        }));
    }
    (points, edges)
}

fn bits(point: Vec2) -> [u32; 2] {
    point.to_array().map(f32::to_bits)
}

/// Returns where edges touch or, by rounding, cross others between their ends.
fn find_cuts(points: &[Vec2], edges: &[Edge]) -> Result<Vec<Cut>, PolygonError> {
    let aabb = |edge: &Edge| bounding_box(edge.ends.iter().map(|end| points[*end]));
    let boxes = StaticBvh::new(edges.iter().map(aabb));
    let mut cuts = Vec::new();
    for (i, edge) in edges.iter().enumerate() {
        let here = aabb(edge);
        for j in boxes.find_from(i + 1, |other| intersects(other, &here)) {
            let before = cuts.len();
            cut_at_ends(points, edges, [i, j], is_on_segment, &mut cuts);
            let segments = [i, j].map(|edge| edges[edge].ends.map(|end| points[end]));
            if cuts.len() > before || !are_crossing(segments) {
                continue;
            }
            cut_at_ends(points, edges, [i, j], is_near_segment, &mut cuts);
            if cuts.len() == before {
                let outlines = outlines_of(edges, [i, j]);
                return Err(PolygonError::OutlinesCross { outlines });
            }
        }
    }
    Ok(cuts)
}

/// The outlines of two edges, the smaller number first.
fn outlines_of(edges: &[Edge], [i, j]: [usize; 2]) -> [usize; 2] {
    let [a, b] = [i, j].map(|edge| edges[edge].outline);
    [a.min(b), a.max(b)]
}

/// Cuts each of two edges at those ends of the other one that are on it.
fn cut_at_ends(
    points: &[Vec2],
    edges: &[Edge],
    [i, j]: [usize; 2],
    is_on: fn([Vec2; 2], Vec2) -> bool,
    cuts: &mut Vec<Cut>,
) {
    let outlines = outlines_of(edges, [i, j]);
    for (edge, other) in [(i, j), (j, i)] {
        let (ends, others) = (edges[edge].ends, edges[other].ends);
        let segment = ends.map(|end| points[end]);
        let inner = (others.into_iter()).filter(|end| !ends.contains(end));
        cuts.extend(
            (inner.filter(|end| is_on(segment, points[*end]))).map(|point| Cut {
                edge,
                point,
                outlines,
            }),
        );
    }
}

/// Whether a point is on a segment except for rounding.
fn is_near_segment(segment: [Vec2; 2], point: Vec2) -> bool {
    let [start, end] = segment.map(|end| end.abs().max_element());
    let largest = start.max(end).max(point.abs().max_element());
    distance_to_segment(segment, point) <= f64::from(TOUCHING_SLOP) * f64::from(largest)
}

/// Returns the segments of the edges from cut to cut.
fn cut(points: &[Vec2], edges: &[Edge], mut cuts: Vec<Cut>) -> Vec<Edge> {
    cuts.sort_unstable_by_key(|cut| (cut.edge, cut.point));
    let mut cuts = cuts.into_iter().peekable();
    let mut parts = Vec::new();
    for (index, &Edge { outline, ends }) in edges.iter().enumerate() {
        let [start, end] = ends.map(|end| points[end].as_dvec2());
        let along = |point: usize| (points[point].as_dvec2() - start).dot(end - start);
        let mut chain = vec![ends[0]];
        while let Some(cut) = cuts.next_if(|cut| cut.edge == index) {
            chain.push(cut.point);
        }
        chain[1..].sort_by(|p, q| along(*p).total_cmp(&along(*q)));
        chain.push(ends[1]);
        chain.dedup();
        parts.extend(chain.windows(2).map(|ends| Edge {
            outline,
            ends: [ends[0], ends[1]],
        }));
    }
    parts
}

/// Returns the edges that come an odd number of times, and the points at which they end.
fn arranged(points: &[Vec2], edges: &[Edge]) -> Arrangement {
    let in_order = |Edge { ends: [a, b], .. }: &Edge| [*a.min(b), *a.max(b)];
    let mut all: Vec<[usize; 2]> = edges.iter().map(in_order).collect();
    all.sort_unstable();
    let mut edges: Vec<[usize; 2]> = (all.chunk_by(|p, q| p == q))
        .filter(|same| same.len() % 2 == 1)
        .map(|same| same[0])
        .collect();
    let mut is_end = vec![false; points.len()];
    (edges.iter().flatten()).for_each(|end| is_end[*end] = true);
    let mut kept = Vec::new();
    let mut numbers = vec![0; points.len()];
    for (point, _) in is_end.iter().enumerate().filter(|(_, is_end)| **is_end) {
        numbers[point] = kept.len();
        kept.push(points[point]);
    }
    (edges.iter_mut().flatten()).for_each(|end| *end = numbers[*end]);
    Arrangement {
        points: kept,
        edges,
    }
}
