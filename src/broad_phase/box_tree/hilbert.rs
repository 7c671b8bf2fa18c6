//! An order of boxes in which near ones are near each other.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::super::is_present;

/// The bits of a index on the curve that each axis gets; those above tell the size class.
const AXIS_BITS: u32 = 28;
/// Coordinates beyond this do not make the curve coarser: what is out there shares its last cells.
const MAX_COORDINATE: f32 = 1e7;

/// Places on a space-filling curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct HilbertCurve {
    /// Cells per world unit.
    resolution: f32,
    /// Boxes up to this size (world units) are of the smallest class; each further class is 8 times larger.
    small: f32,
    /// The number of boxes that this was chosen for.
    count: usize,
}

impl HilbertCurve {
    /// A curve that tells these boxes apart.
    pub fn fit(boxes: impl Iterator<Item = Aabb2d>) -> Self {
        let (mut farthest, mut exponents, mut count) = (1.0f32, 0i64, 0);
        for aabb in boxes.filter(is_present) {
            farthest = farthest.max(center(&aabb).abs().max_element().min(MAX_COORDINATE));
            exponents += i64::from(exponent(size(&aabb)));
            count += 1;
        }
        let mean_exponent = exponents.checked_div(count).unwrap_or(0) as i32;
        let half_cells = (1u32 << (AXIS_BITS - 1)) as f32;
        Self {
            resolution: half_cells / (2.0 * farthest),
            small: 8.0 * 2f32.powi(mean_exponent.clamp(-100, 100)),
            count: count as usize,
        }
    }

    /// Whether the curve still fits so many boxes.
    pub fn fits_count(&self, count: usize) -> bool {
        count <= 2 * self.count && 4 * count >= self.count
    }

    /// Whether it covers to a point, as far as curves do.
    pub fn covers(&self, point: Vec2) -> bool {
        let distance = point.abs().max_element();
        distance > MAX_COORDINATE || distance * self.resolution <= (1u32 << (AXIS_BITS - 1)) as f32
    }

    /// Whether a index is that of a box that is not of the smallest class.
    pub fn is_large(key: u64) -> bool {
        key >> (2 * AXIS_BITS) > 0
    }

    /// The index of a box.
    pub fn key(&self, aabb: &Aabb2d) -> u64 {
        let class = (exponent(size(aabb) / self.small) + 3).clamp(0, 45) / 3;
        let cell = center(aabb) * self.resolution;
        // The conversion saturates.
        let limit = 1i32 << (AXIS_BITS - 1);
        let coordinate = |cell: f32| ((cell as i32).clamp(-limit, limit - 1) + limit) as u32;
        (class as u64) << (2 * AXIS_BITS) | hilbert(coordinate(cell.x), coordinate(cell.y))
    }
}

/// The center of the part of a box that has finite coordinates.
pub(super) fn center(aabb: &Aabb2d) -> Vec2 {
    aabb.min.max(Vec2::MIN) * 0.5 + aabb.max.min(Vec2::MAX) * 0.5
}

pub(super) fn size(aabb: &Aabb2d) -> f32 {
    (aabb.max - aabb.min).max_element()
}

/// The power of two that a number begins with; the least of all for zero.
fn exponent(number: f32) -> i32 {
    (number.to_bits() >> 23 & 0xFF) as i32 - 127
}

/// How many levels of quadrants are looked up at a time.
const LEVELS: u32 = 4;

/// The index of a cell on Hilbert's curve (1891). Neighbours on it are neighbours in the plane, so that no leaf is torn apart.
fn hilbert(x: u32, y: u32) -> u64 {
    let (mut course, mut index) = (0, 0);
    for step in (0..AXIS_BITS / LEVELS).rev() {
        let part = |coordinate: u32| coordinate >> (LEVELS * step) & 15;
        let entry = STEPS[course][(part(x) << LEVELS | part(y)) as usize];
        index = index << (2 * LEVELS) | u64::from(entry & 0xFF);
        course = usize::from(entry >> (2 * LEVELS));
    }
    index
}

/// For each course that the curve may take fit a square (mirrored at a diagonal, turned around), and each of 16 by 16 cells in
/// it: the index of the cell, and above it the course in the cell.
static STEPS: [[u16; 256]; 4] = steps();

/// Quadrant by quadrant, from the largest; each one's part of the curve may be mirrored at a diagonal and turned around.
const fn steps() -> [[u16; 256]; 4] {
    let mut steps = [[0; 256]; 4];
    let mut entry = 0;
    while entry < 4 * 256 {
        let (course, x, y) = (entry >> 8, entry >> 4 & 15, entry & 15);
        let (mut swap, mut flip, mut index) = (course & 1, course >> 1, 0);
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
        steps[course][entry & 255] = ((flip << 1 | swap) << 8 | index) as u16;
        entry += 1;
    }
    steps
}
