//! Which cells of a grid a shape overlaps.

use bevy::math::{Rot2, UVec2, Vec2};

use super::{Shape, compound::tiles::Tiles, contact::contact, placement::Placement};

impl Tiles {
    /// The cells whose solid part overlaps a shape in the grid's frame, in a fixed order. A shape
    /// that is not finite overlaps none.
    pub fn cells_in(&self, shape: &Shape) -> Vec<UVec2> {
        if !shape.is_finite() {
            return Vec::new();
        }
        let area = shape.aabb();
        let near = self.solid_cells_near(&area);
        near.filter(|cell| contact(&self.solid_of(*cell), shape).is_some())
            .collect()
    }

    /// What is solid of a cell that is not open, in the grid's frame.
    fn solid_of(&self, cell: UVec2) -> Shape {
        let center = self.cell_center(cell);
        match self.piece(cell) {
            Some(piece) => Shape::cell_piece(center, piece, &Placement::at(Vec2::ZERO)),
            None => Shape::rect(center, self.cell_size(), Rot2::IDENTITY),
        }
    }
}
