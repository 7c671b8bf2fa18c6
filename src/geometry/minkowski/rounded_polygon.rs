use bevy::math::{DVec2, Rot2, Vec2};

use super::{
    CastOutput, SurfacePoint,
    clip::{Clip, circle_entry},
    convex::{ConvexCore, MAX_SIDES, Side},
};
use crate::geometry::{TOUCHING_SLOP, direction_and_length, shape::RoundedCore};

/// How far corners may be off their sides' lines, as a part of their coordinates.
const CORNER_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// A convex polygon of up to `N` sides, grown by `radius` (shrunk, where it is negative).
///
/// Sides may have no length; each has a normal of its own all the same, so that points and segments need no special case.
pub(in crate::geometry) struct RoundedPolygon<const N: usize> {
    /// Corners, counter-clockwise.
    corners: [Vec2; N],
    /// The outward normal of the side that ends at the corner of the same index.
    normals: [Vec2; N],
    radius: f32,
}

impl RoundedPolygon<8> {
    /// The difference of two boxes.
    pub fn of_boxes(center: Vec2, a: &RoundedCore, b: &RoundedCore, inflation: f32) -> Self {
        let (a_half, b_half, a_rotation) = (a.half_size, b.half_size, a.rotation);
        let (ax, ay) = (a_rotation * Vec2::X, a_rotation * Vec2::Y);
        // Of the four sides of b, u is the one that faces into the quarter turn between the x and y axes of a.
        let Rot2 { cos, sin } = a_rotation.inverse() * b.rotation;
        let (local_u, half_u, half_v) = match (cos >= 0.0, sin >= 0.0) {
            (true, true) => (Vec2::new(cos, sin), b_half.x, b_half.y),
            (false, true) => (Vec2::new(sin, -cos), b_half.y, b_half.x),
            (false, false) => (Vec2::new(-cos, -sin), b_half.x, b_half.y),
            (true, false) => (Vec2::new(-sin, cos), b_half.y, b_half.x),
        };
        let bu = a_rotation * local_u;
        let (x, y, u, v) = (
            ax * a_half.x,
            ay * a_half.y,
            bu * half_u,
            bu.perp() * half_v,
        );
        // Between the normals ax, bu, ay, bv, … the corner is the sum of the corners that are extreme there.
        let quarter = [x + y + u - v, x + y + u + v, y - x + u + v, y - x - u + v];
        let normals = [ax, bu, ay, bu.perp()];
        let mirrored = |i: usize, half: &[Vec2; 4]| if i < 4 { half[i] } else { -half[i - 4] };
        Self {
            corners: std::array::from_fn(|i| center + mirrored(i, &quarter)),
            normals: std::array::from_fn(|i| mirrored(i, &normals)),
            radius: a.radius + b.radius + inflation,
        }
    }
}

impl RoundedPolygon<MAX_SIDES> {
    /// A core put at `center` and grown by `radius`, besides what it is grown by already.
    pub fn of_core(center: Vec2, core: &ConvexCore, radius: f32) -> Self {
        let last = core.sides().last().copied().unwrap_or_default();
        let side = |i: usize| core.sides().get(i).copied().unwrap_or(last);
        Self {
            corners: std::array::from_fn(|i| center + side(i).end),
            normals: std::array::from_fn(|i| side(i).normal),
            radius: core.radius + radius,
        }
    }
}

impl RoundedPolygon<{ 2 * MAX_SIDES }> {
    /// The sum of two polygons that are in order, put at `center`: the sides of both, in the order of their directions
    /// (de Berg et al., "Computational Geometry" (2008), 13.3). Where they are fewer, the last one is there several times.
    pub fn sum(center: Vec2, a: &ConvexCore, b: &ConvexCore, inflation: f32) -> Self {
        let (mut a_sides, mut b_sides) = (a.sides().iter().peekable(), b.sides().iter().peekable());
        let last = |sides: &[Side]| sides.last().copied().unwrap_or_default();
        let (mut a_side, mut b_side) = (last(a.sides()), last(b.sides()));
        let mut normal = Vec2::ZERO;
        let mut next_side = |_| {
            let a_comes_first = match (a_sides.peek(), b_sides.peek()) {
                (Some(a), Some(b)) => a.angle <= b.angle,
                (next, _) => next.is_some(),
            };
            if a_comes_first {
                a_side = a_sides.next().map_or(a_side, |side| *side);
                normal = a_side.normal;
            } else if let Some(side) = b_sides.next() {
                b_side = *side;
                normal = b_side.normal;
            }
            (center + a_side.end + b_side.end, normal)
        };
        let sides: [_; 2 * MAX_SIDES] = std::array::from_fn(&mut next_side);
        Self {
            corners: sides.map(|(corner, _)| corner),
            normals: sides.map(|(_, normal)| normal),
            radius: a.radius + b.radius + inflation,
        }
    }
}

