//! A convex polygon with a radius: its distance from a point, and rays against it.

use bevy::math::{DVec2, Rot2, Vec2};

use super::{
    clip::{Clip, circle_entry},
    core::{ConvexCore, CoreEdge, MAX_EDGES},
    output::{CastOutput, SurfacePoint},
    rounded_box::RoundedBox,
};
use crate::geometry::{tolerances::TOUCHING_SLOP, vectors::direction_and_length};

/// How far vertices may be off the lines of their edges, as a fraction of their coordinates.
const VERTEX_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The largest number of edges of a sum.
const CAPACITY: usize = 2 * MAX_EDGES;

/// A convex polygon grown by `radius` (shrunk, where it is negative).
///
/// Edges may have zero length, but all have a normal, so that points and segments are no exception.
pub(in crate::geometry) struct RoundedPolygon {
    center: Vec2,
    /// Counter-clockwise, relative to the center: far from the origin, sums of the two would be
    /// rounded off the lines of the edges.
    vertices: [Vec2; CAPACITY],
    /// The outward normal of the edge that ends at the vertex of the same index.
    normals: [Vec2; CAPACITY],
    /// The number of edges.
    count: usize,
    radius: f32,
}

impl RoundedPolygon {
    /// A polygon without edges.
    fn at(center: Vec2, radius: f32) -> Self {
        Self {
            center,
            vertices: [Vec2::ZERO; CAPACITY],
            normals: [Vec2::ZERO; CAPACITY],
            count: 0,
            radius,
        }
    }

    #[inline]
    fn add_edge(&mut self, end: Vec2, normal: Vec2) {
        self.vertices[self.count] = end;
        self.normals[self.count] = normal;
        self.count += 1;
    }

    #[inline]
    fn vertices(&self) -> &[Vec2] {
        &self.vertices[..self.count]
    }

    #[inline]
    fn normals(&self) -> &[Vec2] {
        &self.normals[..self.count]
    }

    /// The Minkowski sum of two boxes, placed at `center`.
    pub fn sum_of_boxes(center: Vec2, a: &RoundedBox, b: &RoundedBox, inflation: f32) -> Self {
        let (a_half, b_half, a_rotation) = (a.half_size, b.half_size, a.rotation);
        let (ax, ay) = (a_rotation * Vec2::X, a_rotation * Vec2::Y);
        // Of the four edges of b, u is the one that faces into the quarter turn between the x and y
        // axes of a. Its normal is an axis of b itself: multiplying it by both rotations would add
        // up their errors in length.
        let (bx, by) = (b.rotation * Vec2::X, b.rotation * Vec2::Y);
        let Rot2 { cos, sin } = a_rotation.inverse() * b.rotation;
        let (bu, half_u, half_v) = match (cos >= 0.0, sin >= 0.0) {
            (true, true) => (bx, b_half.x, b_half.y),
            (false, true) => (-by, b_half.y, b_half.x),
            (false, false) => (-bx, b_half.x, b_half.y),
            (true, false) => (by, b_half.y, b_half.x),
        };
        let (x, y, u, v) = (
            ax * a_half.x,
            ay * a_half.y,
            bu * half_u,
            bu.perp() * half_v,
        );
        // Between the normals ax, bu, ay, bv, … the vertex is the sum of the vertices that are
        // extreme there.
        let quarter = [x + y + u - v, x + y + u + v, y - x + u + v, y - x - u + v];
        let normals = [ax, bu, ay, bu.perp()];
        let mut sum = Self::at(center, a.radius + b.radius + inflation);
        for sign in [1.0, -1.0] {
            for (vertex, normal) in quarter.into_iter().zip(normals) {
                sum.add_edge(vertex * sign, normal * sign);
            }
        }
        sum
    }

    /// A core placed at `center` and grown by `radius` besides its own radius.
    pub(super) fn inflated_core(center: Vec2, core: &ConvexCore, radius: f32) -> Self {
        let mut inflated = Self::at(center, core.radius + radius);
        for edge in core.edges() {
            inflated.add_edge(edge.end, edge.normal);
        }
        inflated
    }

    /// The Minkowski sum of two polygons that are in order, placed at `center`: the edges of both,
    /// merged by angle (de Berg et al., "Computational Geometry" (2008), 13.3).
    pub(super) fn sum(center: Vec2, a: &ConvexCore, b: &ConvexCore, inflation: f32) -> Self {
        let (mut a_edges, mut b_edges) = (a.edges().iter().peekable(), b.edges().iter().peekable());
        let last = |edges: &[CoreEdge]| edges.last().copied().unwrap_or_default();
        let (mut a_end, mut b_end) = (last(a.edges()).end, last(b.edges()).end);
        let mut sum = Self::at(center, a.radius + b.radius + inflation);
        loop {
            let a_comes_first = match (a_edges.peek(), b_edges.peek()) {
                (Some(a), Some(b)) => a.angle <= b.angle,
                (next, _) => next.is_some(),
            };
            let (edges, end) = if a_comes_first {
                (&mut a_edges, &mut a_end)
            } else {
                (&mut b_edges, &mut b_end)
            };
            let Some(edge) = edges.next() else {
                return sum;
            };
            *end = edge.end;
            sum.add_edge(a_end + b_end, edge.normal);
        }
    }

