//! Rays against grids.

use bevy::math::{DVec2, Vec2};

use super::Ray;
use crate::{
    aabb::{Aabb2d, grow},
    geometry::{
        compound::tiles::{CellEntry, Tiles},
        convex::CastOutput,
        placement::Placement,
        shape::Shape,
        tolerances::TOUCHING_SLOP,
    },
};

/// The number of cells per segment of the path along a ray.
const RAY_CELLS_PER_SEGMENT: f64 = 8.0;
/// A ray that leaves a line at a steeper slope does not run along it, however short it is.
const MAX_SLOPE_ON_LINE: f64 = 1e-3;

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
        tiles: &Tiles,
        placement: &Placement,
    ) -> Option<CastOutput> {
        let from_center = self.origin.as_dvec2() - placement.center.as_dvec2();
        let [origin, direction] = [from_center, self.direction.as_dvec2()]
            .map(|vector| placement.inverse_transform_dvector(vector));
        let (start, direction) = tiles.ray_in_cells(origin, direction);
        // Cells without width or height make no grid to traverse.
        let is_grid = start.is_finite() && direction.is_finite();
        if is_grid {
            match self.cast_on_line(tiles, placement, start, direction) {
                OnLine::Elsewhere => {}
                // The line is one between full cells.
                of_full if tiles.has_shaped_cells() => {
                    return self.or_at_shaped_cells(of_full, shape, tiles, placement);
                }
                OnLine::Hit(output) => return Some(output),
                OnLine::Miss => return None,
            }
        }
        let slop = self.slop(shape) / placement.scale();
        let origin = placement.inverse_transform_point(self.origin);
        if !is_grid || !tiles.is_open_around(origin, slop) {
            return self.cast_in_segments(shape, tiles, placement, &|area, visit| {
                shape.visit_convex_pieces(area, visit);
            });
        }
        let hit = |entry: CellEntry| CastOutput {
            fraction: entry.fraction,
            normal: cell_normal(entry.axis, direction[entry.axis], placement),
            is_edge: true,
        };
        let end = self.max_fraction.into();
        if !tiles.has_shaped_cells() {
            let full = |cell, entry| tiles.is_solid(cell).then_some(entry);
            return tiles.first_hit_along(start, direction, end, full).map(hit);
        }
        tiles.first_hit_along(start, direction, end, |cell, entry| {
            if tiles.is_solid(cell) {
                return Some(hit(entry));
            }
            let piece = tiles.piece(cell)?;
            self.cast(&Shape::cell_piece(
                tiles.cell_center(cell),
                piece,
                placement,
            ))
        })
    }

    /// Casts the ray, which runs along a line between cells, against those that are not full.
    /// Returns the first hit, of these or of the full ones.
    fn or_at_shaped_cells(
        &self,
        of_full: OnLine,
        shape: &Shape,
        tiles: &Tiles,
        placement: &Placement,
    ) -> Option<CastOutput> {
        let full = match of_full {
            OnLine::Hit(output) => Some(output),
            OnLine::Miss | OnLine::Elsewhere => None,
        };
        let shaped = self.cast_in_segments(shape, tiles, placement, &|area, visit| {
            let area = placement.inverse_transform_aabb(area);
            Shape::visit_shaped_cells(tiles, placement, &area, visit);
        });
        match (full, shaped) {
            (Some(full), Some(shaped)) if full.fraction <= shaped.fraction => Some(full),
            (full, shaped) => shaped.or(full),
        }
    }

    /// Casts the ray against pieces of a grid, by segments, as most cells are not on the path.
    /// `visit_pieces` visits those in an area.
    fn cast_in_segments(
        &self,
        shape: &Shape,
        tiles: &Tiles,
        placement: &Placement,
        visit_pieces: &dyn Fn(&Aabb2d, &mut dyn FnMut(&Shape)),
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
            let ends = [number, number + 1].map(fraction);
            self.first_of_pieces(self.slop(shape), ends, visit_pieces)
        })
    }

    /// Casts the ray against a grid if it runs on a line between cells: it hits where the cells on
    /// both sides are solid. The ray is given in cells.
    fn cast_on_line(
        &self,
        tiles: &Tiles,
        placement: &Placement,
        start: DVec2,
        direction: DVec2,
    ) -> OnLine {
        let axis = usize::from(direction.x.abs() <= direction.y.abs());
        let along = direction[axis];
        // Also true without a direction.
        if !(direction[1 - axis].abs() < MAX_SLOPE_ON_LINE * along.abs()) {
            return OnLine::Elsewhere;
        }
        let is_increasing = along > 0.0;
        let size = tiles.size().as_dvec2();
        let [near, far] = if is_increasing {
            [0.0, size[axis]]
        } else {
            [size[axis], 0.0]
        };
        // Only from where it enters the grid to where it leaves it.
        let enter = ((near - start[axis]) / along).max(0.0);
        let exit = ((far - start[axis]) / along).min(self.max_fraction.into());
        let position = |fraction: f64| start + direction * fraction;
        let line = position(enter)[1 - axis].round();
        let cell = (tiles.cell_size() * placement.scale()).as_dvec2();
        let slop = |fraction: f64| self.slop_at(fraction, cell) / cell;
        let is_near =
            |fraction: f64| (position(fraction)[1 - axis] - line).abs() < slop(fraction)[1 - axis];
        let is_on_line = enter <= exit
            && (0.0..=size[1 - axis]).contains(&line)
            && is_near(enter)
            && is_near(exit);
        if !is_on_line || size[axis] < 1.0 {
            return OnLine::Elsewhere;
        }
        // From the cell in which the ray starts, or from the one ahead if it starts at a surface.
        let last = size[axis] - 1.0;
        let [from, to] = [enter, exit].map(|fraction| position(fraction)[axis]);
        let (from, to) = if is_increasing {
            ((from + slop(enter)[axis]).floor(), to.floor().min(last))
        } else {
            (
                (from - slop(enter)[axis]).ceil() - 1.0,
                (to.ceil() - 1.0).max(0.0),
            )
        };
        if !(0.0..=last).contains(&from) || (to - from) * along < 0.0 {
            return OnLine::Miss;
        }
        let Some(first) = tiles.first_on_line(axis, line as u32, from as u32, to as u32) else {
            return OnLine::Miss;
        };
        let edge = if is_increasing { first } else { first + 1 };
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

    /// How far rounding may move the ray at a fraction, in world units. The direction and the axes
    /// of a grid are rounded as well as positions.
    fn slop_at(&self, fraction: f64, cell: DVec2) -> f64 {
        let [origin, direction] =
            [self.origin, self.direction].map(|vector| f64::from(vector.abs().max_element()));
        f64::from(TOUCHING_SLOP) * (origin + direction * fraction + cell.max_element())
    }

    /// Returns the first hit with pieces on a segment of the ray, given by two fractions.
    fn first_of_pieces(
        &self,
        slop: f32,
        [start, end]: [f64; 2],
        visit_pieces: &dyn Fn(&Aabb2d, &mut dyn FnMut(&Shape)),
    ) -> Option<CastOutput> {
        let [p, q] = [start, end].map(|fraction| {
            (self.origin.as_dvec2() + self.direction.as_dvec2() * fraction).as_vec2()
        });
        let area = Aabb2d {
            min: p.min(q),
            max: p.max(q),
        };
        let mut first: Option<CastOutput> = None;
        visit_pieces(&grow(&area, slop), &mut |piece| {
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

/// The outward normal of the cell edge that a ray hits if it moves by `along` (in cells) on an
/// axis.
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
