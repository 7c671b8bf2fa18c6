//! Edits of grids: where cells changed, and which contacts do not depend on them.

use super::{compound::tiles::CELLS_AROUND, contact::Contact, shape::Shape};
use crate::aabb::{Aabb2d, grow, intersects};

/// The depth of a convex shape in a grid depends only on cells within this multiple of the depth:
/// the last search for it goes up to three times as far, plus the angle between directions.
const SEARCHED_DEPTHS: f32 = 4.0;

impl Shape {
    /// The bounding box of the cells that differ between two grids with one frame and cell size, in
    /// that frame, or `None` if the shapes differ otherwise.
    pub(crate) fn edited_area(&self, other: &Self) -> Option<Aabb2d> {
        match (self, other) {
            (
                Self::Tiles { tiles, placement },
                Self::Tiles {
                    tiles: others,
                    placement: other_placement,
                },
            ) if placement == other_placement => tiles.difference(others),
            _ => None,
        }
    }
}

impl Contact {
    /// Whether this contact of a grid and another shape, tested with `margin` (world units), is
    /// independent of the cells in `area`, which is in the frame of the grid.
    pub(crate) fn is_independent_of(
        &self,
        area: &Aabb2d,
        [grid, other]: [&Shape; 2],
        margin: f32,
    ) -> bool {
        let Shape::Tiles { tiles, placement } = grid else {
            return false;
        };
        let searched = grow(&other.aabb(), (SEARCHED_DEPTHS * self.depth).max(margin));
        let searched = placement.inverse_transform_aabb(&searched);
        let around = CELLS_AROUND as f32 * tiles.cell_size().max_element();
        other.is_convex() && !intersects(area, &grow(&searched, around))
    }
}
