//! The rings around an area, from the edges around it.

use bevy::math::Vec2;

use super::{arrangement::Arrangement, bvh::StaticBvh, orientation::orientation};
use crate::{aabb::Aabb2d, geometry::vectors::bounding_box};

/// What a connected part of an area is surrounded by.
pub(super) struct Region {
    /// By the indices of their points, with the area to the left: the ring around it first, then
    /// those around its holes. A ring may come to a point again, but has no point with another one
    /// in common.
    pub rings: Vec<Vec<usize>>,
}

/// An edge from a point to a neighbor.
#[derive(Clone, Copy)]
struct Spoke {
    neighbor: usize,
    /// The index of the edge.
    edge: usize,
}

/// The edges around an area, from either end.
struct Graph<'a> {
    points: &'a [Vec2],
    edges: &'a [[usize; 2]],
    boxes: StaticBvh,
    /// The edges at each point, counter-clockwise, beginning at the negative x axis. What is
    /// between them is inside and outside of the area by turns.
    spokes: Vec<Vec<Spoke>>,
    /// Whether the area is to the left of each edge, seen from the first of its ends.
    is_left_inside: Vec<bool>,
}

/// Returns the regions of the area within some edges.
pub(super) fn regions(arrangement: &Arrangement) -> Vec<Region> {
    let mut graph = Graph::new(arrangement);
    graph.find_inside();
    let rings = graph.rings();
    let mut ring_of_edge = vec![0; graph.edges.len()];
    for (ring, spokes) in rings.iter().enumerate() {
        (spokes.iter()).for_each(|spoke| ring_of_edge[spoke.edge] = ring);
    }
    let mut regions: Vec<Region> = Vec::new();
    // Of each ring. Those further left come first.
    let mut region_of_ring: Vec<usize> = Vec::new();
    for ring in rings {
        let indices: Vec<usize> = ring.iter().map(|spoke| spoke.neighbor).collect();
        // A hole is in the same region as the edge to its left.
        let surrounding = (is_clockwise(graph.points, &indices))
            .then(|| graph.edge_left_of(leftmost(&indices)))
            .flatten()
            .and_then(|edge| region_of_ring.get(ring_of_edge[edge]).copied());
        let region = surrounding.unwrap_or(regions.len());
        region_of_ring.push(region);
        match regions.get_mut(region) {
            Some(Region { rings }) => rings.push(indices),
            None => regions.push(Region {
                rings: vec![indices],
            }),
        }
    }
    regions
}

/// Returns the rings of all regions without repeated points: those in which a ring comes to a point
/// again are split there. Each begins at its leftmost point, and the rings are in order of these.
pub(super) fn simple_rings(regions: &[Region]) -> Vec<Vec<usize>> {
    let mut simple: Vec<Vec<usize>> = Vec::new();
    for ring in regions.iter().flat_map(|region| &region.rings) {
        let mut chain: Vec<usize> = Vec::new();
        for &point in ring {
            if let Some(start) = chain.iter().position(|&earlier| earlier == point) {
                simple.push(chain.split_off(start));
            }
            chain.push(point);
        }
        simple.push(chain);
    }
    for ring in &mut simple {
        let first = (ring.iter().enumerate()).min_by_key(|(_, point)| **point);
        let first = first.map_or(0, |(index, _)| index);
        ring.rotate_left(first);
    }
    simple.sort_unstable();
    simple
}

/// The leftmost point of a ring, the lowest of several: points are numbered in that order.
fn leftmost(ring: &[usize]) -> usize {
    ring.iter().copied().min().unwrap_or_default()
}

/// Whether a ring runs clockwise: whether it turns right at its leftmost point, at least once if it
/// comes there several times.
fn is_clockwise(points: &[Vec2], ring: &[usize]) -> bool {
    let (count, leftmost) = (ring.len(), leftmost(ring));
    (0..count).any(|i| {
        let [before, at, after] = [i + count - 1, i, i + 1].map(|i| ring[i % count]);
        at == leftmost && orientation(points[before], points[at], points[after]) < 0.0
    })
}

impl<'a> Graph<'a> {
    fn new(Arrangement { points, edges }: &'a Arrangement) -> Self {
        let mut spokes = vec![Vec::new(); points.len()];
        for (edge, &[a, b]) in edges.iter().enumerate() {
            spokes[a].push(Spoke { neighbor: b, edge });
            spokes[b].push(Spoke { neighbor: a, edge });
        }
        for (center, spokes) in points.iter().zip(&mut spokes) {
            let is_upper =
                |point: Vec2| point.y > center.y || (point.y == center.y && point.x < center.x);
            spokes.sort_by(|p: &Spoke, q: &Spoke| {
                let [p, q] = [p, q].map(|spoke| points[spoke.neighbor]);
                let by_angle = || 0.0f64.total_cmp(&orientation(*center, p, q));
                is_upper(p).cmp(&is_upper(q)).then_with(by_angle)
            });
        }
        let aabb = |edge: &[usize; 2]| bounding_box(edge.iter().map(|end| points[*end]));
        Self {
            points,
            edges,
            boxes: StaticBvh::new(edges.iter().map(aabb)),
            spokes,
            is_left_inside: vec![false; edges.len()],
        }
    }

