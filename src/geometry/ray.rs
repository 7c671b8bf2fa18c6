//! Rays against single shapes.
//!
//! A ray is the cast of a point, and the general cast answers for any shape. But few rays start at the surface of the circles and rectangles
//! that they are asked about, and for the others few operations are enough.

use std::cell::Cell;

use bevy::math::{DVec2, Rot2, Vec2, Vec2Swizzles, bounding::Aabb2d};

use super::{
    CastOutput, Placement, Polygon, Shape, TOUCHING_SLOP, Tiles, cast_from, contains_point,
    minkowski::rotate, surface::depth_of_point, surface_point,
};
use crate::aabb::grow;

/// How many cells of a grid are looked at together.
const CELLS_PER_STRETCH: f64 = 8.0;
/// A ray that is so near to a line between cells, all along it, runs on it: in cells.
const NEAR_LINE: f32 = 1e-4;
/// So much may a ray leave a line that it is meant to run on, as a part of its way: its direction and the axes of the grid are rounded.
const AXIS_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;
/// A ray that starts at the surface of a polygon enters it if it gets this much deeper than what
/// counts as touching: the polygon's frame is rounded, too.
const ENTERED: f64 = 4.0;
/// How many stretches a way has at most, however small the cells are.
const MAX_STRETCHES: f64 = 65_536.0;

/// A part of a straight line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub origin: Vec2,
    /// Of any length. Fractions along the ray are multiples of it.
    pub direction: Vec2,
    /// The fraction at which the ray ends. It may be infinite.
    pub max_fraction: f32,
}

impl Ray {
    /// Where the ray first meets a shape. Both have to be finite, but for the ray's length.
    #[inline(always)]
    pub fn cast(&self, shape: &Shape) -> Option<CastOutput> {
        let if_clear = if let Shape::Circle { center, radius } = *shape {
            self.cast_at_circle(center, radius, self.slop(shape))
        } else if let Shape::Rect {
            center,
            half_size,
            rotation,
        } = *shape
        {
            self.cast_at_rect((center, half_size, rotation), self.slop(shape))
        } else {
            None
        };
        if_clear.unwrap_or_else(|| {
            if shape.is_convex() {
                self.cast_at_convex(shape)
            } else {
                self.cast_at_compound(shape)
            }
        })
    }

    /// How near the origin may be to a shape to count as touching it, in world units.
    #[inline(always)]
    fn slop(&self, shape: &Shape) -> f32 {
        TOUCHING_SLOP * (self.origin.abs().max_element()).max(shape.largest_coordinate())
    }

    /// The impact with a circle, if there is one. None at all, if the ray starts at its surface.
    ///
    /// All is multiplied by the square of the direction's length, so that a miss needs no division and no root.
    #[inline]
    fn cast_at_circle(&self, center: Vec2, radius: f32, slop: f32) -> Option<Option<CastOutput>> {
        let start = self.origin.as_dvec2() - center.as_dvec2();
        let direction = self.direction.as_dvec2();
        let (radius, slop) = (f64::from(radius), f64::from(slop));
        let distance_square = start.length_squared();
        let (least, most) = (radius - slop, radius + slop);
        if least > 0.0 && distance_square < least * least {
            let normal = start.normalize_or(DVec2::Y).as_vec2();
            return Some(Some(hit_at_start(normal, false)));
        }
        if !(distance_square > most * most) {
            return None;
        }
        let square = direction.length_squared();
        let (closest, miss) = (-start.dot(direction), start.perp_dot(direction));
        let half_chord_square = radius * radius * square - miss * miss;
        if !(closest > 0.0 && half_chord_square > 0.0) {
            return Some(None);
        }
        let fraction = ((closest - half_chord_square.sqrt()) / square).max(0.0);
        if fraction > self.max_fraction.into() {
            return Some(None);
        }
        // From far away rounding leaves nothing of a tiny circle but its center.
        let normal = (start + direction * fraction)
            .try_normalize()
            .unwrap_or_else(|| -direction.normalize_or_zero());
        Some(Some(CastOutput {
            fraction,
            normal: normal.as_vec2(),
            is_edge: false,
        }))
    }

