//! Delaunay refinement of a triangulation, so that it has few slivers.

use bevy::{math::Vec2, platform::collections::HashMap};

use super::orientation::orientation;

/// The largest number of edges that are tested for each triangle. It is about ten for most
/// outlines, and thirty for long winding ones. Beyond it, some slivers remain.
pub(super) const FLIPS_PER_TRIANGLE: usize = 64;
/// A point counts as inside of a circle if it is inside by more than this fraction of the compared
/// terms, which is rounding.
const IN_CIRCLE_TOLERANCE: f64 = 1e-5;

/// The vertices of a triangle by their indices, counter-clockwise.
pub(super) type Triangle = [usize; 3];

/// Triangles that share edges. `owners` holds the triangle that has an edge from one vertex to
/// another.
struct Mesh<'a> {
    vertices: &'a [Vec2],
    triangles: &'a mut [Triangle],
    owners: HashMap<(usize, usize), usize>,
}

/// Flips edges between triangles toward the constrained Delaunay triangulation of the same
/// polygon.
///
/// Where two triangles make up a convex quadrilateral, it is cut along the other diagonal if one of
/// its vertices is in the circle through the others (Lawson, "Software for C1 Surface
/// Interpolation", 1977). Ends at the constrained Delaunay triangulation, or after
/// `edges_per_triangle` tests for each triangle.
pub(super) fn refine(vertices: &[Vec2], triangles: &mut [Triangle], edges_per_triangle: usize) {
    let mut to_check: Vec<(usize, usize)> = triangles.iter().copied().flat_map(edges).collect();
    let owner = |(i, triangle): (usize, &Triangle)| edges(*triangle).map(|edge| (edge, i));
    let owners = triangles.iter().enumerate().flat_map(owner).collect();
    let mut left = edges_per_triangle.saturating_mul(triangles.len());
    let mut mesh = Mesh {
        vertices,
        triangles,
        owners,
    };
    while let Some(edge) = to_check.pop()
        && left > 0
    {
        left -= 1;
        if let Some(around) = mesh.flip(edge.0, edge.1) {
            to_check.extend(around);
        }
    }
}

fn edges([i, j, k]: Triangle) -> [(usize, usize); 3] {
    [(i, j), (j, k), (k, i)]
}

impl Mesh<'_> {
    /// Flips a diagonal if the other one of its quadrilateral is better, and returns the edges of
    /// the quadrilateral if so.
    fn flip(&mut self, i: usize, j: usize) -> Option<[(usize, usize); 4]> {
        let first = *self.owners.get(&(i, j))?;
        let second = *self.owners.get(&(j, i))?;
        let k = self.vertex_opposite(first, [i, j])?;
        let l = self.vertex_opposite(second, [i, j])?;
        let vertices = [i, j, k, l].map(|vertex| self.vertices[vertex]);
        if !is_better(vertices) {
            return None;
        }
        self.owners.remove(&(i, j));
        self.owners.remove(&(j, i));
        for (number, triangle) in [(first, [k, i, l]), (second, [l, j, k])] {
            self.triangles[number] = triangle;
            self.owners
                .extend(edges(triangle).map(|edge| (edge, number)));
        }
        Some([(k, i), (i, l), (l, j), (j, k)])
    }

    fn vertex_opposite(&self, triangle: usize, edge: [usize; 2]) -> Option<usize> {
        let mut vertices = self.triangles[triangle].into_iter();
        vertices.find(|vertex| !edge.contains(vertex))
    }
}

/// Whether the triangles `k`, `i`, `l` and `l`, `j`, `k` are better than `i`, `j`, `k` and `j`,
/// `i`, `l`: if the angles at `k` and `l` add up to more than half a turn, which means that the
/// sine of their sum is negative (Cline and Renka, "A Storage-Efficient Method for Construction of
/// a Thiessen Triangulation", 1984). The result is the same as seen from the other triangle,
/// rounding included.
fn is_better([i, j, k, l]: [Vec2; 4]) -> bool {
    if !(orientation(k, i, l) > 0.0 && orientation(l, j, k) > 0.0) {
        return false;
    }
    let [i, j, k, l] = [i, j, k, l].map(|vertex| vertex.as_dvec2());
    let [at_k, at_l] = [(i - k, j - k), (j - l, i - l)];
    let terms = [
        at_k.0.perp_dot(at_k.1) * at_l.0.dot(at_l.1),
        at_k.0.dot(at_k.1) * at_l.0.perp_dot(at_l.1),
    ];
    -(terms[0] + terms[1]) > IN_CIRCLE_TOLERANCE * (terms[0].abs() + terms[1].abs())
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use proptest::prelude::*;

    use super::*;
    use crate::{geometry::compound::polygon::convex_pieces::triangulated, strategies::between};

    fn area(vertices: &[Vec2], triangles: &[Triangle]) -> f64 {
        let area = |&[i, j, k]: &Triangle| orientation(vertices[i], vertices[j], vertices[k]);
        triangles.iter().map(area).sum()
    }

    /// Two triangles in a kite, cut along either diagonal.
    #[test]
    fn a_kite_is_cut_along_the_shorter_diagonal() {
        let kite = [(-10.0, 0.0), (0.0, -1.0), (10.0, 0.0), (0.0, 1.0)].map(Vec2::from);
        for cut in [[[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]] {
            let mut triangles = cut;
            refine(&kite, &mut triangles, usize::MAX);
            for triangle in triangles {
                assert!(
                    triangle.contains(&1) && triangle.contains(&3),
                    "{triangles:?}"
                );
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn refinement_ends_at_a_delaunay_triangulation(
            radii in prop::collection::vec(between(1.0, 10.0), 4..400),
        ) {
            let step = TAU / radii.len() as f32;
            let vertex = |(i, radius): (usize, &f32)| Vec2::from_angle(i as f32 * step) * *radius;
            let vertices: Vec<Vec2> = radii.iter().enumerate().map(vertex).collect();
            let before = triangulated(&vertices, 0);
            let mut after = before.clone();
            refine(&vertices, &mut after, usize::MAX);
            prop_assert!((area(&vertices, &before) - area(&vertices, &after)).abs() < 1e-6);
            for triangle in &after {
                prop_assert!(area(&vertices, &[*triangle]) > 0.0);
                for (i, j) in edges(*triangle) {
                    let beside = |other: &&Triangle| edges(**other).contains(&(j, i));
                    let opposite = |triangle: &Triangle| {
                        triangle.iter().copied().find(|vertex| ![i, j].contains(vertex))
                    };
                    if let Some(l) = after.iter().find(beside).and_then(opposite)
                        && let Some(k) = opposite(triangle)
                    {
                        prop_assert!(!is_better([i, j, k, l].map(|vertex| vertices[vertex])));
                    }
                }
            }
        }
    }
}
