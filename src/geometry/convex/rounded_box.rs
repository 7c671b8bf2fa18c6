//! A rectangle with a radius: its distance from a point, and rays against it.

use bevy::math::{DVec2, Rot2, Vec2, Vec2Swizzles};

use super::{
    clip::circle_entry,
    output::{CastOutput, SurfacePoint},
};
use crate::geometry::vectors::{direction_and_length, rotate};

/// A rotated box grown by `radius` (shrunk, where it is negative).
#[derive(Clone, Copy)]
pub(in crate::geometry) struct RoundedBox {
    pub center: Vec2,
    pub half_size: Vec2,
    pub rotation: Rot2,
    pub radius: f32,
}

impl RoundedBox {
    /// The box moved to `center` and grown by another `radius` (world units).
    #[inline]
    pub fn inflated_at(&self, center: Vec2, radius: f32) -> Self {
        Self {
            center,
            radius: self.radius + radius,
            ..*self
        }
    }

    /// The origin in the box's own frame.
    fn local_origin(&self) -> Vec2 {
        self.rotation.inverse() * self.origin_from_center()
    }

    /// The origin relative to the center. No coordinate is a negative zero: of two equally near
    /// edges, the sign decides.
    fn origin_from_center(&self) -> Vec2 {
        Vec2::ZERO - self.center
    }

    /// Returns the surface point that is nearest to the origin, or `None` if a cheap lower bound
    /// shows that its distance is not below `limit`.
    #[inline]
    pub fn surface_point(&self, limit: f32) -> Option<SurfacePoint> {
        if self.is_disk() {
            return self.surface_point_of_disk(limit);
        }
        let origin = self.local_origin();
        let beyond = origin.abs() - self.half_size;
        if beyond.max_element() - self.radius >= limit {
            return None;
        }
        let nearest = origin.clamp(-self.half_size, self.half_size);
        let (normal, distance) = direction_and_length(origin - nearest).unwrap_or_else(|| {
            if beyond.x > beyond.y {
                (Vec2::new(1f32.copysign(origin.x), 0.0), beyond.x)
            } else {
                (Vec2::new(0.0, 1f32.copysign(origin.y)), beyond.y)
            }
        });
        Some(SurfacePoint {
            distance: distance - self.radius,
            normal: self.rotation * normal,
            is_edge: !(beyond.x > 0.0 && beyond.y > 0.0),
        })
    }

    /// Whether the box is a circle: a point with a radius.
    #[inline]
    fn is_disk(&self) -> bool {
        self.half_size == Vec2::ZERO
    }

    #[inline]
    fn surface_point_of_disk(&self, limit: f32) -> Option<SurfacePoint> {
        let from_center = self.origin_from_center();
        // At the center; or NaN, which the length preserves.
        let (normal, length) =
            direction_and_length(from_center).unwrap_or((Vec2::Y, from_center.length()));
        let distance = length - self.radius;
        (distance < limit).then_some(SurfacePoint {
            distance,
            normal,
            is_edge: false,
        })
    }

    /// Casts a ray from the origin.
    ///
    /// The box grown on all sides is exact except at its corners; where the ray enters beside an
    /// edge, the circle around the vertex decides. (Ericson 5.5.7, without the need for a capsule:
    /// beside an edge only one vertex is within the radius.)
    ///
    /// In the box's frame, mirrored so that the ray runs up both axes, it enters where it crosses
    /// the later one of the near edges.
    pub fn cast_ray(&self, displacement: DVec2) -> Option<CastOutput> {
        if self.is_disk() && self.radius > 0.0 {
            let center = self.center.as_dvec2();
            let (fraction, normal) = circle_entry(-center, displacement, self.radius.into())?;
            return Some(CastOutput {
                fraction,
                normal: normal.as_vec2(),
                is_edge: false,
            });
        }
        let inverse = self.rotation.inverse();
        let ray = rotate(inverse, displacement);
        let mirror = DVec2::ONE.copysign(ray);
        let (start, along) = (rotate(inverse, -self.center.as_dvec2()) * mirror, ray.abs());
        let (radius, half_size) = (f64::from(self.radius), self.half_size.as_dvec2());
        let (near, far) = (-half_size - radius - start, half_size + radius - start);
        let is_beside = |near: f64, along: f64| along == 0.0 && near >= 0.0;
        if far.min_element() <= 0.0 || is_beside(near.x, along.x) || is_beside(near.y, along.y) {
            return None;
        }
        let (near, [own_far, other_far], [speed, other_speed], edge_normal) =
            if near.x * along.y > near.y * along.x {
                (near.x, far.to_array(), along.to_array(), DVec2::NEG_X)
            } else {
                (
                    near.y,
                    far.yx().to_array(),
                    along.yx().to_array(),
                    DVec2::NEG_Y,
                )
            };
        let enter = if near >= 0.0 { near / speed } else { 0.0 };
        // Without thickness both edges are one line: rounding must not decide which is hit first.
        if !(enter <= 1.0 && near <= own_far && enter * other_speed <= other_far) {
            return None;
        }
        let at_entry = start + along * enter;
        let is_edge = !(radius > 0.0 && (at_entry.abs() - half_size).min_element() > 0.0);
        let (fraction, normal) = if is_edge {
            (enter, (near >= 0.0).then_some(edge_normal)?)
        } else {
            circle_entry(start - half_size.copysign(at_entry), along, radius)?
        };
        Some(CastOutput {
            fraction,
            normal: self.rotation * (normal * mirror).as_vec2(),
            is_edge,
        })
    }
}
