//! Convex decomposition of polygons.

use bevy::{math::Vec2, platform::collections::HashMap};
use earcut::Earcut;

use super::{
    delaunay::{self, Triangle},
    error::PolygonError,
    orientation::orientation,
};
use crate::geometry::convex::MAX_VERTICES;

/// Polygons with no more vertices than this are not refined. In larger ones, many slivers would
/// reach into any area, and each would have to be tested.
const FEW_VERTICES: usize = 16;

/// Returns the convex pieces of a simple polygon, by their vertices; none if it is convex itself
/// and has few enough vertices.
pub(super) fn of(vertices: &[Vec2]) -> Result<Vec<Vec<Vec2>>, PolygonError> {
    let whole: Vec<usize> = (0..vertices.len()).collect();
    if is_convex(vertices, &whole) {
        return Ok(Vec::new());
    }
    // Rounding may drop all of a sliver, depending on where the outline starts.
    let mut from_each = (0..vertices.len()).map(|start| triangulated(vertices, start));
    match from_each.find(|triangles| !triangles.is_empty()) {
        Some(triangles) => Ok(joined(vertices, triangles)),
        None => Err(PolygonError::NoArea),
    }
}

/// Returns the convex pieces that triangles between vertices make up, by their vertices.
///
/// The triangles are refined toward Delaunay, and neighbors are then joined as long as they stay
/// convex (Hertel and Mehlhorn, "Fast Triangulation of Simple Polygons", 1983).
pub(super) fn joined(vertices: &[Vec2], mut triangles: Vec<Triangle>) -> Vec<Vec<Vec2>> {
    if vertices.len() > FEW_VERTICES {
        delaunay::refine(vertices, &mut triangles, delaunay::FLIPS_PER_TRIANGLE);
    }
    let mut mesh = ConvexMesh {
        vertices,
        pieces: triangles.into_iter().map(Vec::from).collect(),
    };
    mesh.join_pieces();
    let pieces = (mesh.pieces.iter())
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.iter().map(|&i| vertices[i]).collect());
    pieces.collect()
}

/// Returns the triangles of the polygon, found from the vertex at `start` on.
pub(super) fn triangulated(vertices: &[Vec2], start: usize) -> Vec<Triangle> {
    let mut indices: Vec<usize> = Vec::new();
    let in_order = vertices[start..].iter().chain(&vertices[..start]);
    let coordinates = in_order.map(|vertex| vertex.as_dvec2().to_array());
    Earcut::new().earcut(coordinates, &[], &mut indices);
    (indices.chunks_exact(3))
        .filter_map(|triangle| {
            let [i, j, k] = [0, 1, 2].map(|at| (triangle[at] + start) % vertices.len());
            let area = orientation(vertices[i], vertices[j], vertices[k]);
            if area > 0.0 {
                Some([i, j, k])
            } else {
                (area < 0.0).then_some([i, k, j])
            }
        })
        .collect()
}

/// Whether a polygon of some of the vertices is convex and has few enough of them.
fn is_convex(vertices: &[Vec2], list: &[usize]) -> bool {
    let count = list.len();
    let vertex = |i: usize| vertices[list[i % count]];
    count <= MAX_VERTICES
        && (0..count).all(|i| orientation(vertex(i), vertex(i + 1), vertex(i + 2)) >= 0.0)
}

/// Convex polygons that edge by edge make up a larger one.
struct ConvexMesh<'a> {
    vertices: &'a [Vec2],
    /// By the indices of their vertices. Empty if a piece was joined with another one.
    pieces: Vec<Vec<usize>>,
}

impl ConvexMesh<'_> {
    /// Joins pieces whose union is convex, along the longest edges first.
    fn join_pieces(&mut self) {
        // Which piece has an edge from one vertex to another.
        let mut owners = HashMap::new();
        for (piece, list) in self.pieces.iter().enumerate() {
            owners.extend(edges(list).map(|edge| (edge, piece)));
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
            let union = union([&self.pieces[first], &self.pieces[second]], [i, j]);
            if first == second || !is_convex(self.vertices, &union) {
                continue;
            }
            owners.extend(edges(&union).map(|edge| (edge, first)));
            self.pieces[first] = union;
            self.pieces[second].clear();
        }
    }
}

/// The edges of a piece.
fn edges(list: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    list.iter()
        .copied()
        .zip(list.iter().copied().cycle().skip(1))
}

/// Returns the union of two pieces. The first has the edge from `i` to `j`, the second its reverse.
fn union([first, second]: [&[usize]; 2], [i, j]: [usize; 2]) -> Vec<usize> {
    let from = |list: &[usize], start: usize| {
        let at = list.iter().position(|&vertex| vertex == start).unwrap_or(0);
        let mut list = list.to_vec();
        list.rotate_left(at);
        list
    };
    let mut union = from(first, j);
    union.extend(&from(second, i)[1..second.len() - 1]);
    union
}
