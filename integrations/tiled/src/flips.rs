//! The flips of tiles.

use bevy::math::{Vec2, Vec2Swizzles};

/// How a tile is flipped. The diagonal flip is done first. Rotations are made of flips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TiledFlips {
    /// Left and right are swapped.
    pub horizontal: bool,
    /// Top and bottom are swapped.
    pub vertical: bool,
    /// x and y are swapped.
    pub diagonal: bool,
}

impl TiledFlips {
    /// Swaps x and y if the diagonal flip does.
    pub(crate) fn transpose(self, vector: Vec2) -> Vec2 {
        if self.diagonal { vector.yx() } else { vector }
    }
}
