//! The edges of a convex shape relative to its center, as the Minkowski sum needs them.

use bevy::math::{Rot2, Vec2};

use super::{outline::Outline, rounded_box::RoundedBox, shape::ConvexShape};
use crate::{
    aabb::half_size,
    geometry::{placement::Placement, tolerances::PARALLEL_ANGLE},
};

/// The largest number of vertices of a convex piece of a polygon.
pub(in crate::geometry) const MAX_VERTICES: usize = 8;
/// The largest number of edges of a core. Sharp vertices add one edge each, and a convex outline
/// turns by more than a third of a whole turn at no more than two vertices.
pub(super) const MAX_EDGES: usize = MAX_VERTICES + 2;
/// Vertices where the normals of the edges have a smaller dot product than this get an extra edge
/// of zero length. Without it the tip of a needle would be where two nearly parallel lines cross,
/// which rounding moves far.
const SHARP_VERTEX_DOT: f32 = -0.5;

/// A whole turn in the measure of [`diamond_angle`].
const WHOLE_TURN: f32 = 4.0;
/// Edges whose angles differ by no more than this have one direction, except for rounding.
const SAME_DIRECTION: f32 = 8.0 * f32::EPSILON;

/// A convex shape relative to its center: a polygon grown by a radius.
pub(super) struct ConvexCore {
    /// Counter-clockwise.
    edges: [CoreEdge; MAX_EDGES],
    /// The number of edges. A circle has none.
    count: usize,
    pub radius: f32,
}

/// An edge of a polygon. It may have no length.
#[derive(Clone, Copy, Default)]
pub(super) struct CoreEdge {
    pub end: Vec2,
    /// Outward, unit length.
    pub normal: Vec2,
    /// The [`diamond_angle`] of the normal, if the core is in order.
    pub angle: f32,
}

impl ConvexCore {
    /// The core of a convex shape.
    pub fn new(shape: &ConvexShape) -> Self {
        Self::from_shape(shape, 1.0)
    }

    /// The core of a convex shape, rotated by half a turn about its center.
    pub fn mirrored(shape: &ConvexShape) -> Self {
        Self::from_shape(shape, -1.0)
    }

    pub fn edges(&self) -> &[CoreEdge] {
        &self.edges[..self.count]
    }

    /// The part of the surface that lies farthest along `direction` (unit length): the two ends of
    /// an edge, or one point twice.
    pub fn support(&self, direction: Vec2) -> [Vec2; 2] {
        let edges = self.edges();
        let is_parallel = |edge: &CoreEdge| {
            edge.normal.dot(direction) > 0.0
                && edge.normal.perp_dot(direction).abs() < PARALLEL_ANGLE
        };
        // More than one, where edges are nearly on one line.
        let parallel = (0..edges.len())
            .filter(|edge| is_parallel(&edges[*edge]))
            .flat_map(|edge| {
                [
                    edges[(edge + edges.len() - 1) % edges.len()].end,
                    edges[edge].end,
                ]
            });
        let along = |direction: Vec2| {
            move |p: &Vec2, q: &Vec2| p.dot(direction).total_cmp(&q.dot(direction))
        };
        let tangent = along(direction.perp());
        let ends = match (parallel.clone().min_by(tangent), parallel.max_by(tangent)) {
            (Some(start), Some(end)) => [start, end],
            _ => {
                let furthest = (edges.iter().map(|edge| edge.end)).max_by(along(direction));
                [furthest.unwrap_or_default(); 2]
            }
        };
        ends.map(|end| end + direction * self.radius)
    }

    /// The core of a shape, with all points multiplied by `sign`.
    fn from_shape(shape: &ConvexShape, sign: f32) -> Self {
        let mut core = Self {
            edges: [CoreEdge::default(); MAX_EDGES],
            count: 0,
            radius: 0.0,
        };
        match shape {
            ConvexShape::Polygon(outline, placement) if placement.is_flat() => {
                let half_size = half_size(&outline.bounds()) * placement.scale();
                core.add_box(half_size, placement.rotation(), sign);
            }
            ConvexShape::Polygon(outline, placement) => core.add_polygon(outline, placement, sign),
            ConvexShape::Circle { radius, .. } => core.radius = *radius,
            ConvexShape::Box(rounded) => {
                core.radius = rounded.radius;
                core.add_box(rounded.half_size, rounded.rotation, sign);
            }
        }
        core
    }

    /// Sorts the edges by ascending angle.
    pub fn in_order(mut self) -> Self {
        let edges = &mut self.edges[..self.count];
        for edge in &mut *edges {
            edge.angle = diamond_angle(edge.normal);
        }
        let least = (edges.iter().enumerate())
            .min_by(|(_, p), (_, q)| p.angle.total_cmp(&q.angle))
            .map_or(0, |(least, _)| least);
        edges.rotate_left(least);
        keep_run_together(edges);
        make_monotonic(edges);
        self
    }

