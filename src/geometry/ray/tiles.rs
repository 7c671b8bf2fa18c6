//! Rays against grids.

use bevy::math::{DVec2, Vec2};

use super::Ray;
use crate::{
    aabb::{Aabb2d, grow},
    geometry::{
        compound::tiles::Tiles, convex::CastOutput, placement::Placement, shape::Shape,
        tolerances::TOUCHING_SLOP,
    },
};

/// On the path along a ray, this many cells are searched together.
const RAY_CELLS_PER_SEGMENT: f64 = 8.0;
/// How far a ray may leave a line that it is meant to run on, as a fraction of its displacement:
/// its direction and the axes of the grid are rounded.
const AXIS_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The output for a ray along a line between cells.
enum OnLine {
    Hit(CastOutput),
    Miss,
    /// The ray is not on such a line.
    Elsewhere,
}

impl Ray {
    /// Casts the ray against a grid, from outside: cell by cell, unless it starts at the surface.
    pub(super) fn cast_at_tiles(
        &self,
        shape: &Shape,
        grid: (&Tiles, &Placement),
    ) -> Option<CastOutput> {
        let (tiles, placement) = grid;
        let from_center = self.origin.as_dvec2() - placement.center.as_dvec2();
        let [origin, direction] = [from_center, self.direction.as_dvec2()]
            .map(|vector| placement.inverse_transform_dvector(vector));
        let (start, direction) = tiles.ray_in_cells(origin, direction);
        if !(start.is_finite() && direction.is_finite()) {
            // Cells without width or height make no grid to traverse.
            return self.cast_in_segments(shape, grid);
        }
        let slop = self.slop(shape) / placement.scale();
        match self.cast_on_line(grid, (start, direction), slop) {
            OnLine::Hit(output) => return Some(output),
            OnLine::Miss => return None,
            OnLine::Elsewhere => {}
        }
        if !tiles.is_open_around(placement.inverse_transform_point(self.origin), slop) {
            return self.cast_in_segments(shape, grid);
        }
        let entry = tiles.first_solid_cell_along(start, direction, self.max_fraction.into())?;
        Some(CastOutput {
            fraction: entry.fraction,
            normal: cell_normal(entry.axis, direction[entry.axis], placement),
            is_edge: true,
        })
    }

    /// The same segment by segment, because most cells are not on the path.
    fn cast_in_segments(
        &self,
        shape: &Shape,
        (tiles, placement): (&Tiles, &Placement),
    ) -> Option<CastOutput> {
        let (enter, exit) = self.fractions_within(&shape.aabb())?;
        let cell = (tiles.cell_size() * placement.scale()).min_element();
        let cells = (exit - enter) * f64::from(self.direction.length() / cell);
        let segments = if cells.is_finite() {
            // No line crosses more cells than this, however small or narrow they are.
            let cells = cells.min(tiles.size().element_sum().into());
            (cells / RAY_CELLS_PER_SEGMENT).ceil().max(1.0)
        } else {
            // All cells are on one line.
            1.0
        };
        let fraction = |number: u32| enter + (exit - enter) * (f64::from(number) / segments);
        (0..segments as u32).find_map(|number| {
            self.first_of_pieces(shape, (fraction(number), fraction(number + 1)))
        })
    }

    /// Casts the ray against a grid if it runs on a line between cells: it hits where the cells on
    /// both sides are solid. The ray is given in cells, the slop in the grid's frame.
    fn cast_on_line(
        &self,
        (tiles, placement): (&Tiles, &Placement),
        (start, direction): (DVec2, DVec2),
        slop: Vec2,
    ) -> OnLine {
        let axis = usize::from(direction.x.abs() <= direction.y.abs());
        let (along, across) = (direction[axis], direction[1 - axis]);
        let line = start[1 - axis].round();
        let size = tiles.size().as_dvec2();
        let slop = tiles.slop_in_cells(slop).as_dvec2();
        // All the way through the grid, except for the rounding of the rotation of a frame.
        let nearly_along = (slop[1 - axis] / size[axis]).max(AXIS_ROUNDING);
        let is_on_line = across.abs() < nearly_along * along.abs()
            && (start[1 - axis] - line).abs() < slop[1 - axis]
            && (0.0..=size[1 - axis]).contains(&line);
        if !is_on_line || size[axis] < 1.0 {
            return OnLine::Elsewhere;
        }
        // From the cell in which the ray starts, or from the one ahead if it starts at a surface.
        let last = size[axis] - 1.0;
        let (from, to) = if along > 0.0 {
            ((start[axis] + slop[axis]).floor().max(0.0), last)
        } else {
            ((start[axis] - slop[axis]).ceil().min(size[axis]) - 1.0, 0.0)
        };
        if !(0.0..=last).contains(&from) {
            return OnLine::Miss;
        }
        let Some(first) = tiles.first_on_line(axis, line as u32, (from as u32, to as u32)) else {
            return OnLine::Miss;
        };
        let edge = if along > 0.0 { first } else { first + 1 };
        let fraction = ((f64::from(edge) - start[axis]) / along).max(0.0);
        if fraction > self.max_fraction.into() {
            return OnLine::Miss;
        }
        OnLine::Hit(CastOutput {
            fraction,
            normal: cell_normal(axis, along, placement),
            is_edge: true,
        })
    }

    /// Returns the first hit of the pieces of a shape that are near a segment of the ray, if it is
    /// on that segment.
    fn first_of_pieces(&self, shape: &Shape, (start, end): (f64, f64)) -> Option<CastOutput> {
        let [p, q] = [start, end].map(|fraction| {
            (self.origin.as_dvec2() + self.direction.as_dvec2() * fraction).as_vec2()
        });
        let area = Aabb2d {
            min: p.min(q),
            max: p.max(q),
        };
        let mut first: Option<CastOutput> = None;
        shape.visit_convex_pieces(&grow(&area, self.slop(shape)), |piece| {
            if let Some(output) = self.cast(piece)
                && output.fraction <= end
                && first.is_none_or(|first| output.fraction < first.fraction)
            {
                first = Some(output);
            }
        });
        first
    }

    /// The fractions at which the ray enters and leaves a box, if it does.
    fn fractions_within(&self, aabb: &Aabb2d) -> Option<(f64, f64)> {
        let aabb = grow(aabb, TOUCHING_SLOP * self.origin.abs().max_element());
        let (origin, direction) = (self.origin.as_dvec2(), self.direction.as_dvec2());
        let (min, max) = (aabb.min.as_dvec2() - origin, aabb.max.as_dvec2() - origin);
        let (mut enter, mut exit) = (0.0, f64::from(self.max_fraction));
        for axis in 0..2 {
            if direction[axis] == 0.0 {
                if min[axis] > 0.0 || max[axis] < 0.0 {
                    return None;
                }
                continue;
            }
            let fractions = [min[axis] / direction[axis], max[axis] / direction[axis]];
            enter = fractions[0].min(fractions[1]).max(enter);
            exit = fractions[0].max(fractions[1]).min(exit);
        }
        (enter <= exit && exit.is_finite()).then_some((enter, exit))
    }
}

/// The outward normal of the edge of a cell that a ray hits which goes by `along` along an axis, in
/// cells.
fn cell_normal(axis: usize, along: f64, placement: &Placement) -> Vec2 {
    let sign = if along < 0.0 { -1.0 } else { 1.0 };
    // Rows run down.
    let normal = if axis == 0 {
        Vec2::new(-sign, 0.0)
    } else {
        Vec2::new(0.0, sign)
    };
    placement.transform_normal(normal, placement.rotation())
}
