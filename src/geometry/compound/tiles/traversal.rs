//! The cells along a ray.

use bevy::math::{BVec2, DVec2, IVec2, UVec2};

use super::Tiles;

/// Where a ray enters a cell.
#[derive(Clone, Copy)]
pub(in crate::geometry) struct CellEntry {
    pub fraction: f64,
    /// The axis along which it enters the cell.
    pub axis: usize,
}

impl Tiles {
    /// Returns the first hit in the cells that a ray enters, at a fraction of up to `end`. `start`
    /// and `direction` are in cells from the top left; the cell at the start is not entered.
    /// (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987.)
    ///
    /// A ray exactly through a corner of cells also enters those that it only touches there.
    #[inline]
    pub(in crate::geometry) fn first_hit_along<Hit>(
        &self,
        start: DVec2,
        direction: DVec2,
        end: f64,
        mut hit_in: impl FnMut(UVec2, CellEntry) -> Option<Hit>,
    ) -> Option<Hit> {
        let (size, pace) = (self.size.as_dvec2(), direction.recip());
        // Also true for minus zero, whose reciprocal is negative.
        let is_decreasing = pace.cmplt(DVec2::ZERO);
        let near = DVec2::select(is_decreasing, size, DVec2::ZERO);
        let enter = (near - start) * pace;
        let exit = (size - near - start) * pace;
        // For a ray along the border, one of the two is NaN, which `min` ignores.
        let exit = exit.x.min(exit.y).min(end);
        // Without a direction and an end the loop would not terminate.
        if !(enter.max_element().max(0.0) <= exit && exit.is_finite()) {
            return None;
        }
        let step = IVec2::select(is_decreasing, IVec2::NEG_ONE, IVec2::ONE);
        // Rounding of huge numbers may lead out of the grid.
        let first = start_within(start, direction, near, enter).clamp(DVec2::ZERO, size);
        let mut cell = cell_before(first, is_decreasing);
        let mut line = cell + step.max(IVec2::ZERO);
        // A ray along a line does not cross that line.
        let is_still = direction.cmpeq(DVec2::ZERO);
        let crossing = (line.as_dvec2() - start) * pace;
        let mut next = DVec2::select(is_still, DVec2::INFINITY, crossing);
        loop {
            let axis = usize::from(next.y < next.x);
            let fraction = next[axis];
            if !(fraction <= exit) {
                return None;
            }
            if next.x == next.y {
                let beside = cell + step * IVec2::Y;
                let hit = hit_in(beside.as_uvec2(), CellEntry { fraction, axis: 1 });
                if hit.is_some() {
                    return hit;
                }
            }
            cell[axis] += step[axis];
            let hit = hit_in(cell.as_uvec2(), CellEntry { fraction, axis });
            if hit.is_some() {
                return hit;
            }
            line[axis] += step[axis];
            next[axis] = (f64::from(line[axis]) - start[axis]) * pace[axis];
        }
    }
}

/// The position where a ray starts or enters the grid, given the fractions at which it crosses the
/// near borders.
fn start_within(start: DVec2, direction: DVec2, near: DVec2, enter: DVec2) -> DVec2 {
    let axis = usize::from(enter.y > enter.x);
    if enter[axis] <= 0.0 {
        return start;
    }
    let mut position = start + direction * enter[axis];
    position[axis] = near[axis];
    position
}

/// The cell of a ray that arrives at `position`. On a line between cells, the cell that the ray
/// comes from, which may be outside of the grid.
fn cell_before(position: DVec2, is_decreasing: BVec2) -> IVec2 {
    // Avoids `floor`, which is a function call without SSE4.1.
    let whole = position.as_ivec2();
    let is_on_line = position.cmpeq(whole.as_dvec2());
    whole - IVec2::select(is_on_line & !is_decreasing, IVec2::ONE, IVec2::ZERO)
}
