//! The cells that a ray goes through.

use bevy::math::{BVec2, DVec2, IVec2};

use super::Tiles;

/// Where a ray enters a solid cell.
pub(in crate::geometry) struct CellImpact {
    pub fraction: f64,
    /// The axis along which it goes into the cell.
    pub axis: usize,
}

impl Tiles {
    /// Where a ray that starts in no solid cell first enters one, if it does so before it ends. Its start is counted in cells from the top
    /// left, and its direction in cells for each unit of time. (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing",
    /// 1987.)
    ///
    /// Where it goes exactly through a corner of cells it also enters those that it only touches there.
    pub(in crate::geometry) fn first_solid_cell_along(
        &self,
        start: DVec2,
        direction: DVec2,
        end: f64,
    ) -> Option<CellImpact> {
        let (size, pace) = (self.size.as_dvec2(), direction.recip());
        // Of minus zero, too.
        let is_down = pace.cmplt(DVec2::ZERO);
        let near = DVec2::select(is_down, size, DVec2::ZERO);
        let enter = (near - start) * pace;
        let exit = (size - near - start) * pace;
        // On the border, along it, one of them is not a number.
        let exit = exit.x.min(exit.y).min(end);
        // Without a direction and an end it would never get out.
        if !(enter.max_element().max(0.0) <= exit && exit.is_finite()) {
            return None;
        }
        let step = IVec2::select(is_down, IVec2::NEG_ONE, IVec2::ONE);
        let mut cell = cell_before(start_within(start, direction, (near, enter)), is_down);
        let mut line = cell + step.max(IVec2::ZERO);
        // Along a line it crosses none, not even that.
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
                return Some(CellImpact { fraction, axis: 1 });
            }
            cell[axis] += step[axis];
            if self.is_solid(cell.as_uvec2()) {
                return Some(CellImpact { fraction, axis });
            }
            line[axis] += step[axis];
            next[axis] = (f64::from(line[axis]) - start[axis]) * pace[axis];
        }
    }
}

/// Where a ray starts or enters the grid, given when it crosses which of its borders.
fn start_within(start: DVec2, direction: DVec2, (near, enter): (DVec2, DVec2)) -> DVec2 {
    let axis = usize::from(enter.y > enter.x);
    if enter[axis] <= 0.0 {
        return start;
    }
    let mut place = start + direction * enter[axis];
    place[axis] = near[axis];
    place
}

/// The cell in which a ray is that comes to a place; on a line between cells, that from which it comes, which may be outside of the grid.
fn cell_before(place: DVec2, is_down: BVec2) -> IVec2 {
    // Not by `floor`, which without the newest instructions is a call.
    let whole = place.as_ivec2();
    let is_on_line = place.cmpeq(whole.as_dvec2());
    whole - IVec2::select(is_on_line & !is_down, IVec2::ONE, IVec2::ZERO)
}
