//! The cells along a ray.

use bevy::math::{BVec2, DVec2, IVec2};

use super::Tiles;

/// Where a ray enters a solid cell.
pub(in crate::geometry) struct CellEntry {
    pub fraction: f64,
    /// The axis along which it enters the cell.
    pub axis: usize,
}

impl Tiles {
    /// Returns where a ray that does not start in a solid cell first enters one, at a fraction of
    /// up to `end`. `start` and `direction` are in cells from the top left. (Amanatides and Woo, "A
    /// Fast Voxel Traversal Algorithm for Ray Tracing", 1987.)
    ///
    /// A ray exactly through a corner of cells also enters those that it only touches there.
    pub(in crate::geometry) fn first_solid_cell_along(
        &self,
        start: DVec2,
        direction: DVec2,
        end: f64,
    ) -> Option<CellEntry> {
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
            let beside = cell + step * IVec2::Y;
            if next.x == next.y && self.is_solid(beside.as_uvec2()) {
                return Some(CellEntry { fraction, axis: 1 });
            }
            cell[axis] += step[axis];
            if self.is_solid(cell.as_uvec2()) {
                return Some(CellEntry { fraction, axis });
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