    fn add_polygon(&mut self, outline: &Outline, placement: &Placement, sign: f32) {
        let (vertices, normals, center) = (outline.vertices(), outline.normals(), outline.center());
        let (count, rotation) = (vertices.len(), placement.rotation());
        for i in 0..count {
            // If mirrored, vertices come in reverse, and the edge that ended at a vertex begins
            // there.
            let (end, edge) = if placement.is_mirrored() {
                (count - 1 - i, (count - i) % count)
            } else {
                (i, i)
            };
            let normal = placement.transform_normal(normals[edge], rotation) * sign;
            let last = self.edges().last().copied();
            if let Some(last) = last {
                self.add_tip(&last, normal);
            }
            self.add_edge(
                placement.transform_vector(vertices[end] - center) * sign,
                normal,
            );
        }
        if let &[first, .., last] = self.edges() {
            self.add_tip(&last, first.normal);
        }
    }

    /// Adds an edge of zero length between two edges that meet at a sharp angle.
    fn add_tip(&mut self, before: &CoreEdge, next: Vec2) {
        if before.normal.dot(next) < SHARP_VERTEX_DOT && self.count < MAX_EDGES {
            let normal = (before.normal.perp() - next.perp()).normalize_or(before.normal.perp());
            self.add_edge(before.end, normal);
        }
    }

    fn add_box(&mut self, half_size: Vec2, rotation: Rot2, sign: f32) {
        let normals = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
        for normal in normals {
            let vertex = half_size * (normal + normal.perp());
            self.add_edge(rotation * vertex * sign, rotation * normal * sign);
        }
    }

    fn add_edge(&mut self, end: Vec2, normal: Vec2) {
        if let Some(edge) = self.edges.get_mut(self.count) {
            *edge = CoreEdge {
                end,
                normal,
                angle: 0.0,
            };
            self.count += 1;
        }
    }
}

/// Rotates the list so that it begins where a run of collinear edges does: a run that is split
/// between both ends of the list would be merged with the wrong edges of another polygon.
fn keep_run_together(edges: &mut [CoreEdge]) {
    for _ in 1..edges.len() {
        let turn = (edges[0].angle - edges[edges.len() - 1].angle).abs();
        if turn.min(WHOLE_TURN - turn) > SAME_DIRECTION {
            break;
        }
        edges.rotate_right(1);
    }
}

/// Unwraps the angles where the measure starts over. An edge that rounding turned back counts as
/// collinear with the one before.
fn make_monotonic(edges: &mut [CoreEdge]) {
    // The first may be just before the start of the measure. No vertex turns by half a turn.
    let (half_turn, mut least) = (WHOLE_TURN / 2.0, f32::NEG_INFINITY);
    for edge in edges {
        let from = least.max(0.0);
        if edge.angle - from > half_turn {
            edge.angle -= WHOLE_TURN;
        }
        least = least.max(edge.angle);
        edge.angle = least;
    }
}

/// A monotonic measure of the angle of a vector from the x axis, from 0 to 4 for a whole turn: the
/// position along a square that stands on its vertex.
fn diamond_angle(vector: Vec2) -> f32 {
    let along = vector.y / (vector.x.abs() + vector.y.abs());
    match (vector.x >= 0.0, vector.y >= 0.0) {
        (true, true) => along,
        (false, _) => 2.0 - along,
        (true, false) => 4.0 + along,
    }
}

impl ConvexShape<'_> {
    /// The vertices without the radius, relative to the center. A circle has none.
    pub fn vertices(&self) -> impl Iterator<Item = Vec2> {
        let core = ConvexCore::new(self);
        (0..core.count).map(move |i| core.edges[i].end)
    }

    /// The part of the surface that lies farthest along `direction` (unit length), relative to the
    /// center: the two ends of an edge, or one point twice.
    pub fn support(&self, direction: Vec2) -> [Vec2; 2] {
        let Some(rounded) = self.rounded_box() else {
            return ConvexCore::new(self).support(direction);
        };
        let RoundedBox {
            half_size,
            rotation,
            radius,
            ..
        } = rounded;
        let local = rotation.inverse() * direction;
        let vertex = half_size * Vec2::new(1f32.copysign(local.x), 1f32.copysign(local.y));
        let across = if local.y.abs() < PARALLEL_ANGLE {
            Vec2::new(1.0, -1.0)
        } else if local.x.abs() < PARALLEL_ANGLE {
            Vec2::new(-1.0, 1.0)
        } else {
            Vec2::ONE
        };
        [vertex, vertex * across].map(|end| rotation * end + direction * radius)
    }
}