    /// The impact with a rectangle, if there is one. None at all, if the ray starts at its surface.
    ///
    /// In the rectangle's frame, mirrored so that the ray runs up both axes, it enters where it crosses the later one of the near sides,
    /// unless it has crossed a far one before. Times are compared without a division.
    #[inline(always)]
    fn cast_at_rect(
        &self,
        (center, half_size, rotation): (Vec2, Vec2, Rot2),
        slop: f32,
    ) -> Option<Option<CastOutput>> {
        let inverse = rotation.inverse();
        let start = rotate(inverse, self.origin.as_dvec2() - center.as_dvec2());
        let direction = rotate(inverse, self.direction.as_dvec2());
        let (half_size, slop) = (half_size.as_dvec2(), f64::from(slop));
        let [x_axis, y_axis] = [
            Vec2::new(rotation.cos, rotation.sin),
            Vec2::new(-rotation.sin, rotation.cos),
        ];
        let beyond = start.abs() - half_size;
        let distance = beyond.max_element();
        if distance < -slop {
            let normal = if beyond.x > beyond.y {
                x_axis * 1f32.copysign(start.x as f32)
            } else {
                y_axis * 1f32.copysign(start.y as f32)
            };
            return Some(Some(hit_at_start(normal, true)));
        }
        if !(distance > slop) {
            return None;
        }
        let mirror = DVec2::ONE.copysign(direction);
        let (start, along) = (start * mirror, direction.abs());
        let (near, far) = (-half_size - start, half_size - start);
        let is_beside = |near: f64, along: f64| along == 0.0 && near >= 0.0;
        if far.min_element() <= 0.0 || is_beside(near.x, along.x) || is_beside(near.y, along.y) {
            return Some(None);
        }
        let by_x = near.x * along.y > near.y * along.x;
        let (near, far, along, across, normal) = if by_x {
            (near.x, far.y, along.x, along.y, x_axis * -mirror.x as f32)
        } else {
            (near.y, far.x, along.y, along.x, y_axis * -mirror.y as f32)
        };
        let is_met = near * across <= far * along && near <= along * f64::from(self.max_fraction);
        Some(is_met.then(|| CastOutput {
            fraction: near / along,
            normal,
            is_edge: true,
        }))
    }

    /// The impact with a shape that is not convex.
    #[inline(never)]
    fn cast_at_compound(&self, shape: &Shape) -> Option<CastOutput> {
        if contains_point(shape, self.origin)
            && let Some(depth) = depth_of_point(self.origin, shape)
        {
            // What starts at the surface of a polygon may leave it.
            let is_grid = matches!(shape, Shape::Tiles { .. });
            if is_grid || depth.distance < -self.slop(shape) {
                return Some(hit_at_start(-depth.normal, true));
            }
        }
        match shape {
            Shape::Tiles { tiles, placement } => self.cast_at_tiles(shape, tiles, placement),
            Shape::Polygon { polygon, placement } => self.cast_at_edges(polygon, placement),
            _ => None,
        }
    }

    /// The impact with a polygon, from outside or from its surface: with the first of the sides
    /// that face the ray.
    fn cast_at_edges(&self, polygon: &Polygon, placement: &Placement) -> Option<CastOutput> {
        let (origin, direction) = (self.origin.as_dvec2(), self.direction.as_dvec2());
        let coordinates = self.origin.abs().max(polygon.reach_at(placement));
        let slop = TOUCHING_SLOP * coordinates.max_element();
        let end = Cell::new(f64::from(self.max_fraction));
        let mut first: Option<CastOutput> = None;
        // Of the sides at which the ray starts, that which it goes through most steeply.
        let mut entry: Option<(f64, Vec2)> = None;
        let may_be_met = |aabb: &Aabb2d| self.may_meet(&grow(aabb, slop), end.get());
        for (start, corner, normal) in polygon.sides_near(placement, may_be_met) {
            let speed = normal.as_dvec2().dot(direction);
            if !(speed < 0.0) {
                continue;
            }
            let ends = [start, corner].map(|point| point.as_dvec2() - origin);
            if is_near_segment(ends, slop.into()) {
                entry = entry
                    .filter(|entry| entry.0 <= speed)
                    .or(Some((speed, normal)));
                continue;
            }
            // Sides share these numbers at their vertices, so that no ray slips between two.
            let [p, q] = ends.map(|end| direction.perp_dot(end));
            let side = ends[1] - ends[0];
            let fraction = ends[0].perp_dot(side) / direction.perp_dot(side);
            let is_met = p.min(q) <= 0.0
                && p.max(q) >= 0.0
                && (0.0..=f64::from(self.max_fraction)).contains(&fraction);
            if is_met && first.is_none_or(|first| fraction < first.fraction) {
                first = Some(CastOutput {
                    fraction,
                    normal,
                    is_edge: true,
                });
                end.set(fraction);
            }
        }
        let entered = entry.filter(|(speed, _)| {
            let fraction = ENTERED * f64::from(slop) / -speed;
            let there = (origin + direction * fraction).as_vec2();
            fraction <= end.get() && polygon.contains(placement.inverse_transform_point(there))
        });
        entered.map_or(first, |(_, normal)| Some(hit_at_start(normal, true)))
    }

