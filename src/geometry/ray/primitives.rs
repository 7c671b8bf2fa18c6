//! Rays against circles and rectangles.

use bevy::math::{DVec2, Rot2, Vec2};

use super::{FastPath, Ray, hit_at_start};
use crate::geometry::{convex::CastOutput, vectors::rotate};

impl Ray {
    /// Casts the ray against a circle. Undecided if it starts at the surface.
    ///
    /// All terms are multiplied by the square of the direction's length, so that a miss needs no
    /// division and no root.
    #[inline]
    pub(super) fn cast_at_circle(&self, center: Vec2, radius: f32, slop: f32) -> FastPath {
        let start = self.origin.as_dvec2() - center.as_dvec2();
        let direction = self.direction.as_dvec2();
        let (radius, slop) = (f64::from(radius), f64::from(slop));
        let distance_square = start.length_squared();
        let (least, most) = (radius - slop, radius + slop);
        if least > 0.0 && distance_square < least * least {
            let normal = start.normalize_or(DVec2::Y).as_vec2();
            return FastPath::Hit(hit_at_start(normal, false));
        }
        if !(distance_square > most * most) {
            return FastPath::Undecided;
        }
        let square = direction.length_squared();
        let (closest, miss) = (-start.dot(direction), start.perp_dot(direction));
        let half_chord_square = radius * radius * square - miss * miss;
        if !(closest > 0.0 && half_chord_square > 0.0) {
            return FastPath::Miss;
        }
        let fraction = ((closest - half_chord_square.sqrt()) / square).max(0.0);
        if fraction > self.max_fraction.into() {
            return FastPath::Miss;
        }
        // From far away, rounding reduces a tiny circle to its center.
        let normal = (start + direction * fraction)
            .try_normalize()
            .unwrap_or_else(|| -direction.normalize_or_zero());
        FastPath::Hit(CastOutput {
            fraction,
            normal: normal.as_vec2(),
            is_edge: false,
        })
    }

    /// Casts the ray against a rectangle. Undecided if it starts at the surface.
    ///
    /// In the rectangle's frame, mirrored so that the ray runs up both axes, it enters where it
    /// crosses the later one of the near edges, unless it has crossed a far one before. Fractions
    /// are compared without a division.
    #[inline(always)]
    pub(super) fn cast_at_rect(
        &self,
        center: Vec2,
        half_size: Vec2,
        rotation: Rot2,
        slop: f32,
    ) -> FastPath {
        let inverse = rotation.inverse();
        let start = rotate(inverse, self.origin.as_dvec2() - center.as_dvec2());
        let direction = rotate(inverse, self.direction.as_dvec2());
        let (half_size, slop) = (half_size.as_dvec2(), f64::from(slop));
        let [x_axis, y_axis] = [
            Vec2::new(rotation.cos, rotation.sin),
            Vec2::new(-rotation.sin, rotation.cos),
        ];
        let beyond = start.abs() - half_size;
        let distance = beyond.max_element();
        if distance < -slop {
            let normal = if beyond.x > beyond.y {
                x_axis * 1f32.copysign(start.x as f32)
            } else {
                y_axis * 1f32.copysign(start.y as f32)
            };
            return FastPath::Hit(hit_at_start(normal, true));
        }
        if !(distance > slop) {
            return FastPath::Undecided;
        }
        let mirror = DVec2::ONE.copysign(direction);
        let (start, along) = (start * mirror, direction.abs());
        let (near, far) = (-half_size - start, half_size - start);
        let is_beside = |near: f64, along: f64| along == 0.0 && near >= 0.0;
        if far.min_element() <= 0.0 || is_beside(near.x, along.x) || is_beside(near.y, along.y) {
            return FastPath::Miss;
        }
        let by_x = near.x * along.y > near.y * along.x;
        let (near, far, along, across, normal) = if by_x {
            (near.x, far.y, along.x, along.y, x_axis * -mirror.x as f32)
        } else {
            (near.y, far.x, along.y, along.x, y_axis * -mirror.y as f32)
        };
        let is_hit = near * across <= far * along && near <= along * f64::from(self.max_fraction);
        if !is_hit {
            return FastPath::Miss;
        }
        FastPath::Hit(CastOutput {
            fraction: near / along,
            normal,
            is_edge: true,
        })
    }
}
