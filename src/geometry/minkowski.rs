//! The Minkowski difference of two shapes: all displacements that bring the first one to touch the second.
//!
//! The first shape becomes a point at the origin, the second one grows by it, and both are expressed relative to the first
//! one's center, which keeps precision far from the world's origin.
//! See Lozano-Pérez, "Spatial Planning: A Configuration Space Approach" (1983), and Ericson, "Real-Time Collision Detection"
//! (2005), 5.3 and 5.5.

use bevy::math::{DVec2, Rot2, Vec2};

use super::{Shape, TOUCHING_SLOP, direction_and_length, shape::RoundedCore};

/// The Minkowski difference of two shapes, as a convex core with rounded corners.
pub(super) enum Obstacle {
    /// A circle against anything: a box grown by a radius.
    Box(RoundedBox),
    /// Two rectangles or capsules: an octagon, with rounded corners where a capsule is one of them.
    Octagon(RoundedOctagon),
}

/// How far a point is from a surface.
pub(super) struct Gap {
    /// Signed: negative inside.
    pub distance: f32,
    /// The direction in which the distance grows fastest, unit length: outward.
    pub outward: Vec2,
    /// Whether a side is nearest, not a corner.
    pub is_side: bool,
}

/// Where a ray meets a surface.
pub(super) struct Entry {
    /// The fraction of the ray, in 0..=1.
    pub time: f64,
    /// The surface's outward normal, unit length.
    pub outward: Vec2,
    /// Whether that is a side, not a corner.
    pub is_side: bool,
}

impl Obstacle {
    /// All displacements of `a` that make it overlap `b` or come nearer to it than `inflation`.
    pub fn between(a: &Shape, b: &Shape, inflation: f32) -> Self {
        let center = b.center() - a.center();
        match (a, b) {
            (Shape::Circle { radius, .. }, other) | (other, Shape::Circle { radius, .. }) => {
                Self::Box(RoundedBox::around(other, center, radius + inflation))
            }
            _ => Self::Octagon(RoundedOctagon::of_boxes(
                center,
                &a.core(),
                &b.core(),
                inflation,
            )),
        }
    }

    /// The signed distance from the origin to the surface; none, if a cheap lower bound shows that it is not below `limit`.
    pub fn gap_below(&self, limit: f32) -> Option<Gap> {
        match self {
            Self::Box(rounded) => rounded.gap_below(limit),
            Self::Octagon(rounded) => rounded.gap_below(limit),
        }
    }

    /// Where a ray from the origin, which is outside, enters.
    pub fn ray_entry(&self, displacement: DVec2) -> Option<Entry> {
        match self {
            Self::Box(rounded) => rounded.ray_entry(displacement),
            Self::Octagon(rounded) => rounded.ray_entry(displacement),
        }
    }
}

/// A turned box grown by `radius` (shrunk, where it is negative).
pub(super) struct RoundedBox {
    center: Vec2,
    half_size: Vec2,
    rotation: Rot2,
    radius: f32,
}

impl RoundedBox {
    /// A shape put at `center` and grown by `radius`.
    #[inline]
    pub fn around(shape: &Shape, center: Vec2, radius: f32) -> Self {
        let core = shape.core();
        Self {
            center,
            half_size: core.half_size,
            rotation: core.rotation,
            radius: core.radius + radius,
        }
    }

    /// The origin in the box's own frame.
    fn local_origin(&self) -> Vec2 {
        self.rotation.inverse() * -self.center
    }

    /// The signed distance from the origin to the surface; none, if a cheap lower bound shows that it is not below `limit`.
    #[inline]
    pub fn gap_below(&self, limit: f32) -> Option<Gap> {
        let origin = self.local_origin();
        let beyond = origin.abs() - self.half_size;
        if beyond.max_element() - self.radius >= limit {
            return None;
        }
        let nearest = origin.clamp(-self.half_size, self.half_size);
        let (outward, distance) = direction_and_length(origin - nearest).unwrap_or_else(|| {
            if beyond.x > beyond.y {
                (Vec2::new(1f32.copysign(origin.x), 0.0), beyond.x)
            } else {
                (Vec2::new(0.0, 1f32.copysign(origin.y)), beyond.y)
            }
        });
        Some(Gap {
            distance: distance - self.radius,
            outward: self.rotation * outward,
            is_side: !(beyond.x > 0.0 && beyond.y > 0.0),
        })
    }

