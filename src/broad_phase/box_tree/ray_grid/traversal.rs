use bevy::math::DVec2;

use super::{super::super::Sweep, layout::Layout};

/// What goes along one axis goes a little along the other, too, so that zero times infinity does not come up.
const SLOWEST: f64 = 1e-100;

/// The cells that a ray goes through, one after another.
/// (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987.)
pub(super) struct Traversal {
    pub column: u32,
    pub row: u32,
    is_down: [bool; 2],
    /// When the ray leaves the column, and the row.
    leave: [f64; 2],
    /// How long it is in one.
    stay: [f64; 2],
}

/// A line between columns or rows, where a ray crosses it.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    pub axis: usize,
    /// The number of what is above the line.
    pub at: f64,
    pub is_upwards: bool,
}

impl Traversal {
    /// None, if the ray misses the layout.
    #[inline]
    pub fn of(ray: &Sweep, layout: &Layout) -> Option<Self> {
        let start = (ray.start.min.as_dvec2() - layout.origin) * layout.cells_per_unit;
        let way = ray.direction.as_dvec2() * layout.cells_per_unit;
        let size = DVec2::new(layout.columns.into(), layout.rows.into());
        // Mirrored so that the ray runs up both axes.
        let is_down = way.cmplt(DVec2::ZERO);
        let start = DVec2::select(is_down, size - start, start);
        let stay = way.abs().max(DVec2::splat(SLOWEST)).recip();
        let enter = (-start * stay).max_element().max(0.0);
        let leave = ((size - start) * stay).min_element();
        if !(enter <= leave.min(ray.length.into())) {
            return None;
        }
        let cell = (start + way.abs() * enter).clamp(DVec2::ZERO, size - 1.0);
        let [column, row] = [cell.x as u32, cell.y as u32];
        let next = DVec2::new(column.into(), row.into()) + 1.0;
        let unmirrored = |number, count, is_down| if is_down { count - 1 - number } else { number };
        Some(Self {
            column: unmirrored(column, layout.columns, is_down.x),
            row: unmirrored(row, layout.rows, is_down.y),
            is_down: [is_down.x, is_down.y],
            leave: ((next - start) * stay).to_array(),
            stay: stay.to_array(),
        })
    }

    /// Goes on to the next cell. None, if that is out of reach, or there is none.
    #[inline]
    pub fn step(&mut self, reach: f64, layout: &Layout) -> Option<Crossing> {
        let axis = usize::from(self.leave[1] < self.leave[0]);
        if !(self.leave[axis] <= reach) {
            return None;
        }
        self.leave[axis] += self.stay[axis];
        let (cell, count) = if axis == 0 {
            (&mut self.column, layout.columns)
        } else {
            (&mut self.row, layout.rows)
        };
        let is_upwards = !self.is_down[axis];
        let at = if is_upwards {
            *cell += 1;
            (*cell < count).then_some(*cell)
        } else {
            let at = *cell;
            *cell = at.checked_sub(1)?;
            Some(at)
        };
        Some(Crossing {
            axis,
            at: at?.into(),
            is_upwards,
        })
    }
}
