//! Rays against grids.

use bevy::math::{DVec2, Vec2};

use super::{Ray, earlier, seams::Seams};
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
        let slop = self.slop(shape) / placement.scale();
        let is_traversed = is_grid
            && !self.runs_on_line(tiles, placement, start, direction)
            && tiles.is_open_around(placement.inverse_transform_point(self.origin), slop);
        if !is_traversed {
            return self.cast_in_segments(shape, tiles, placement);
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

    /// Casts the ray against the pieces of a grid, by segments, as most cells are not on the path.
    fn cast_in_segments(
        &self,
        shape: &Shape,
        tiles: &Tiles,
        placement: &Placement,
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
            self.first_of_pieces(shape, ends)
        })
    }

    /// Whether the ray, given in cells, runs on a line between cells from where it enters the grid
    /// to where it leaves it.
    fn runs_on_line(
        &self,
        tiles: &Tiles,
        placement: &Placement,
        start: DVec2,
        direction: DVec2,
    ) -> bool {
        let axis = usize::from(direction.x.abs() <= direction.y.abs());
        let along = direction[axis];
        // Also true without a direction.
        if !(direction[1 - axis].abs() < MAX_SLOPE_ON_LINE * along.abs()) {
            return false;
        }
        let size = tiles.size().as_dvec2();
        let borders = [0.0, size[axis]].map(|border| (border - start[axis]) / along);
        let enter = borders[0].min(borders[1]).max(0.0);
        let exit = borders[0].max(borders[1]).min(self.max_fraction.into());
        let across = |fraction: f64| (start + direction * fraction)[1 - axis];
        let line = across(enter).round();
        let cell = (tiles.cell_size() * placement.scale()).as_dvec2();
        let is_near = |fraction: f64| {
            (across(fraction) - line).abs() < (self.slop_at(fraction, cell) / cell)[1 - axis]
        };
        enter <= exit && (0.0..=size[1 - axis]).contains(&line) && is_near(enter) && is_near(exit)
    }

    /// How far rounding may move the ray at a fraction, in world units. The direction and the axes
    /// of a grid are rounded as well as positions.
    fn slop_at(&self, fraction: f64, cell: DVec2) -> f64 {
        let [origin, direction] =
            [self.origin, self.direction].map(|vector| f64::from(vector.abs().max_element()));
        f64::from(TOUCHING_SLOP) * (origin + direction * fraction + cell.max_element())
    }

    /// Returns the first hit with pieces on a segment of the ray, given by two fractions.
    fn first_of_pieces(&self, shape: &Shape, [start, end]: [f64; 2]) -> Option<CastOutput> {
        let slop = self.slop(shape);
        let [p, q] = [start, end].map(|fraction| {
            (self.origin.as_dvec2() + self.direction.as_dvec2() * fraction).as_vec2()
        });
        let area = Aabb2d {
            min: p.min(q),
            max: p.max(q),
        };
        let mut first: Option<CastOutput> = None;
        let mut seams = Seams::default();
        shape.visit_convex_pieces(&grow(&area, slop), &mut |piece| {
            if !seams.add(self, piece, slop) {
                first = earlier(first, self.cast(piece));
            }
        });
        earlier(first, seams.first(self, slop)).filter(|output| output.fraction <= end)
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