    /// Finds on which side of each edge the area is. Goes from left to right, so that the edge to
    /// the left of what is not connected with known edges is known.
    fn find_inside(&mut self) {
        let mut is_known = vec![false; self.points.len()];
        let mut to_visit = Vec::new();
        for first in 0..self.points.len() {
            if is_known[first] || self.spokes[first].is_empty() {
                continue;
            }
            let is_surrounded = self.edge_left_of(first).is_some_and(|edge| {
                let [a, b] = self.edges[edge].map(|end| self.points[end]);
                // The area is to the right of the edge, seen from its lower end.
                self.is_left_inside[edge] != (a.y < b.y)
            });
            is_known[first] = true;
            // The first point of all that are connected has no edge to its left.
            self.set_inside(first, 0, !is_surrounded);
            to_visit.push(first);
            while let Some(point) = to_visit.pop() {
                for number in 0..self.spokes[point].len() {
                    let Spoke { neighbor, edge } = self.spokes[point][number];
                    if !is_known[neighbor] {
                        is_known[neighbor] = true;
                        let is_left_inside = self.is_left_inside_from(neighbor, edge);
                        let back = self.number_of(neighbor, edge);
                        self.set_inside(neighbor, back, is_left_inside);
                        to_visit.push(neighbor);
                    }
                }
            }
        }
    }

    /// Sets on which side of the edges at a point the area is, given whether it is to the left of
    /// one of them.
    fn set_inside(&mut self, point: usize, number: usize, is_left_inside: bool) {
        for (other, spoke) in self.spokes[point].iter().enumerate() {
            let is_left_inside = is_left_inside == (other + number).is_multiple_of(2);
            let is_from_first = self.edges[spoke.edge][0] == point;
            self.is_left_inside[spoke.edge] = is_left_inside == is_from_first;
        }
    }

    /// Whether the area is to the left of an edge, seen from one of its ends.
    fn is_left_inside_from(&self, end: usize, edge: usize) -> bool {
        self.is_left_inside[edge] == (self.edges[edge][0] == end)
    }

    /// Which of the edges at a point this one is.
    fn number_of(&self, point: usize, edge: usize) -> usize {
        let mut spokes = self.spokes[point].iter();
        spokes.position(|spoke| spoke.edge == edge).unwrap_or(0)
    }

    /// Returns the edge that a ray from next to a point to the left first hits. The ray is above
    /// the point by less than any distance.
    fn edge_left_of(&self, point: usize) -> Option<usize> {
        let point = self.points[point];
        let may_be_hit =
            |aabb: &Aabb2d| aabb.min.y <= point.y && point.y <= aabb.max.y && aabb.min.x <= point.x;
        let mut nearest: Option<(usize, [Vec2; 2])> = None;
        for edge in self.boxes.find(may_be_hit) {
            let [low, high] = self.upward(edge);
            let is_hit = low.y <= point.y && point.y < high.y;
            if is_hit
                && orientation(low, high, point) < 0.0
                && nearest.is_none_or(|(_, nearest)| is_right_of([low, high], nearest))
            {
                nearest = Some((edge, [low, high]));
            }
        }
        nearest.map(|(edge, _)| edge)
    }

    /// The ends of an edge, the lower one first.
    fn upward(&self, edge: usize) -> [Vec2; 2] {
        let [a, b] = self.edges[edge].map(|end| self.points[end]);
        if a.y < b.y { [a, b] } else { [b, a] }
    }

    /// Returns the rings along the edges with the area to the left, by the edge to each point, the
    /// rings further left first. At a point with several edges, a ring goes around the area.
    fn rings(&self) -> Vec<Vec<Spoke>> {
        let mut is_used = vec![false; self.edges.len()];
        let mut rings = Vec::new();
        for start in 0..self.points.len() {
            for number in 0..self.spokes[start].len() {
                let (mut at, mut number) = (start, number);
                let mut ring = Vec::new();
                loop {
                    let spoke = self.spokes[at][number];
                    if is_used[spoke.edge] || !self.is_left_inside_from(at, spoke.edge) {
                        break;
                    }
                    is_used[spoke.edge] = true;
                    ring.push(spoke);
                    at = spoke.neighbor;
                    let count = self.spokes[at].len();
                    number = (self.number_of(at, spoke.edge) + count - 1) % count;
                }
                if !ring.is_empty() {
                    rings.push(ring);
                }
            }
        }
        rings
    }
}

/// Whether one of two edges that do not cross, and that a horizontal line crosses, is to the right
/// of the other one there. Both are given by the lower end first.
fn is_right_of(edge: [Vec2; 2], other: [Vec2; 2]) -> bool {
    let side = |[low, high]: [Vec2; 2], of: [Vec2; 2]| {
        let sides = of.map(|end| orientation(low, high, end));
        if sides[0] == 0.0 { sides[1] } else { sides[0] }
    };
    if edge[0].y >= other[0].y {
        side(other, edge) < 0.0
    } else {
        side(edge, other) > 0.0
    }
}