    /// Clips the ray against the box grown on all sides, which is exact but for the corners; where it enters beside a side,
    /// the corner's circle decides. (Ericson 5.5.7, without the need for a capsule: beside a side only one corner is in reach.)
    fn ray_entry(&self, displacement: DVec2) -> Option<Entry> {
        let inverse = self.rotation.inverse();
        let origin = rotate(inverse, -self.center.as_dvec2());
        let ray = rotate(inverse, displacement);
        let radius = f64::from(self.radius);
        let half_size = self.half_size.as_dvec2();
        let mut clip = Clip::default();
        for normal in [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y] {
            let offset = normal.abs().dot(half_size) + radius;
            clip.half_plane(normal, normal.dot(origin) - offset, normal.dot(ray))?;
        }
        let at_entry = origin + ray * clip.enter;
        let beyond = at_entry.abs() - half_size;
        let is_side = !(self.radius > 0.0 && beyond.min_element() > 0.0);
        let (time, outward) = if !is_side {
            let corner =
                half_size * DVec2::new(1f64.copysign(at_entry.x), 1f64.copysign(at_entry.y));
            circle_entry(origin - corner, ray, radius)?
        } else {
            (clip.enter, clip.normal?)
        };
        Some(Entry {
            time,
            outward: self.rotation * outward.as_vec2(),
            is_side,
        })
    }
}

const OCTAGON: usize = 8;

/// The difference of two boxes, grown by `radius` (shrunk, where it is negative).
///
/// Sides may have no length; each has a normal of its own all the same, so that points and segments need no special case.
pub(super) struct RoundedOctagon {
    /// Corners, counter-clockwise.
    corners: [Vec2; OCTAGON],
    /// The outward normal of the side that ends at the corner of the same index.
    normals: [Vec2; OCTAGON],
    radius: f32,
}