    /// Whether the ray might meet something in a box until some time. It does not, if the box is beside, behind or beyond it.
    fn may_meet(&self, aabb: &Aabb2d, end: f64) -> bool {
        let (min, max) = (aabb.min.as_dvec2(), aabb.max.as_dvec2());
        let (middle, half) = ((min + max) / 2.0, (max - min) / 2.0);
        let (away, direction) = (middle - self.origin.as_dvec2(), self.direction.as_dvec2());
        let (across, along) = (direction.perp_dot(away), direction.dot(away));
        let half_across = half.dot(direction.yx().abs());
        let half_along = half.dot(direction.abs());
        !(across.abs() > half_across
            || along < -half_along
            || along - half_along > end * direction.length_squared())
    }

    /// The impact with a grid, from outside: cell by cell, unless it starts at the surface.
    fn cast_at_tiles(
        &self,
        shape: &Shape,
        tiles: &Tiles,
        placement: &Placement,
    ) -> Option<CastOutput> {
        let from_center = self.origin.as_dvec2() - placement.center.as_dvec2();
        let [origin, direction] = [from_center, self.direction.as_dvec2()]
            .map(|vector| placement.unapply_exact_vector(vector));
        let in_cells = tiles.ray_in_cells(origin, direction);
        if let Some(on_line) = self.cast_on_line(tiles, placement, in_cells) {
            return on_line;
        }
        let slop = self.slop(shape) / placement.scale();
        if !tiles.is_open_around(placement.inverse_transform_point(self.origin), slop) {
            return self.cast_in_segments(shape, tiles, placement);
        }
        let (start, direction) = in_cells;
        let met = tiles.first_solid_cell_along(start, direction, self.max_fraction.into())?;
        Some(CastOutput {
            fraction: met.fraction,
            normal: normal_against(met.axis, direction[met.axis], placement),
            is_edge: true,
        })
    }

    /// The same stretch by stretch, for most cells are not on the way.
    fn cast_in_segments(
        &self,
        shape: &Shape,
        tiles: &Tiles,
        placement: &Placement,
    ) -> Option<CastOutput> {
        let (enter, exit) = self.times_within(&shape.aabb())?;
        let cell = (tiles.cell_size() * placement.scale()).min_element();
        let cells = (exit - enter) * f64::from(self.direction.length() / cell);
        let stretches = if cells.is_finite() {
            (cells / CELLS_PER_STRETCH).clamp(1.0, MAX_STRETCHES).ceil()
        } else {
            // All cells are on one line.
            1.0
        };
        let fraction = |number: u32| enter + (exit - enter) * (f64::from(number) / stretches);
        (0..stretches as u32)
            .find_map(|number| self.first_of_parts(shape, (fraction(number), fraction(number + 1))))
    }

    /// The impact with a grid of a ray on a line between cells, if there is one: where there are solid ones on both sides. None at all, if it
    /// runs elsewhere. The ray is given in cells.
    fn cast_on_line(
        &self,
        tiles: &Tiles,
        placement: &Placement,
        (start, direction): (DVec2, DVec2),
    ) -> Option<Option<CastOutput>> {
        let axis = usize::from(direction.x.abs() <= direction.y.abs());
        let (along, across) = (direction[axis], direction[1 - axis]);
        let line = start[1 - axis].round();
        let cell = (tiles.cell_size() * placement.scale()).min_element();
        let near = NEAR_LINE.max(TOUCHING_SLOP * self.origin.abs().max_element() / cell);
        let size = tiles.size().as_dvec2();
        // All the way through the grid; but for how rounding turns a frame.
        let nearly_along = (f64::from(NEAR_LINE) / size[axis]).max(AXIS_ROUNDING);
        let is_on_line = across.abs() < nearly_along * along.abs()
            && (start[1 - axis] - line).abs() < near.into()
            && (0.0..=size[1 - axis]).contains(&line);
        if !is_on_line || size[axis] < 1.0 {
            return None;
        }
        let last = size[axis] - 1.0;
        let from = start[axis].floor().clamp(0.0, last);
        let to = if along > 0.0 { last } else { 0.0 };
        let Some(met) = tiles.first_on_line(axis, line as u32, (from as u32, to as u32)) else {
            return Some(None);
        };
        let edge = if along > 0.0 { met } else { met + 1 };
        let fraction = (f64::from(edge) - start[axis]) / along;
        let is_met = (0.0..=f64::from(self.max_fraction)).contains(&fraction);
        Some(is_met.then(|| CastOutput {
            fraction,
            normal: normal_against(axis, along, placement),
            is_edge: true,
        }))
    }

