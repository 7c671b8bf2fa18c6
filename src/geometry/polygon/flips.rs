//! Making triangles of slivers.

use bevy::{math::Vec2, platform::collections::HashMap};

use super::turn;

/// How many sides are looked at for each triangle, at most. It is about ten for most outlines, and thirty for long winding ones. Where there
/// would be no end of it, some slivers stay.
pub(super) const SIDES_PER_TRIANGLE: usize = 64;
/// A point counts as inside of a circle if it is so by this part of what is compared: rounding puts points on one circle that much aside.
const CLEARLY: f64 = 1e-5;

/// The corners of a triangle by their indices, counter-clockwise.
pub(super) type Triangle = [usize; 3];

/// Triangles that share sides, and which of them has a side from one vertex to another.
struct Mesh<'a> {
    vertices: &'a [Vec2],
    triangles: &'a mut [Triangle],
    owners: HashMap<(usize, usize), usize>,
}

/// Makes other triangles of the same polygon that are as little like slivers as possible. The outline stays as it is.
///
/// Where two triangles make up a convex quadrangle, it is cut along the other diagonal if one of its corners is in the circle through the
/// others (Lawson, "Software for C1 Surface Interpolation", 1977). That ends at the constrained Delaunay triangulation, or after a number of
/// sides for each triangle: see [`SIDES_PER_TRIANGLE`].
pub(super) fn widen(vertices: &[Vec2], triangles: &mut [Triangle], sides_per_triangle: usize) {
    let mut to_check: Vec<(usize, usize)> = triangles.iter().copied().flat_map(sides).collect();
    let owner = |(i, triangle): (usize, &Triangle)| sides(*triangle).map(|side| (side, i));
    let owners = triangles.iter().enumerate().flat_map(owner).collect();
    let mut left = sides_per_triangle.saturating_mul(triangles.len());
    let mut mesh = Mesh {
        vertices,
        triangles,
        owners,
    };
    while let Some(side) = to_check.pop()
        && left > 0
    {
        left -= 1;
        if let Some(around) = mesh.flip(side) {
            to_check.extend(around);
        }
    }
}

fn sides([i, j, k]: Triangle) -> [(usize, usize); 3] {
    [(i, j), (j, k), (k, i)]
}

impl Mesh<'_> {
    /// Cuts the quadrangle on both sides of a diagonal along the other one, if that is better. Its sides then.
    fn flip(&mut self, (i, j): (usize, usize)) -> Option<[(usize, usize); 4]> {
        let first = *self.owners.get(&(i, j))?;
        let second = *self.owners.get(&(j, i))?;
        let k = self.corner_opposite(first, (i, j))?;
        let l = self.corner_opposite(second, (j, i))?;
        let corners = [i, j, k, l].map(|corner| self.vertices[corner]);
        if !is_better(corners) {
            return None;
        }
        self.owners.remove(&(i, j));
        self.owners.remove(&(j, i));
        for (number, triangle) in [(first, [k, i, l]), (second, [l, j, k])] {
            self.triangles[number] = triangle;
            self.owners
                .extend(sides(triangle).map(|side| (side, number)));
        }
        Some([(k, i), (i, l), (l, j), (j, k)])
    }

    fn corner_opposite(&self, triangle: usize, (i, j): (usize, usize)) -> Option<usize> {
        let mut corners = self.triangles[triangle].into_iter();
        corners.find(|corner| ![i, j].contains(corner))
    }
}

/// Whether triangles of `k`, `i`, `l` and `l`, `j`, `k` are better than those of `i`, `j`, `k` and `j`, `i`, `l`: if the angles at `k` and `l` are
/// together more than half a turn, that is if the sine of their sum is negative (Cline and Renka, "A Storage-Efficient Method for Construction
/// of a Thiessen Triangulation", 1984). Seen from the other triangle it is the same, rounding included.
fn is_better([i, j, k, l]: [Vec2; 4]) -> bool {
    if !(turn(k, i, l) > 0.0 && turn(l, j, k) > 0.0) {
        return false;
    }
    let [i, j, k, l] = [i, j, k, l].map(|corner| corner.as_dvec2());
    let [at_k, at_l] = [(i - k, j - k), (j - l, i - l)];
    let parts = [
        at_k.0.perp_dot(at_k.1) * at_l.0.dot(at_l.1),
        at_k.0.dot(at_k.1) * at_l.0.perp_dot(at_l.1),
    ];
    -(parts[0] + parts[1]) > CLEARLY * (parts[0].abs() + parts[1].abs())
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use proptest::prelude::*;

    use super::*;
    use crate::{geometry::polygon::convex_pieces::triangles, strategies::between};

    fn area(vertices: &[Vec2], triangles: &[Triangle]) -> f64 {
        let area = |&[i, j, k]: &Triangle| turn(vertices[i], vertices[j], vertices[k]);
        triangles.iter().map(area).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_side_is_left_to_be_turned(radii in prop::collection::vec(between(1.0, 10.0), 4..400)) {
            let step = TAU / radii.len() as f32;
            let corner = |(i, radius): (usize, &f32)| Vec2::from_angle(i as f32 * step) * *radius;
            let vertices: Vec<Vec2> = radii.iter().enumerate().map(corner).collect();
            let before = triangles(&vertices);
            let mut after = before.clone();
            widen(&vertices, &mut after, usize::MAX);
            prop_assert!((area(&vertices, &before) - area(&vertices, &after)).abs() < 1e-6);
            for triangle in &after {
                prop_assert!(area(&vertices, &[*triangle]) > 0.0);
                for (i, j) in sides(*triangle) {
                    let beside = |other: &&Triangle| sides(**other).contains(&(j, i));
                    let opposite = |triangle: &Triangle| triangle.iter().copied().find(|corner| ![i, j].contains(corner));
                    if let Some(l) = after.iter().find(beside).and_then(opposite)
                        && let Some(k) = opposite(triangle)
                    {
                        prop_assert!(!is_better([i, j, k, l].map(|corner| vertices[corner])));
                    }
                }
            }
        }
    }
}
