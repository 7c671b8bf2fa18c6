//! Nodes of the tree: eight boxes side by side.

use bevy::math::{Mat4, Vec2, Vec4, Vec4Swizzles};

use super::super::items::is_present;
use crate::aabb::Aabb2d;

/// The number of children of a node.
pub(super) const LANES: usize = 8;

/// A box as four lower limits: its minimum and its negated maximum. All four are compared and
/// merged in the same way.
pub(super) type Limits = Vec4;

/// The limits of an empty lane. They overlap nothing.
pub(super) const NO_LIMITS: Limits = Vec4::INFINITY;

/// The limits of a box, finite toward minus infinity; [`NO_LIMITS`] if the box is empty or NaN.
#[inline]
pub(super) fn limits(aabb: &Aabb2d) -> Limits {
    if is_present(aabb) {
        Vec4::MIN.max(Vec4::new(aabb.min.x, aabb.min.y, -aabb.max.x, -aabb.max.y))
    } else {
        NO_LIMITS
    }
}

/// The upper bounds of the limits of all boxes that overlap a box.
#[inline]
pub(super) fn overlap_bound(limits: Limits) -> Vec4 {
    -limits.zwxy()
}

/// The longer side of a box, in world units.
#[inline]
pub(super) fn extent(limits: Limits) -> f32 {
    (-limits.x - limits.z).max(-limits.y - limits.w)
}

/// Boxes side by side, to be compared all at once: each of the four limits for all lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Node([[f32; LANES]; 4]);

impl Node {
    pub const EMPTY: Self = Self([[f32::INFINITY; LANES]; 4]);

    /// A node of boxes, and the limits around them.
    #[inline]
    pub fn of(rows: &[Limits; LANES]) -> (Self, Limits) {
        let mut node = Self::EMPTY;
        let mut bounds = NO_LIMITS;
        for half in 0..2 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|lane| rows[4 * half + lane]);
            bounds = bounds.min(a.min(b).min(c.min(d)));
            let columns = Mat4::from_cols(a, b, c, d).transpose();
            for limit in 0..4 {
                columns
                    .col(limit)
                    .write_to_slice(&mut node.0[limit][4 * half..]);
            }
        }
        (node, bounds)
    }

    #[inline]
    pub fn set(&mut self, lane: usize, limits: Limits) {
        for (row, limit) in self.0.iter_mut().zip(limits.to_array()) {
            row[lane] = limit;
        }
    }

    #[inline]
    pub fn get(&self, lane: usize) -> Limits {
        let [a, b, c, d] = &self.0;
        Vec4::new(a[lane], b[lane], c[lane], d[lane])
    }

    /// One of the four limits, of half of the lanes.
    #[inline]
    pub fn half(&self, limit: usize, half: usize) -> Vec4 {
        Vec4::from_slice(&self.0[limit][4 * half..])
    }

    /// The limits around all boxes.
    pub fn bounds(&self) -> Limits {
        let least = |limit| (self.half(limit, 0)).min(self.half(limit, 1)).min_element();
        Vec4::new(least(0), least(1), least(2), least(3))
    }

    /// The lanes whose limits are within an [`overlap_bound`], as bits.
    #[inline]
    pub fn overlap_mask(&self, bound: Vec4) -> u32 {
        let bound = bound.to_array().map(Vec4::splat);
        let half = |half: usize| {
            (self.half(0, half).cmple(bound[0])
                & self.half(1, half).cmple(bound[1])
                & self.half(2, half).cmple(bound[2])
                & self.half(3, half).cmple(bound[3]))
            .bitmask()
        };
        half(0) | half(1) << 4
    }

    /// The lanes whose box does not have its center in fat bounds, as bits.
    #[inline]
    pub fn outside_mask(&self, fat_bounds: &FatBounds) -> u32 {
        let fat_bounds = fat_bounds.0.to_array().map(Vec4::splat);
        let half = |half: usize| {
            let x = self.half(0, half) - self.half(2, half);
            let y = self.half(1, half) - self.half(3, half);
            (fat_bounds[0].cmple(x)
                & fat_bounds[1].cmple(y)
                & fat_bounds[2].cmple(-x)
                & fat_bounds[3].cmple(-y))
            .bitmask()
        };
        !(half(0) | half(1) << 4) & 0xFF
    }
}

/// The bounds in which the centers of a leaf's boxes should be, as limits of doubled centers.
#[derive(Clone, Copy, Default)]
pub(super) struct FatBounds(Limits);

impl FatBounds {
    pub fn around(centers: &Aabb2d) -> Self {
        Self(2.0 * limits(centers))
    }

    /// Whether the center of a box is inside.
    pub fn contains(&self, limits: Limits) -> bool {
        let twice_center = Vec2::new(limits.x - limits.z, limits.y - limits.w);
        let [x, y] = twice_center.to_array();
        self.0.cmple(Vec4::new(x, y, -x, -y)).all()
    }
}

/// The indices of the set bits.
#[inline]
pub(super) fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

/// The box with these limits.
#[cfg(test)]
pub(super) fn aabb_of(limits: Limits) -> Aabb2d {
    Aabb2d {
        min: limits.xy(),
        max: -limits.zw(),
    }
}