impl RoundedOctagon {
    fn of_boxes(center: Vec2, a: &RoundedCore, b: &RoundedCore, inflation: f32) -> Self {
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

    /// The side that ends at `corners[i]`.
    fn side(&self, i: usize) -> (Vec2, Vec2) {
        (self.corners[(i + OCTAGON - 1) % OCTAGON], self.corners[i])
    }

    /// The side that the origin is furthest in front of, with the distance to its line.
    fn foremost_side(&self) -> (usize, f32) {
        (0..OCTAGON)
            .map(|i| (i, -self.normals[i].dot(self.corners[i])))
            .fold((0, f32::NEG_INFINITY), |best, side| {
                if side.1 > best.1 { side } else { best }
            })
    }

    fn gap_below(&self, limit: f32) -> Option<Gap> {
        let (foremost, front) = self.foremost_side();
        if front - self.radius >= limit {
            return None;
        }
        let side = if front > 0.0 {
            self.faced_side(front)
        } else {
            Some((self.normals[foremost], front))
        };
        let (outward, distance) = side
            .or_else(|| self.nearest_corner())
            .unwrap_or((self.normals[foremost], front));
        Some(Gap {
            distance: distance - self.radius,
            outward,
            is_side: side.is_some(),
        })
    }

    /// The normal of the side that has the origin straight in front of it, with the distance. It is exact where the gap is
    /// short: the difference to the nearest point would be rounding only.
    ///
    /// That one is the foremost side, but for rounding: where the rectangles are parallel, two sides are on one line.
    fn faced_side(&self, foremost: f32) -> Option<(Vec2, f32)> {
        let extent = (self.corners.iter())
            .fold(Vec2::ZERO, |extent, corner| extent.max(corner.abs()))
            .max_element();
        let slop = TOUCHING_SLOP * extent;
        (0..OCTAGON).find_map(|i| {
            let (start, end) = self.side(i);
            let normal = self.normals[i];
            let front = -normal.dot(end);
            let along = -normal.perp().dot(start);
            let length = normal.perp().dot(end - start);
            let is_faced = foremost - front <= slop && along >= -slop && along <= length + slop;
            is_faced.then_some((normal, front))
        })
    }

    /// The direction from the nearest corner to the origin, with the distance.
    fn nearest_corner(&self) -> Option<(Vec2, f32)> {
        self.corners
            .iter()
            .filter_map(|corner| direction_and_length(-*corner))
            .min_by(|p, q| p.1.total_cmp(&q.1))
    }

    /// Clips the ray against the half-planes of the grown sides. Where it enters within a side that is the answer; else it is
    /// the earliest of all sides and corner circles.
    fn ray_entry(&self, ray: DVec2) -> Option<Entry> {
        let radius = f64::from(self.radius);
        let mut clip = Clip::default();
        for i in 0..OCTAGON {
            let normal = self.normals[i].as_dvec2();
            let front = -normal.dot(self.corners[i].as_dvec2()) - radius;
            clip.half_plane(normal, front, normal.dot(ray))?;
        }
        if self.radius > 0.0 {
            return self.rounded_entry(ray);
        }
        Some(Entry {
            time: clip.enter,
            outward: clip.normal?.as_vec2(),
            is_side: true,
        })
    }

    fn rounded_entry(&self, ray: DVec2) -> Option<Entry> {
        let entry = |(time, outward): (f64, DVec2), is_side| Entry {
            time,
            outward: outward.as_vec2(),
            is_side,
        };
        let radius = f64::from(self.radius);
        let sides = (0..OCTAGON).filter_map(|i| {
            let normal = self.normals[i].as_dvec2();
            let (start, end) = self.side(i);
            let (start, end) = (start.as_dvec2(), end.as_dvec2());
            let (front, speed) = (-normal.dot(end) - radius, normal.dot(ray));
            let time = -front / speed;
            let along = normal.perp().dot(ray * time - start);
            let within = front >= 0.0
                && speed < 0.0
                && time <= 1.0
                && along >= 0.0
                && along <= normal.perp().dot(end - start);
            within.then(|| entry((time, normal), true))
        });
        let corners = self
            .corners
            .iter()
            .filter_map(|corner| circle_entry(-corner.as_dvec2(), ray, radius))
            .map(|met| entry(met, false));
        (sides.chain(corners)).min_by(|p, q| p.time.total_cmp(&q.time))
    }
}

/// Clips a ray against half-planes (Cyrus and Beck 1978).
struct Clip {
    enter: f64,
    exit: f64,
    /// The normal of the half-plane that was entered last, if the ray began outside of one.
    normal: Option<DVec2>,
}

impl Default for Clip {
    fn default() -> Self {
        Self {
            enter: 0.0,
            exit: 1.0,
            normal: None,
        }
    }
}

impl Clip {
    /// Keeps the part of the ray behind a plane that the ray's start is `front` in front of; none, if nothing is left.
    fn half_plane(&mut self, normal: DVec2, front: f64, speed: f64) -> Option<()> {
        if speed < 0.0 {
            let time = -front / speed;
            if front >= 0.0 && time >= self.enter {
                (self.enter, self.normal) = (time, Some(normal));
            }
        } else if front >= 0.0 {
            return None;
        } else if speed > 0.0 {
            self.exit = self.exit.min(-front / speed);
        }
        (self.enter <= self.exit).then_some(())
    }
}

/// Where a ray that starts at `start`, seen from a circle's center, enters the circle.
///
/// The distance of the line from the center is measured directly, which loses no digits to a start far away
/// (Haines, Günther and Akenine-Möller, "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, 2019).
fn circle_entry(start: DVec2, ray: DVec2, radius: f64) -> Option<(f64, DVec2)> {
    let length_squared = ray.length_squared();
    let closest = -start.dot(ray) / length_squared;
    let miss = start + ray * closest;
    let half_chord_squared = radius * radius - miss.length_squared();
    if !(closest > 0.0 && half_chord_squared > 0.0) {
        return None;
    }
    let time = (closest - (half_chord_squared / length_squared).sqrt()).max(0.0);
    let outward = (start + ray * time).try_normalize()?;
    (time <= 1.0).then_some((time, outward))
}

pub(super) fn rotate(rotation: Rot2, vector: DVec2) -> DVec2 {
    let (sin, cos) = (f64::from(rotation.sin), f64::from(rotation.cos));
    DVec2::new(
        vector.x * cos - vector.y * sin,
        vector.x * sin + vector.y * cos,
    )
}
