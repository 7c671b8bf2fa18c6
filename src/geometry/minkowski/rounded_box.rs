use bevy::math::{DVec2, Rot2, Vec2};

use super::{
    Entry, Gap,
    clip::{Clip, circle_entry},
    rotate,
};
use crate::geometry::{direction_and_length, shape::RoundedCore};

/// A turned box grown by `radius` (shrunk, where it is negative).
pub(in crate::geometry) struct RoundedBox {
    center: Vec2,
    half_size: Vec2,
    rotation: Rot2,
    radius: f32,
}

impl RoundedBox {
    /// A box put at `center` and grown by `radius`, besides what it is grown by already.
    #[inline]
    pub fn around(core: &RoundedCore, center: Vec2, radius: f32) -> Self {
        Self {
            center,
            half_size: core.half_size,
            rotation: core.rotation,
            radius: core.radius + radius,
        }
    }

    /// The origin in the box's own frame.
    fn local_origin(&self) -> Vec2 {
        self.to_local(Vec2::ZERO)
    }

    fn to_local(&self, point: Vec2) -> Vec2 {
        self.rotation.inverse() * (point - self.center)
    }

    /// The outward normals of the sides, with the signed distances of the origin from their lines.
    pub fn sides(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let origin = self.local_origin();
        [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y]
            .into_iter()
            .map(move |normal| {
                let reach = normal.abs().dot(self.half_size) + self.radius;
                (self.rotation * normal, normal.dot(origin) - reach)
            })
    }

    /// The signed distance from the origin to the surface; none, if a cheap lower bound shows that it is not below `limit`.
    #[inline]
    pub fn gap_below(&self, limit: f32) -> Option<Gap> {
        self.gap_at(Vec2::ZERO, limit)
    }

    /// The same from another point.
    #[inline]
    pub fn gap_at(&self, point: Vec2, limit: f32) -> Option<Gap> {
        let origin = self.to_local(point);
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
    pub fn ray_entry(&self, displacement: DVec2) -> Option<Entry> {
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
