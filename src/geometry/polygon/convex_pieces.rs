//! Taking a polygon apart into convex ones.

use std::sync::Arc;

use bevy::{math::Vec2, platform::collections::HashMap};
use earcut::Earcut;

use super::{
    Polygon,
    flips::{self, Triangle},
    turn,
};
use crate::geometry::MAX_CORNERS;

/// In polygons with no more vertices slivers do no harm. In larger ones many of them reach into any area, and each has to be looked at.
const FEW_VERTICES: usize = 16;

/// The convex polygons that a simple one is made of; none, if it is convex and has few enough corners.
///
/// It is cut into triangles, slivers among them are turned into wider ones, and neighbors are then joined as long as they stay convex
/// (Hertel and Mehlhorn, "Fast Triangulation of Simple Polygons", 1983).
pub(super) fn of(vertices: &[Vec2]) -> Vec<Arc<Polygon>> {
    let whole: Vec<usize> = (0..vertices.len()).collect();
    if is_convex(vertices, &whole) {
        return Vec::new();
    }
    let mut triangles = triangles(vertices);
    if vertices.len() > FEW_VERTICES {
        flips::widen(vertices, &mut triangles, flips::SIDES_PER_TRIANGLE);
    }
    let mut pieces = Pieces {
        vertices,
        lists: triangles.into_iter().map(Vec::from).collect(),
    };
    pieces.join();
    (pieces.lists.into_iter())
        .filter(|list| !list.is_empty())
        .map(|list| {
            Arc::new(Polygon::of(
                list.iter().map(|&i| vertices[i]).collect(),
                Vec::new(),
            ))
        })
        .collect()
}

/// Triangles that the polygon is made of.
pub(super) fn triangles(vertices: &[Vec2]) -> Vec<Triangle> {
    let mut indices: Vec<usize> = Vec::new();
    let coordinates = vertices.iter().map(|vertex| vertex.as_dvec2().to_array());
    Earcut::new().earcut(coordinates, &[], &mut indices);
    (indices.chunks_exact(3))
        .filter_map(|corners| {
            let &[i, j, k] = corners else { return None };
            let area = turn(vertices[i], vertices[j], vertices[k]);
            if area > 0.0 {
                Some([i, j, k])
            } else {
                (area < 0.0).then_some([i, k, j])
            }
        })
        .collect()
}

/// Whether a polygon of some of the vertices has no corner that turns in, and few enough of them.
fn is_convex(vertices: &[Vec2], list: &[usize]) -> bool {
    let count = list.len();
    let corner = |i: usize| vertices[list[i % count]];
    count <= MAX_CORNERS && (0..count).all(|i| turn(corner(i), corner(i + 1), corner(i + 2)) >= 0.0)
}

/// Convex polygons that side by side make up a larger one.
struct Pieces<'a> {
    vertices: &'a [Vec2],
    /// By the indices of their vertices; empty, if one was joined with another.
    lists: Vec<Vec<usize>>,
}

impl Pieces<'_> {
    /// Joins those that stay convex, along the longest sides first.
    fn join(&mut self) {
        // Which piece has a side from one vertex to another.
        let mut owners = HashMap::new();
        for (piece, list) in self.lists.iter().enumerate() {
            owners.extend(sides(list).map(|side| (side, piece)));
        }
        let mut shared: Vec<(usize, usize)> = (owners.keys().copied())
            .filter(|&(i, j)| i < j && owners.contains_key(&(j, i)))
            .collect();
        let length = |&(i, j): &(usize, usize)| self.vertices[i].distance_squared(self.vertices[j]);
        shared.sort_by(|p, q| length(q).total_cmp(&length(p)).then(p.cmp(q)));
        for (i, j) in shared {
            let (Some(&first), Some(&second)) = (owners.get(&(i, j)), owners.get(&(j, i))) else {
                continue;
            };
            let joined = joined((&self.lists[first], &self.lists[second]), (i, j));
            if first == second || !is_convex(self.vertices, &joined) {
                continue;
            }
            owners.extend(sides(&joined).map(|side| (side, first)));
            self.lists[first] = joined;
            self.lists[second].clear();
        }
    }
}

/// The sides of a piece.
fn sides(list: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    list.iter()
        .copied()
        .zip(list.iter().copied().cycle().skip(1))
}

/// Two pieces made one, of which the first has the side from `i` to `j`, and the second that from `j` to `i`.
fn joined((first, second): (&[usize], &[usize]), (i, j): (usize, usize)) -> Vec<usize> {
    let from = |list: &[usize], start: usize| {
        let at = list.iter().position(|&vertex| vertex == start).unwrap_or(0);
        let mut list = list.to_vec();
        list.rotate_left(at);
        list
    };
    let mut joined = from(first, j);
    joined.extend(&from(second, i)[1..second.len() - 1]);
    joined
}
