//! A cell of a grid in four bytes, because there are many contacts.

use std::num::NonZeroU32;

use bevy::{math::UVec2, reflect::prelude::*};

/// The column and the row of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::geometry) struct PackedCell(NonZeroU32);

impl PackedCell {
    /// Packs a cell, or returns `None` if the column or the row is not one that a grid may have.
    pub fn new(cell: UVec2) -> Option<Self> {
        let [column, row] = [u16::try_from(cell.x).ok()?, u16::try_from(cell.y).ok()?];
        let packed = u32::from(row) << 16 | u32::from(column);
        NonZeroU32::new(packed.checked_add(1)?).map(Self)
    }

    pub fn unpack(self) -> UVec2 {
        let packed = self.0.get() - 1;
        UVec2::new(packed & 0xFFFF, packed >> 16)
    }
}