impl<const N: usize> RoundedPolygon<N> {
    /// The side that ends at `corners[i]`.
    fn side(&self, i: usize) -> (Vec2, Vec2) {
        (self.corners[(i + N - 1) % N], self.corners[i])
    }

    /// The side that a point is furthest in front of, with the distance to its line.
    fn foremost_side(&self, point: Vec2) -> (usize, f32) {
        (0..N)
            .map(|i| (i, self.normals[i].dot(point - self.corners[i])))
            .fold((0, f32::NEG_INFINITY), |best, side| {
                if side.1 > best.1 { side } else { best }
            })
    }

    /// The outward normals of the sides, with the signed distances of the origin from their lines.
    pub fn sides(&self) -> impl Iterator<Item = (Vec2, f32)> {
        (self.normals.iter().zip(&self.corners))
            .map(|(normal, corner)| (*normal, -normal.dot(*corner) - self.radius))
    }

    /// The signed distance from a point to the surface; none, if a cheap lower bound shows that it is not below `limit`.
    #[inline]
    pub fn gap_at(&self, point: Vec2, limit: f32) -> Option<SurfacePoint> {
        let (foremost, front) = self.foremost_side(point);
        if front - self.radius >= limit {
            return None;
        }
        let side = if front > 0.0 {
            self.faced_side(point, front)
        } else {
            Some((self.normals[foremost], front))
        };
        let (normal, distance) = side
            .or_else(|| self.nearest_corner(point))
            .unwrap_or((self.normals[foremost], front));
        Some(SurfacePoint {
            distance: distance - self.radius,
            normal,
            is_edge: side.is_some(),
        })
    }

    /// The normal of the side that has the point straight in front of it, with the distance. It is exact where the gap is
    /// short: the difference to the nearest point would be rounding only.
    ///
    /// That one is the foremost side, but for rounding: where the rectangles are parallel, two sides are on one line.
    fn faced_side(&self, point: Vec2, foremost: f32) -> Option<(Vec2, f32)> {
        let extent = (self.corners.iter())
            .fold(Vec2::ZERO, |extent, corner| extent.max(corner.abs()))
            .max_element();
        let slop = TOUCHING_SLOP * extent;
        (0..N).find_map(|i| {
            let (start, end) = self.side(i);
            let normal = self.normals[i];
            let front = normal.dot(point - end);
            let along = normal.perp().dot(point - start);
            let length = normal.perp().dot(end - start);
            let is_faced = foremost - front <= slop && along >= -slop && along <= length + slop;
            is_faced.then_some((normal, front))
        })
    }

    /// The direction from the nearest corner to a point, with the distance.
    fn nearest_corner(&self, point: Vec2) -> Option<(Vec2, f32)> {
        self.corners
            .iter()
            .filter_map(|corner| direction_and_length(point - *corner))
            .min_by(|p, q| p.1.total_cmp(&q.1))
    }

    /// Clips the ray against the half-planes of the grown sides. Where it enters within a side that is the answer; else it is
    /// the earliest of all sides and corner circles.
    pub fn ray_entry(&self, ray: DVec2) -> Option<CastOutput> {
        let radius = f64::from(self.radius);
        let mut clip = Clip::default();
        for i in 0..N {
            let (normal, corner) = (self.normals[i].as_dvec2(), self.corners[i].as_dvec2());
            let front = -normal.dot(corner) - radius;
            let slack = CORNER_ROUNDING * corner.abs().max_element();
            clip.half_plane(normal, (front, slack), normal.dot(ray))?;
        }
        if self.radius > 0.0 {
            return self.rounded_entry(ray);
        }
        Some(CastOutput {
            fraction: clip.enter,
            normal: clip.normal?.as_vec2(),
            is_edge: true,
        })
    }

    fn rounded_entry(&self, ray: DVec2) -> Option<CastOutput> {
        let entry = |(fraction, normal): (f64, DVec2), is_edge| CastOutput {
            fraction,
            normal: normal.as_vec2(),
            is_edge,
        };
        let radius = f64::from(self.radius);
        let sides = (0..N).filter_map(|i| {
            let normal = self.normals[i].as_dvec2();
            let (start, end) = self.side(i);
            let (start, end) = (start.as_dvec2(), end.as_dvec2());
            let (front, speed) = (-normal.dot(end) - radius, normal.dot(ray));
            let fraction = -front / speed;
            let along = normal.perp().dot(ray * fraction - start);
            let within = front >= 0.0
                && speed < 0.0
                && fraction <= 1.0
                && along >= 0.0
                && along <= normal.perp().dot(end - start);
            within.then(|| entry((fraction, normal), true))
        });
        let corners = self
            .corners
            .iter()
            .filter_map(|corner| circle_entry(-corner.as_dvec2(), ray, radius))
            .map(|met| entry(met, false));
        (sides.chain(corners)).min_by(|p, q| p.fraction.total_cmp(&q.fraction))
    }
}
