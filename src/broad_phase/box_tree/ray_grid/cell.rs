use bevy::math::Vec4;

use super::{
    super::{approach::Distances, node::LANES},
    traversal::{Axis, Traversal},
};

/// How many steps there are along the side of a cell.
pub(super) const STEPS: u32 = 256;

/// How many boxes a node holds: in the last lane there is none, but the number of the next node.
pub(super) const BOXES: usize = LANES - 1;

/// How far away the part of a box that is in a cell is from each of its sides, left, bottom, right and top, in steps. At a side the box
/// goes on beyond.
pub(super) type Insets = [u8; 4];

/// Parts of boxes in a cell, side by side, with the places of the boxes: all in one line of a processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct CellNode {
    /// The [`Insets`] of each part, the first one in the lowest byte.
    insets: [u32; LANES],
    places: [u32; BOXES],
    /// The next node of the same cell; zero, if there is none.
    pub next: u32,
}

impl CellNode {
    /// Where there is nothing no ray gets: it would leave before it enters.
    pub const EMPTY: Self = Self {
        insets: [u32::MAX; LANES],
        places: [0; BOXES],
        next: 0,
    };

    /// An empty node of a cell that has others.
    pub fn before(next: u32) -> Self {
        Self {
            next,
            ..Self::EMPTY
        }
    }

    pub fn set(&mut self, lane: usize, insets: Insets, place: u32) {
        self.insets[lane] = u32::from_le_bytes(insets);
        self.places[lane] = place;
    }

    #[inline(always)]
    pub fn place(&self, lane: usize) -> u32 {
        self.places[lane]
    }

    /// When a ray comes to the parts. Out of reach is what it does not meet in this cell, and what it met before, in another one: so it came to
    /// that no later than to the cell.
    #[inline(always)]
    pub fn distances(&self, ray: &Traversal) -> Distances {
        let [x, y] = &ray.axes;
        let half = |half: usize| {
            let (enter_x, leave_x) = self.along(x, half);
            let (enter_y, leave_y) = self.along(y, half);
            let enter = enter_x.max(enter_y).max(Vec4::ZERO);
            let leave = leave_x.min(leave_y);
            let is_met = enter.cmple(leave) & enter.cmpgt(Vec4::splat(ray.since));
            Vec4::select(is_met, enter, Vec4::MAX)
        };
        Distances::of([half(0), half(1)])
    }

    /// When a ray enters and leaves half of the parts along an axis. (Kay and Kajiya, as for the tree.)
    #[inline(always)]
    fn along(&self, axis: &Axis, half: usize) -> (Vec4, Vec4) {
        let enter = self.half(axis.near, half) * axis.pace + axis.enter;
        let leave = axis.leave - self.half(axis.near ^ 2, half) * axis.pace;
        (enter, leave)
    }

    /// One of the four insets, of half of the parts.
    #[inline(always)]
    fn half(&self, side: usize, half: usize) -> Vec4 {
        // Whole numbers with a sign take one operation to convert.
        let steps = |lane: usize| (self.insets[4 * half + lane] >> (8 * side) & 0xFF) as i32 as f32;
        Vec4::new(steps(0), steps(1), steps(2), steps(3))
    }
}
