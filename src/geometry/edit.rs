//! Edits of grids: where cells changed, and which contacts do not depend on them.

use super::{compound::tiles::CELLS_AROUND, contact::Contact, shape::Shape};
use crate::aabb::{Aabb2d, grow, intersects};

/// A depth of a convex shape in a grid depends on no cell further from it than this multiple: the
/// last search for it went up to three times as far, give or take the angle between directions.
const SEARCHED_DEPTHS: f32 = 4.0;

impl Shape {
    /// The area around all cells that differ from those of another grid with the same frame and
    /// size of cells, in that frame; `None` if the shapes differ otherwise.
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
    /// Whether this contact of a grid and another shape, which were tested with `margin`, does not
    /// depend on the cells in `area`, in the frame of the grid.
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
