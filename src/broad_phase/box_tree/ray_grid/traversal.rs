use bevy::math::{DVec2, IVec2, Vec2};

use super::{
    super::{
        super::Sweep,
        approach::{FURTHEST, ROUNDING},
    },
    cell::STEPS,
    layout::Layout,
};

/// What goes along one axis goes along the other at least this part of it, so that zero times infinity does not come up.
const SLOWEST: f32 = 1e-8;

/// The cells that a ray goes through, one after another.
/// (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987.)
///
/// Times are ways along the axis that the ray goes along the most, in cells.
pub(super) struct Traversal {
    /// The number of the cell where the ray is.
    pub cell: usize,
    pub axes: [Axis; 2],
    /// When the ray came there from another cell; less than zero, if that is the first one.
    pub since: f32,
    /// How much time there is in one multiple of the ray's direction; rather more than less.
    speed: f32,
}

/// An axis, mirrored so that the ray goes up along it.
pub(super) struct Axis {
    /// The side of a cell to which the ray comes first.
    pub near: usize,
    /// When it comes to that side of its cell, and to the opposite one.
    pub enter: f32,
    pub leave: f32,
    /// How long it takes for a step along the axis.
    pub pace: f32,
    /// How many steps away from the start the line behind the next cell is.
    next_line: f64,
    /// How many cells there are up to the border.
    remaining: i32,
    /// What is added to the number of a cell for the next one.
    stride: isize,
}

impl Traversal {
    /// None, if the ray misses the layout.
    #[inline(always)]
    pub fn of(ray: &Sweep, layout: &Layout) -> Option<Self> {
        let way = ray.direction.abs();
        let main = way.max_element().max(f32::MIN_POSITIVE);
        let way = (way / main).max(Vec2::splat(SLOWEST));
        let speed = main * layout.cells_per_unit as f32 * (1.0 + ROUNDING);
        let is_down = ray.direction.cmplt(Vec2::ZERO);
        let (start, size) = (layout.cells_to(ray), layout.size.as_dvec2());
        let start = DVec2::select(is_down, size - start, start);
        let is_inside = start.cmpge(DVec2::ZERO).all() && start.cmplt(size).all();
        let first = if is_inside {
            start
        } else {
            entry(start, way.as_dvec2(), size, ray.length * speed)?
        };
        let first = IVec2::new(first.x as i32, first.y as i32);
        let remaining = layout.size - 1 - first;
        let to_first = (first.as_dvec2() - start) * f64::from(STEPS);
        let pace = way.recip() / STEPS as f32;
        let axis = |axis: usize, stride: i32| Axis {
            near: if is_down.test(axis) { axis + 2 } else { axis },
            enter: to_first[axis] as f32 * pace[axis],
            leave: (to_first[axis] + f64::from(STEPS)) as f32 * pace[axis],
            pace: pace[axis],
            next_line: to_first[axis] + f64::from(2 * STEPS),
            remaining: remaining[axis],
            stride: if is_down.test(axis) { -stride } else { stride } as isize,
        };
        let cell = IVec2::select(is_down, remaining, first);
        Some(Self {
            cell: layout.cell(cell.x as u32, cell.y as u32),
            axes: [axis(0, 1), axis(1, layout.size.x)],
            since: -1.0,
            speed,
        })
    }

    /// When a ray of some length ends.
    #[inline]
    pub fn end(&self, length: f32) -> f32 {
        (length.min(FURTHEST) * self.speed).min(FURTHEST)
    }

    /// Goes on to the next cell. False, if the ray ends before, or there is none.
    ///
    /// It enters a cell when it left the one before, to the last bit: so what goes on beyond the line between them is met once. Times are not
    /// added up, so that rounding is not, either.
    #[inline(always)]
    pub fn advance(&mut self, end: f32) -> bool {
        let [x, y] = &self.axes;
        let axis = &mut self.axes[usize::from(y.leave < x.leave)];
        if !(axis.leave <= end && axis.remaining > 0) {
            return false;
        }
        self.cell = self.cell.wrapping_add_signed(axis.stride);
        self.since = axis.leave;
        axis.enter = axis.leave;
        axis.leave = axis.next_line as f32 * axis.pace;
        axis.next_line += f64::from(STEPS);
        axis.remaining -= 1;
        true
    }
}

/// Somewhere in the first cell of a ray that comes to the layout from outside.
#[cold]
#[inline(never)]
fn entry(start: DVec2, way: DVec2, size: DVec2, end: f32) -> Option<DVec2> {
    let enter = (-start / way).max_element().max(0.0);
    let leave = ((size - start) / way).min_element();
    (enter <= leave.min(end.into())).then(|| (start + way * enter).clamp(DVec2::ZERO, size - 1.0))
}
