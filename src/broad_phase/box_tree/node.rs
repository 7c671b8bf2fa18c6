//! Nodes of the tree.

use bevy::math::{Vec2, Vec4, bounding::Aabb2d};

use super::super::{EMPTY, is_present};

/// How many boxes one node of the tree holds.
pub(super) const LANES: usize = 8;

/// Boxes side by side, to be compared all at once.
#[derive(Clone, Copy)]
pub(super) struct Node {
    min_x: [Vec4; 2],
    min_y: [Vec4; 2],
    max_x: [Vec4; 2],
    max_y: [Vec4; 2],
}

impl Node {
    pub const EMPTY: Self = Self {
        min_x: [Vec4::INFINITY; 2],
        min_y: [Vec4::INFINITY; 2],
        max_x: [Vec4::NEG_INFINITY; 2],
        max_y: [Vec4::NEG_INFINITY; 2],
    };

    /// A box that is not there leaves its lane empty.
    pub fn set(&mut self, lane: usize, aabb: &Aabb2d) {
        let aabb = filling(aabb);
        let (half, lane) = (lane / 4, lane % 4);
        self.min_x[half][lane] = aabb.min.x;
        self.min_y[half][lane] = aabb.min.y;
        self.max_x[half][lane] = aabb.max.x;
        self.max_y[half][lane] = aabb.max.y;
    }

    pub fn get(&self, lane: usize) -> Aabb2d {
        let (half, lane) = (lane / 4, lane % 4);
        Aabb2d {
            min: Vec2::new(self.min_x[half][lane], self.min_y[half][lane]),
            max: Vec2::new(self.max_x[half][lane], self.max_y[half][lane]),
        }
    }

    /// The lanes whose boxes overlap `area`, as bits.
    pub fn overlapping(&self, area: &Aabb2d) -> u32 {
        let half = |half: usize| {
            (self.min_x[half].cmple(Vec4::splat(area.max.x))
                & self.min_y[half].cmple(Vec4::splat(area.max.y))
                & self.max_x[half].cmpge(Vec4::splat(area.min.x))
                & self.max_y[half].cmpge(Vec4::splat(area.min.y)))
            .bitmask()
        };
        half(0) | half(1) << 4
    }

    /// The box around all.
    pub fn bounds(&self) -> Aabb2d {
        let least = |lanes: [Vec4; 2]| lanes[0].min(lanes[1]).min_element();
        let greatest = |lanes: [Vec4; 2]| lanes[0].max(lanes[1]).max_element();
        Aabb2d {
            min: Vec2::new(least(self.min_x), least(self.min_y)),
            max: Vec2::new(greatest(self.max_x), greatest(self.max_y)),
        }
    }
}

/// The numbers of the bits that are set.
pub(super) fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

/// What stands in the tree for a box; nothing, for one that is not there.
fn filling(aabb: &Aabb2d) -> Aabb2d {
    if is_present(aabb) {
        without_infinity(aabb)
    } else {
        EMPTY
    }
}

/// The part of a box with finite coordinates, which no empty lane overlaps.
pub(super) fn without_infinity(aabb: &Aabb2d) -> Aabb2d {
    Aabb2d {
        min: aabb.min.max(Vec2::MIN),
        max: aabb.max.min(Vec2::MAX),
    }
}
