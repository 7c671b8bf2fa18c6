//! What is inside of outlines, and of what convex pieces that is made: on a grid of whole numbers,
//! so that every decision is exact and the same on all platforms.

use bevy::math::Vec2;
use i_triangle::{
    advanced::convex::ConvexSplitStrategy,
    i_overlay::{
        core::{
            fill_rule::FillRule,
            overlay::{IntOverlayOptions, Overlay, ShapeType},
            overlay_rule::OverlayRule,
            solver::{Precision, Solver},
        },
        i_float::int::{angle::Angle, point::IntPoint},
        i_shape::int::shape::{IntContour, IntShapes},
        mesh::int::{
            arc::ArcOptions,
            outline::offset::IntOutlineOffset,
            style::{IntLineJoin, IntOutlineStyle},
        },
    },
    int::unchecked::IntUncheckedTriangulatable,
};

use crate::geometry::convex::MAX_VERTICES;

/// Coordinates on a fine grid are below two to this power, so that products of their differences
/// fit in 128 bits. Each `f32` that is not below 2^-36 of the largest coordinate is on the grid.
const FINE_BITS: i32 = 60;
/// Each coordinate on a coarse grid is an `f32`.
const COARSE_BITS: i32 = 24;
/// Edges that cross within two to minus this power of the largest coordinate from an end meet
/// there: [`TOUCHING_SLOP`](crate::geometry::TOUCHING_SLOP). So vertices that are on edges of
/// others but for rounding leave no slivers.
const SNAP_BITS: i32 = 21;
/// How often outlines are rounded to `f32`, and resolved where that made them cross again. Once is
/// nearly always enough.
const MAX_ROUNDS: usize = 8;
/// The largest angle between vertices of a rounded corner: an eighth of a half turn.
const ROUND_CORNER_STEP: Angle = Angle::from_bits(1 << 28);

type Outlines = Vec<Vec<Vec2>>;

/// Points as whole numbers.
#[derive(Clone, Copy)]
struct Grid {
    /// Numbers are below two to this power.
    bits: i32,
    /// Coordinates are multiplied by two to this power.
    exponent: i32,
}

/// An area whose outlines touch each other at most at vertices.
pub(super) struct Area {
    grid: Grid,
    /// Each begins with its outer outline, counter-clockwise; the others are holes, clockwise. All
    /// coordinates are `f32`s.
    shapes: IntShapes<i64>,
}

impl Grid {
    /// A grid for coordinates of at most this size.
    fn new(largest: f64, bits: i32) -> Self {
        Self {
            bits,
            exponent: bits - libm::frexp(largest).1,
        }
    }

    fn point(self, point: Vec2) -> IntPoint<i64> {
        let [x, y] = [point.x, point.y].map(|coordinate| self.number(coordinate));
        IntPoint::new(x, y)
    }

    fn number(self, number: f32) -> i64 {
        libm::round(libm::ldexp(number.into(), self.exponent)) as i64
    }

    fn contours(self, outlines: &[Vec<Vec2>]) -> Vec<IntContour<i64>> {
        let contour = |outline: &Vec<Vec2>| outline.iter().map(|p| self.point(*p)).collect();
        outlines.iter().map(contour).collect()
    }

    fn outline(self, contour: &IntContour<i64>) -> Vec<Vec2> {
        let coordinate = |number: i64| libm::ldexp(number as f64, -self.exponent) as f32;
        let point = |point: &IntPoint<i64>| Vec2::new(coordinate(point.x), coordinate(point.y));
        contour.iter().map(point).collect()
    }

    fn outlines(self, shapes: &IntShapes<i64>) -> Outlines {
        shapes
            .iter()
            .flatten()
            .map(|contour| self.outline(contour))
            .collect()
    }

    /// Rounds the coordinates of shapes to `f32`, which may make their edges cross by rounding.
    fn settled(self, mut shapes: IntShapes<i64>, largest: f64) -> Area {
        for _ in 0..MAX_ROUNDS {
            let rounded = self.contours(&self.outlines(&shapes));
            if shapes.iter().flatten().eq(&rounded) {
                return Area { grid: self, shapes };
            }
            shapes = self.resolved(rounded, FillRule::Positive);
        }
        let coarse = Self::new(largest, COARSE_BITS);
        let contours = coarse.contours(&self.outlines(&shapes));
        Area {
            grid: coarse,
            shapes: coarse.resolved(contours, FillRule::Positive),
        }
    }