    /// The first impact with the parts of a shape that are near a stretch of the ray, if it is on that.
    fn first_of_parts(&self, shape: &Shape, (start, end): (f64, f64)) -> Option<CastOutput> {
        let [p, q] = [start, end].map(|fraction| {
            (self.origin.as_dvec2() + self.direction.as_dvec2() * fraction).as_vec2()
        });
        let area = Aabb2d {
            min: p.min(q),
            max: p.max(q),
        };
        let mut first: Option<CastOutput> = None;
        shape.visit_convex_pieces(&grow(&area, self.slop(shape)), |part| {
            if let Some(cast) = self.cast(part)
                && cast.fraction <= end
                && first.is_none_or(|first| cast.fraction < first.fraction)
            {
                first = Some(cast);
            }
        });
        first
    }

    /// The times at which the ray enters and leaves a box, if it does.
    fn times_within(&self, aabb: &Aabb2d) -> Option<(f64, f64)> {
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
            let times = [min[axis] / direction[axis], max[axis] / direction[axis]];
            enter = times[0].min(times[1]).max(enter);
            exit = times[0].max(times[1]).min(exit);
        }
        (enter <= exit && exit.is_finite()).then_some((enter, exit))
    }

    /// The same for any convex shape and any start.
    #[inline(never)]
    fn cast_at_convex(&self, shape: &Shape) -> Option<CastOutput> {
        let point = Shape::circle(self.origin, 0.0);
        let gap = surface_point(&point, shape)?;
        if gap.distance < -self.slop(shape) {
            return Some(CastOutput {
                fraction: 0.0,
                normal: gap.normal,
                is_edge: gap.is_edge,
            });
        }
        let first_within = |length: f32| {
            let way = Some(self.direction * length).filter(|way| way.is_finite())?;
            let output = cast_from(&gap, &point, way, shape, 0.0)?;
            Some(CastOutput {
                fraction: output.fraction * f64::from(length),
                ..output
            })
        };
        // Further than this the ray is behind the shape. It is the same for a shorter ray, so that rounding is, too.
        let aabb = shape.aabb();
        let furthest = (aabb.min - self.origin).length() + (aabb.max - self.origin).length();
        let behind = 2.0 * furthest / self.direction.length();
        let first = first_within(if behind.is_finite() {
            behind
        } else {
            self.max_fraction
        })?;
        // Where the ray starts at the surface, it depends on its length whether it goes in by more than rounding.
        if first.fraction > 0.0 {
            (first.fraction <= self.max_fraction.into()).then_some(first)
        } else {
            first_within(self.max_fraction.min(behind))
        }
    }
}

/// The output for a shape in which the ray starts.
fn hit_at_start(normal: Vec2, is_edge: bool) -> CastOutput {
    CastOutput {
        fraction: 0.0,
        normal,
        is_edge,
    }
}

/// Whether the origin is no further than `reach` from a segment.
fn is_near_segment([start, end]: [DVec2; 2], reach: f64) -> bool {
    let (side, square) = (end - start, reach * reach);
    let doubled_area = start.perp_dot(side);
    // Mostly not even the line is so near.
    if doubled_area * doubled_area > square * side.length_squared() {
        return false;
    }
    let fraction = (-start.dot(side) / side.length_squared()).clamp(0.0, 1.0);
    // Without a length the fraction is NaN.
    let nearest = start + side * if fraction > 0.0 { fraction } else { 0.0 };
    nearest.length_squared() <= square
}

/// The outward normal of the side of a cell that a ray meets which goes so far along an axis, counted in cells.
fn normal_against(axis: usize, along: f64, placement: &Placement) -> Vec2 {
    let sign = if along < 0.0 { -1.0 } else { 1.0 };
    // Rows run down.
    let normal = if axis == 0 {
        Vec2::new(-sign, 0.0)
    } else {
        Vec2::new(0.0, sign)
    };
    placement.apply_normal(normal, placement.rotation())
}