    /// The edges: the start and the end of each, and its normal.
    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2, Vec2)> {
        let mut start = self.vertices().last().copied().unwrap_or_default();
        let ends = self.vertices().iter().zip(self.normals());
        ends.map(move |(&end, &normal)| (std::mem::replace(&mut start, end), end, normal))
    }

    /// The edge that `point` (relative to the center) is farthest in front of, with the distance to
    /// its line in world units.
    fn foremost_edge(&self, point: Vec2) -> (usize, f32) {
        (0..self.count)
            .map(|i| (i, self.normals[i].dot(point - self.vertices[i])))
            .fold((0, f32::NEG_INFINITY), |best, edge| {
                if edge.1 > best.1 { edge } else { best }
            })
    }

    /// Returns the surface point that is nearest to the origin, or `None` if a cheap lower bound
    /// shows that its distance is not below `limit`.
    #[inline]
    pub fn surface_point(&self, limit: f32) -> Option<SurfacePoint> {
        let point = Vec2::ZERO - self.center;
        let (foremost, front) = self.foremost_edge(point);
        if front - self.radius >= limit {
            return None;
        }
        let edge = if front > 0.0 {
            self.faced_edge(point, front)
        } else {
            Some((self.normals[foremost], front))
        };
        let (normal, distance) = edge
            .or_else(|| self.nearest_vertex(point))
            .unwrap_or((self.normals[foremost], front));
        Some(SurfacePoint {
            distance: distance - self.radius,
            normal,
            is_edge: edge.is_some(),
        })
    }

    /// The normal of the edge that has `point` straight in front of it, with the distance. It is
    /// exact where the distance is short and the difference to the nearest point is mere rounding.
    ///
    /// Except for rounding, the point is in front of at most one edge: where rectangles are
    /// parallel, two edges are on one line. It may be farther in front of the line of a short edge
    /// nearby, whose direction is rounded more.
    fn faced_edge(&self, point: Vec2, foremost: f32) -> Option<(Vec2, f32)> {
        let extent = (self.vertices().iter())
            .fold(point.abs(), |extent, vertex| extent.max(vertex.abs()))
            .max_element();
        let slop = TOUCHING_SLOP * extent;
        self.edges()
            .filter_map(|(start, end, normal)| {
                let front = normal.dot(point - end);
                let along = normal.perp().dot(point - start);
                let length = normal.perp().dot(end - start);
                let is_within = |slop: f32| along >= -slop && along <= length + slop;
                let is_faced = is_within(slop) && foremost - front <= slop;
                (is_faced || front > 0.0 && is_within(0.0)).then_some((normal, front))
            })
            .reduce(|best, edge| if edge.1 > best.1 { edge } else { best })
    }

    /// The direction from the nearest vertex to `point`, with the distance.
    fn nearest_vertex(&self, point: Vec2) -> Option<(Vec2, f32)> {
        self.vertices()
            .iter()
            .filter_map(|vertex| direction_and_length(point - *vertex))
            .min_by(|p, q| p.1.total_cmp(&q.1))
    }

    /// Casts a ray from the origin: clips it against the half-planes of the grown edges. With a
    /// radius, the output is the earliest of all edges and circles around vertices.
    pub fn cast_ray(&self, ray: DVec2) -> Option<CastOutput> {
        let (origin, radius) = (-self.center.as_dvec2(), f64::from(self.radius));
        let mut clip = Clip::default();
        for (normal, vertex) in self.normals().iter().zip(self.vertices()) {
            let (normal, vertex) = (normal.as_dvec2(), vertex.as_dvec2());
            let front = normal.dot(origin - vertex) - radius;
            let slack = VERTEX_ROUNDING * vertex.abs().max_element();
            clip.half_plane(normal, front, slack, normal.dot(ray))?;
        }
        if self.radius > 0.0 {
            return self.cast_at_edges_and_vertices(origin, ray);
        }
        Some(CastOutput {
            fraction: clip.enter,
            normal: clip.normal?.as_vec2(),
            is_edge: !clip.is_vertex,
        })
    }

    /// Like [`cast_ray`](Self::cast_ray), from `origin` relative to the center, with a radius.
    ///
    /// Edges run from vertex to vertex. If they followed their rounded normals, an edge would not
    /// start where the circle around its vertex ends, and a ray could slip in.
    fn cast_at_edges_and_vertices(&self, origin: DVec2, ray: DVec2) -> Option<CastOutput> {
        let entry = |(fraction, normal): (f64, DVec2), is_edge| CastOutput {
            fraction,
            normal: normal.as_vec2(),
            is_edge,
        };
        let radius = f64::from(self.radius);
        let edges = self.edges().filter_map(|(start, end, edge_normal)| {
            let [start, end, edge_normal] = [start, end, edge_normal].map(|v| v.as_dvec2());
            let outward = -(end - start).perp();
            if outward.dot(ray) > 0.0 {
                return None;
            }
            let normal = (outward.try_normalize()).unwrap_or(edge_normal);
            let (front, speed) = (normal.dot(origin - end) - radius, normal.dot(ray));
            let fraction = -front / speed;
            let along = normal.perp().dot(origin + ray * fraction - start);
            let within = front >= 0.0
                && speed < 0.0
                && fraction <= 1.0
                && along >= 0.0
                && along <= normal.perp().dot(end - start);
            within.then(|| entry((fraction, edge_normal), true))
        });
        let vertices = self
            .vertices()
            .iter()
            .filter_map(|vertex| circle_entry(origin - vertex.as_dvec2(), ray, radius))
            .map(|hit| entry(hit, false));
        (edges.chain(vertices)).min_by(|p, q| p.fraction.total_cmp(&q.fraction))
    }
}
