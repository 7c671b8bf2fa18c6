//! Boxes along a Hilbert curve, by size classes: neighbors on it are neighbors in the plane.

use bevy::math::Vec2;

use super::super::items::is_present;
use crate::aabb::Aabb2d;

/// Bits of a Hilbert index for each axis. The size class is above them.
const AXIS_BITS: u32 = 28;
/// Boxes beyond this coordinate share the outermost cells, instead of making the curve coarser.
const MAX_COORDINATE: f32 = 1e7;

/// A curve over a square around the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct HilbertCurve {
    /// Cells per world unit.
    resolution: f32,
    /// The extent of the largest boxes of the smallest class, in world units. Each further class
    /// is 8 times larger.
    small: f32,
    /// The number of boxes that the curve was fitted to.
    count: usize,
}

impl HilbertCurve {
    /// A curve with the resolution for these boxes.
    pub fn fitted_to(boxes: impl Iterator<Item = Aabb2d>) -> Self {
        let (mut max_coordinate, mut exponents, mut count) = (1.0f32, 0i64, 0);
        for aabb in boxes.filter(is_present) {
            max_coordinate =
                max_coordinate.max(center(&aabb).abs().max_element().min(MAX_COORDINATE));
            exponents += i64::from(exponent(extent_of(&aabb)));
            count += 1;
        }
        let mean_exponent = exponents.checked_div(count).unwrap_or(0) as i32;
        let biased_exponent = (mean_exponent.clamp(-100, 100) + f32::MAX_EXP - 1) as u32;
        let half_cells = (1u32 << (AXIS_BITS - 1)) as f32;
        Self {
            resolution: half_cells / (2.0 * max_coordinate),
            small: 8.0 * f32::from_bits(biased_exponent << (f32::MANTISSA_DIGITS - 1)),
            count: count as usize,
        }
    }

    /// Whether the curve still suits this number of boxes.
    pub fn fits_count(&self, count: usize) -> bool {
        count <= 2 * self.count && 4 * count >= self.count
    }

    /// Whether the curve covers a point. True for points that are too far away for any curve.
    pub fn covers(&self, point: Vec2) -> bool {
        let distance = point.abs().max_element();
        distance > MAX_COORDINATE || distance * self.resolution <= (1u32 << (AXIS_BITS - 1)) as f32
    }

    /// Whether a Hilbert index is that of a box above the smallest size class.
    pub fn is_large(index: u64) -> bool {
        index >> (2 * AXIS_BITS) > 0
    }

    /// The Hilbert index of a box, below its size class.
    pub fn index(&self, aabb: &Aabb2d) -> u64 {
        let class = (exponent(extent_of(aabb) / self.small) + 3).clamp(0, 45) / 3;
        let cell = center(aabb) * self.resolution;
        // The conversion saturates.
        let limit = 1i32 << (AXIS_BITS - 1);
        let coordinate = |cell: f32| ((cell as i32).clamp(-limit, limit - 1) + limit) as u32;
        (class as u64) << (2 * AXIS_BITS) | hilbert_index(coordinate(cell.x), coordinate(cell.y))
    }
}

/// The center of the finite part of a box.
pub(super) fn center(aabb: &Aabb2d) -> Vec2 {
    aabb.min.max(Vec2::MIN) * 0.5 + aabb.max.min(Vec2::MAX) * 0.5
}

/// The longer side of a box.
pub(super) fn extent_of(aabb: &Aabb2d) -> f32 {
    (aabb.max - aabb.min).max_element()
}

/// The exponent of a float; the least one for zero.
fn exponent(number: f32) -> i32 {
    (number.to_bits() >> 23 & 0xFF) as i32 - 127
}

/// Levels of quadrants per table lookup.
const LEVELS: u32 = 4;

/// The index of a cell on the curve. (Hilbert, 1891.)
fn hilbert_index(x: u32, y: u32) -> u64 {
    let (mut orientation, mut index) = (0, 0);
    for step in (0..AXIS_BITS / LEVELS).rev() {
        let bits = |coordinate: u32| coordinate >> (LEVELS * step) & 15;
        let entry = LOOKUP[orientation][(bits(x) << LEVELS | bits(y)) as usize];
        index = index << (2 * LEVELS) | u64::from(entry & 0xFF);
        orientation = usize::from(entry >> (2 * LEVELS));
    }
    index
}

/// For each orientation of the curve in a square (transposed, rotated by a half turn), and each of
/// its 16 by 16 cells: the index of the cell, and above it the orientation in the cell.
static LOOKUP: [[u16; 256]; 4] = lookup_table();

/// Computes [`LOOKUP`] quadrant by quadrant, from the largest.
const fn lookup_table() -> [[u16; 256]; 4] {
    let mut table = [[0; 256]; 4];
    let mut entry = 0;
    while entry < 4 * 256 {
        let (orientation, x, y) = (entry >> 8, entry >> 4 & 15, entry & 15);
        let (mut swap, mut flip, mut index) = (orientation & 1, orientation >> 1, 0);
        let mut bit = LEVELS;
        while bit > 0 {
            bit -= 1;
            let (x, y) = (x >> bit & 1, y >> bit & 1);
            let exchange = (x ^ y) & swap;
            let (x, y) = (x ^ exchange ^ flip, y ^ exchange ^ flip);
            index = index << 2 | (3 * x) ^ y;
            flip ^= x & !y & 1;
            swap ^= !y & 1;
        }
        table[orientation][entry & 255] = ((flip << 1 | swap) << 8 | index) as u16;
        entry += 1;
    }
    table
}