    fn overlay(self) -> Overlay<i64> {
        let precision = Precision {
            // Of the square of the distance.
            start: 2 * (self.bits - SNAP_BITS).unsigned_abs() as usize,
            progression: 1,
        };
        Overlay::new_custom(0, options(), Solver::with_precision(precision))
    }

    /// Returns what is inside of contours. A single one that is simple keeps its first vertex.
    fn resolved(self, contours: Vec<IntContour<i64>>, rule: FillRule) -> IntShapes<i64> {
        let shapes = self.overlay().simplify_shape(&contours, rule);
        shapes.unwrap_or_else(|| vec![contours])
    }
}

impl Area {
    /// What is inside of outlines by a rule.
    pub fn within(outlines: &[Vec<Vec2>], rule: FillRule) -> Self {
        let largest = largest_coordinate(outlines);
        let grid = Grid::new(largest, FINE_BITS);
        grid.settled(grid.resolved(grid.contours(outlines), rule), largest)
    }

    /// The result of a Boolean operation on the insides of two sets of outlines, each directed
    /// like those of an area.
    pub fn combined(subject: &[Vec<Vec2>], clip: &[Vec<Vec2>], rule: OverlayRule) -> Self {
        let largest = largest_coordinate(subject).max(largest_coordinate(clip));
        let grid = Grid::new(largest, FINE_BITS);
        let mut overlay = grid.overlay();
        overlay.add_source(&grid.contours(subject), ShapeType::Subject);
        overlay.add_source(&grid.contours(clip), ShapeType::Clip);
        grid.settled(overlay.overlay(rule, FillRule::Positive), largest)
    }

    /// What is at most `distance` from the inside of outlines that are directed like those of an
    /// area; if it is negative, what is at least that far from the outside. `None` if not finite.
    pub fn offset(outlines: &[Vec<Vec2>], distance: f32) -> Option<Self> {
        let largest = largest_coordinate(outlines) + 2.0 * f64::from(distance.abs());
        if !(largest < f32::MAX.into()) {
            return None;
        }
        let grid = Grid::new(largest, FINE_BITS);
        let style =
            IntOutlineStyle::new(grid.number(distance)).line_join(IntLineJoin::Round(ArcOptions {
                max_step: ROUND_CORNER_STEP,
                ..ArcOptions::default()
            }));
        let shapes = grid.contours(outlines).outline_custom(&style, options());
        Some(grid.settled(shapes.ok()?, largest))
    }

    /// The outlines, with the area to their left. Each passes its first vertex only once.
    pub fn outlines(&self) -> Outlines {
        let mut outlines = self.grid.outlines(&self.shapes);
        for outline in &mut outlines {
            let passes = |vertex| outline.iter().filter(|other| **other == vertex).count();
            let first = outline.iter().position(|&vertex| passes(vertex) == 1);
            outline.rotate_left(first.unwrap_or(0));
        }
        outlines
    }

    /// The convex pieces: triangles that are as wide as possible (Delaunay), joined to polygons of
    /// up to [`MAX_VERTICES`].
    pub fn convex_pieces(&self) -> Outlines {
        let triangles = self.shapes.uncheck_triangulate().into_delaunay();
        let strategy = ConvexSplitStrategy::EarClipping;
        let pieces = triangles.to_convex_polygons_with_max_vertices(MAX_VERTICES, strategy);
        let pieces = pieces.iter().filter(|piece| piece.len() > 2);
        pieces.map(|piece| self.grid.outline(piece)).collect()
    }
}

/// All vertices are kept, also those on straight edges: other outlines may touch them.
fn options() -> IntOverlayOptions<u128> {
    IntOverlayOptions::keep_all_points()
}

fn largest_coordinate(outlines: &[Vec<Vec2>]) -> f64 {
    let sizes = outlines
        .iter()
        .flatten()
        .map(|point| point.abs().max_element());
    sizes.fold(0.0, f32::max).into()
}
