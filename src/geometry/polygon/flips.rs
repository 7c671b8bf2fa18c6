//! Making triangles of slivers.

use bevy::{math::Vec2, platform::collections::HashMap};

use super::turn;

/// How many sides are looked at for each triangle, at most. It is about ten for most outlines, and thirty for long winding ones. Where there
/// would be no end of it, some slivers stay.
const SIDES_PER_TRIANGLE: usize = 64;
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
/// others (Lawson, "Software for C1 Surface Interpolation", 1977). That ends at the constrained Delaunay triangulation.
pub(super) fn widen(vertices: &[Vec2], triangles: &mut [Triangle]) {
    let mut to_check: Vec<(usize, usize)> = triangles.iter().copied().flat_map(sides).collect();
    let owner = |(i, triangle): (usize, &Triangle)| sides(*triangle).map(|side| (side, i));
    let owners = triangles.iter().enumerate().flat_map(owner).collect();
    let mut left = SIDES_PER_TRIANGLE * triangles.len();
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

/// Whether triangles of `k`, `i`, `l` and `l`, `j`, `k` are better than those of `i`, `j`, `k` and `j`, `i`, `l`.
fn is_better([i, j, k, l]: [Vec2; 4]) -> bool {
    if !(turn(k, i, l) > 0.0 && turn(l, j, k) > 0.0) {
        return false;
    }
    let [i, j, k] = [i, j, k].map(|corner| corner.as_dvec2() - l.as_dvec2());
    let parts = [
        i.length_squared() * j.perp_dot(k),
        j.length_squared() * k.perp_dot(i),
        k.length_squared() * i.perp_dot(j),
    ];
    parts.iter().sum::<f64>() > CLEARLY * parts.iter().map(|part| part.abs()).sum::<f64>()
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
            widen(&vertices, &mut after);
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
