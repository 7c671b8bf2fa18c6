//! Triangulates what is within edges by the even-odd rule, in a sweep from left to right (Hertel
//! and Mehlhorn, "Fast Triangulation of Simple Polygons", 1983). All decisions are exact.

use std::collections::VecDeque;

use bevy::math::Vec2;

use super::{arrangement::Arrangement, delaunay::Triangle, orientation::orientation};

/// The area within some edges.
pub(super) struct Area {
    /// Every point is a vertex of them.
    pub triangles: Vec<Triangle>,
    /// Whether the area is to the left of each edge, seen from the first of its ends.
    pub is_left_inside: Vec<bool>,
}

/// The points at the left of the area between two edges, from the lower edge to the upper one.
/// From the last one that was added, the chain bends to the right both ways, so that a later point
/// sees all of it up to some point each way.
type Chain = VecDeque<usize>;

/// An edge that the sweep line crosses.
struct ActiveEdge {
    edge: usize,
    /// What is not triangulated yet above the edge, if that is inside of the area.
    above: Option<Chain>,
}

struct Sweep<'a> {
    points: &'a [Vec2],
    /// From bottom to top. The area is above every other one.
    active: Vec<ActiveEdge>,
    triangles: Vec<Triangle>,
}

/// Returns the area within some edges.
pub(super) fn area_within(Arrangement { points, edges }: &Arrangement) -> Area {
    let mut sweep = Sweep {
        points,
        active: Vec::new(),
        triangles: Vec::new(),
    };
    let mut is_left_inside = vec![false; edges.len()];
    // Edges are in order of their left ends.
    let mut starting = edges.iter().enumerate().peekable();
    for point in 0..points.len() {
        let mut starts: Vec<usize> = Vec::new();
        while let Some((edge, _)) = starting.next_if(|(_, ends)| ends[0] == point) {
            starts.push(edge);
        }
        starts.sort_by(|&p, &q| {
            let [p, q] = [p, q].map(|edge| points[edges[edge][1]]);
            0.0f64.total_cmp(&orientation(points[point], p, q))
        });
        let number = sweep.advance(edges, point, &starts);
        for (i, edge) in starts.into_iter().enumerate() {
            is_left_inside[edge] = (number + i).is_multiple_of(2);
        }
    }
    Area {
        triangles: sweep.triangles,
        is_left_inside,
    }
}

impl Sweep<'_> {
    /// Moves the sweep line to a point, at which some edges start, from bottom to top. Returns how
    /// many edges are below.
    fn advance(&mut self, edges: &[[usize; 2]], point: usize, starts: &[usize]) -> usize {
        let side = |active: &ActiveEdge| {
            let [left, right] = edges[active.edge].map(|end| self.points[end]);
            orientation(left, right, self.points[point])
        };
        let first = self.active.partition_point(|active| side(active) > 0.0);
        let count = self.active[first..].partition_point(|active| side(active) == 0.0);
        let mut ended: Vec<ActiveEdge> = self.active.drain(first..first + count).collect();
        let mut below = (first.checked_sub(1)).and_then(|last| self.active[last].above.take());
        let mut above = match ended.pop() {
            Some(last) => {
                for between in ended.into_iter().filter_map(|ended| ended.above) {
                    self.close(&between, point);
                }
                if let Some(below) = &mut below {
                    self.extend_upper_end(below, point);
                }
                last.above
                    .map(|above| self.with_extended_lower_end(above, point))
            }
            None => below.as_mut().map(|chain| self.split(chain, point)),
        };
        if starts.is_empty()
            && let (Some(below), Some(above)) = (&mut below, &above)
        {
            below.extend(above.iter().skip(1));
        }
        if let Some(last) = first.checked_sub(1) {
            self.active[last].above = below;
        }
        let started = starts.iter().enumerate().map(|(i, &edge)| ActiveEdge {
            edge,
            above: if i + 1 == starts.len() {
                above.take()
            } else {
                (first + i).is_multiple_of(2).then(|| [point].into())
            },
        });
        self.active.splice(first..first, started);
        first
    }

    /// Whether a point sees the edge between two consecutive points of a chain. If so, adds their
    /// triangle.
    fn adds_triangle(&mut self, lower: usize, upper: usize, point: usize) -> bool {
        let [p, q, r] = [lower, upper, point].map(|point| self.points[point]);
        let is_seen = orientation(p, q, r) < 0.0;
        if is_seen {
            self.triangles.push([upper, lower, point]);
        }
        is_seen
    }

    /// Adds the point at which the upper edge of a chain ends.
    fn extend_upper_end(&mut self, chain: &mut Chain, point: usize) {
        while let (Some(&upper), Some(&lower)) =
            (chain.iter().next_back(), chain.iter().nth_back(1))
            && self.adds_triangle(lower, upper, point)
        {
            chain.pop_back();
        }
        chain.push_back(point);
    }

    /// Adds the point at which the lower edge of a chain ends.
    fn with_extended_lower_end(&mut self, mut chain: Chain, point: usize) -> Chain {
        while let (Some(&lower), Some(&upper)) = (chain.front(), chain.get(1))
            && self.adds_triangle(lower, upper, point)
        {
            chain.pop_front();
        }
        chain.push_front(point);
        chain
    }

    /// Adds a point between both edges of a chain. What is above it is returned.
    fn split(&mut self, chain: &mut Chain, point: usize) -> Chain {
        // Points are numbered from left to right.
        let latest = (0..chain.len()).max_by_key(|i| chain[*i]).unwrap_or(0);
        let (mut low, mut high) = (latest, latest);
        while low > 0 && self.adds_triangle(chain[low - 1], chain[low], point) {
            low -= 1;
        }
        while high + 1 < chain.len() && self.adds_triangle(chain[high], chain[high + 1], point) {
            high += 1;
        }
        let mut upper: Chain = chain.range(high..).copied().collect();
        upper.push_front(point);
        chain.truncate(low + 1);
        chain.push_back(point);
        upper
    }

    /// Adds the point at which both edges of a chain end.
    fn close(&mut self, chain: &Chain, point: usize) {
        for (&lower, &upper) in chain.iter().zip(chain.iter().skip(1)) {
            self.adds_triangle(lower, upper, point);
        }
    }
}
