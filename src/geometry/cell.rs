use std::num::NonZeroU32;

use bevy::{
    math::{UVec2, Vec2},
    reflect::prelude::*,
};

use super::Shape;

/// A cell of a grid in four bytes, for there are many contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct PackedCell(NonZeroU32);

impl PackedCell {
    /// None, if the column or the row is not one that a grid may have.
    fn new(cell: UVec2) -> Option<Self> {
        let [column, row] = [u16::try_from(cell.x).ok()?, u16::try_from(cell.y).ok()?];
        let packed = u32::from(row) << 16 | u32::from(column);
        NonZeroU32::new(packed.checked_add(1)?).map(Self)
    }

    /// That of a shape which is nearest to a point.
    pub fn near(shape: &Shape, point: Vec2) -> Option<Self> {
        Self::new(shape.cell_near(point)?)
    }

    pub fn unpack(self) -> UVec2 {
        let packed = self.0.get() - 1;
        UVec2::new(packed & 0xFFFF, packed >> 16)
    }
}

impl Shape {
    /// The solid cell of a grid at a point of its surface in the world, or next to it; none for other shapes. On the line between two solid
    /// ones it is that which [`Tiles::cell_at`](super::Tiles::cell_at) gives.
    pub fn cell_near(&self, point: Vec2) -> Option<UVec2> {
        match self {
            Self::Tiles { tiles, placement } => {
                tiles.solid_cell_near(placement.inverse_transform_point(point))
            }
            _ => None,
        }
    }
}
