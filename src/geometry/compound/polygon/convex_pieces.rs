//! Convex decomposition of polygons.

use bevy::{math::Vec2, platform::collections::HashMap};
use earcut::Earcut;

use super::{
    boundary::Region,
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
    pieces_within(vertices, &[whole])
}

/// Returns the convex pieces of some regions, by their points.
pub(super) fn of_regions(
    points: &[Vec2],
    regions: &[Region],
) -> Result<Vec<Vec<Vec2>>, PolygonError> {
    let mut pieces = Vec::new();
    for Region { rings } in regions {
        pieces.extend(pieces_within(points, rings)?);
    }
    Ok(pieces)
}

/// Returns the convex pieces of a polygon within a ring of vertices, without the holes within
/// further rings.
///
/// It is triangulated, the triangles are refined toward Delaunay, and neighbors are then joined as
/// long as they stay convex (Hertel and Mehlhorn, "Fast Triangulation of Simple Polygons", 1983).
fn pieces_within(vertices: &[Vec2], rings: &[Vec<usize>]) -> Result<Vec<Vec<Vec2>>, PolygonError> {
    // Rounding may drop all of a sliver, depending on where the outline starts.
    let starts = 0..rings.first().map_or(0, Vec::len);
    let mut from_each = starts.map(|start| triangulated(vertices, rings, start));
    let Some(mut triangles) = from_each.find(|triangles| !triangles.is_empty()) else {
        return Err(PolygonError::NoArea);
    };
    if rings.iter().map(Vec::len).sum::<usize>() > FEW_VERTICES {
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
    Ok(pieces.collect())
}

/// Returns the triangles of a polygon with holes, found from the vertex at `start` of the first
/// ring on.
pub(super) fn triangulated(vertices: &[Vec2], rings: &[Vec<usize>], start: usize) -> Vec<Triangle> {
    let mut in_order: Vec<usize> = rings.concat();
    in_order[..rings[0].len()].rotate_left(start);
    let mut holes = Vec::new();
    let mut ring_start = 0;
    for ring in &rings[..rings.len() - 1] {
        ring_start += ring.len();
        holes.push(ring_start);
    }
    let mut indices: Vec<usize> = Vec::new();
    let coordinates = in_order
        .iter()
        .map(|&vertex| vertices[vertex].as_dvec2().to_array());
    Earcut::new().earcut(coordinates, &holes, &mut indices);
    (indices.chunks_exact(3))
        .filter_map(|triangle| {
            let [i, j, k] = [0, 1, 2].map(|at| in_order[triangle[at]]);
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
            let joined = joined([&self.pieces[first], &self.pieces[second]], [i, j]);
            if first == second || !is_convex(self.vertices, &joined) {
                continue;
            }
            owners.extend(edges(&joined).map(|edge| (edge, first)));
            self.pieces[first] = joined;
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
fn joined([first, second]: [&[usize]; 2], [i, j]: [usize; 2]) -> Vec<usize> {
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
