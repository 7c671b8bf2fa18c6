//! The kinds of a grid's cells, by number.

use std::sync::Arc;

use bevy::math::{UVec2, Vec2};

use super::{
    CellRange, Tiles,
    cell_shape::CellShape,
    chunks::{CHUNK, bits},
    rounded_down,
};
use crate::{aabb::Aabb2d, geometry::compound::polygon::Polygon};

/// The shapes of cells by the number of their kind, 1 to 255. Cells with other numbers are open.
///
/// ```
/// use bevy::math::{UVec2, Vec2};
/// use bevy_thud::geometry::{CellShape, CellShapes, Tiles};
///
/// let shapes = CellShapes::new()
///     .with(1, CellShape::FULL)
///     .with(2, CellShape::slope(0.0, 1.0));
/// let tiles = Tiles::from_int_grid(3, [0, 0, 0, 0, 2, 1], Vec2::splat(16.0), &shapes);
/// assert_eq!(tiles.number(UVec2::new(1, 1)), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Vec<(u8, CellShape)>", into = "Vec<(u8, CellShape)>")
)]
pub struct CellShapes(Vec<(u8, CellShape)>);

impl CellShapes {
    /// No kinds: all cells are open.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the cells with a number a shape, instead of the one that they have. 0 stays open.
    #[must_use]
    pub fn with(mut self, number: u8, shape: CellShape) -> Self {
        self.0.retain(|(known, _)| *known != number);
        if number != 0 && !shape.is_empty() {
            self.0.push((number, shape));
            self.0.sort_unstable_by_key(|(number, _)| *number);
        }
        self
    }

    /// The shape of the cells with a number. `None` if they are open.
    pub fn get(&self, number: u8) -> Option<&CellShape> {
        let index = self.0.binary_search_by_key(&number, |(known, _)| *known);
        index.ok().map(|index| &self.0[index].1)
    }

    /// The numbers of all kinds, with their shapes.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &CellShape)> {
        self.0.iter().map(|(number, shape)| (*number, shape))
    }
}

impl From<Vec<(u8, CellShape)>> for CellShapes {
    fn from(shapes: Vec<(u8, CellShape)>) -> Self {
        let with = |all: Self, (number, shape)| all.with(number, shape);
        shapes.into_iter().fold(Self::new(), with)
    }
}

impl From<CellShapes> for Vec<(u8, CellShape)> {
    fn from(shapes: CellShapes) -> Self {
        shapes.0
    }
}

/// The solid part of a cell that is not full, relative to its center, in the grid's frame.
#[derive(Clone, Debug)]
pub(in crate::geometry) enum CellPiece {
    Rect { center: Vec2, half_size: Vec2 },
    Polygon(Arc<Polygon>),
}

/// The kinds of a grid.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    pub shapes: CellShapes,
    /// By number. `None` for full cells, for open ones, and for those without area.
    pieces: Vec<Option<CellPiece>>,
    /// The first kind that is full.
    pub plain: u8,
}

impl PartialEq for Kinds {
    fn eq(&self, other: &Self) -> bool {
        self.shapes == other.shapes
    }
}

impl Kinds {
    pub fn new(shapes: CellShapes, cell_size: Vec2) -> Self {
        let mut pieces = vec![None; 256];
        for (number, shape) in shapes.iter().filter(|(_, shape)| !shape.is_full()) {
            pieces[usize::from(number)] = CellPiece::of(shape, cell_size);
        }
        let plain = shapes.iter().find(|(_, shape)| shape.is_full());
        Self {
            plain: plain.map_or(0, |(number, _)| number),
            shapes,
            pieces,
        }
    }
}

impl CellPiece {
    fn of(shape: &CellShape, cell_size: Vec2) -> Option<Self> {
        let vertices = shape.vertices().iter();
        let vertices: Vec<Vec2> = vertices.map(|vertex| (*vertex - 0.5) * cell_size).collect();
        if let [low, _, high, _] = vertices.as_slice()
            && is_rect(shape.vertices())
        {
            return Some(Self::Rect {
                center: (*low + *high) / 2.0,
                half_size: (*high - *low) / 2.0,
            });
        }
        Polygon::new(vertices)
            .ok()
            .map(|polygon| Self::Polygon(Arc::new(polygon)))
    }
}

/// Whether four vertices, from the lowest one on the left, are those of a rectangle along the axes.
fn is_rect(vertices: &[Vec2]) -> bool {
    let [a, b, c, d] = vertices else {
        return false;
    };
    a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
}

impl Tiles {
    /// Whether some cells may be neither full nor open.
    pub(in crate::geometry) fn has_shaped_cells(&self) -> bool {
        self.kinds.is_some()
    }

    /// Visits the cells of which a fraction is solid, among those that an area in the grid's frame
    /// overlaps.
    pub(in crate::geometry) fn visit_shaped(
        &self,
        area: &Aabb2d,
        visit: &mut dyn FnMut(UVec2, &CellPiece),
    ) {
        let Some(kinds) = &self.kinds else {
            return;
        };
        let CellRange { start, end } = self.range_of(area);
        if start.cmpge(end).any() {
            return;
        }
        for (index, chunk) in self.chunks.iter_within(start / CHUNK, (end - 1) / CHUNK) {
            let Some(of_chunk) = &chunk.kinds else {
                continue;
            };
            let first = index * CHUNK;
            let from = start.saturating_sub(first);
            let to = (end - first).min(UVec2::splat(CHUNK));
            for row in from.y..to.y {
                let columns = u64::MAX >> (CHUNK - (to.x - from.x)) << from.x;
                for column in bits(of_chunk.shaped(row) & columns) {
                    let in_chunk = UVec2::new(column, row);
                    let number = of_chunk.number(in_chunk);
                    if let Some(piece) = &kinds.pieces[usize::from(number)] {
                        visit(first + in_chunk, piece);
                    }
                }
            }
        }
    }

    /// What is solid of a cell that is neither full nor open.
    pub(in crate::geometry) fn piece(&self, cell: UVec2) -> Option<&CellPiece> {
        let kinds = self.kinds.as_ref()?;
        kinds.pieces[usize::from(self.number(cell))].as_ref()
    }

    /// Whether all points within `slop` of a point in the grid's frame are solid.
    pub(super) fn is_solid_at_corners(&self, point: Vec2, slop: Vec2) -> bool {
        let slop = self.slop_in_cells(slop);
        let corners = [
            slop,
            -slop,
            Vec2::new(slop.x, -slop.y),
            Vec2::new(-slop.x, slop.y),
        ];
        let position = self.in_cells(point);
        (corners.into_iter()).all(|corner| self.distance_in_cells(position + corner) == 0.0)
    }

    /// The distance of a position, in cells from the top left, from what is solid in its cell.
    /// Infinite if the cell is open.
    fn distance_in_cells(&self, position: Vec2) -> f32 {
        let cell = rounded_down(position);
        self.distance_from_cell(cell.as_uvec2(), position)
    }

    /// The distance of a position from what is solid in a cell, in cells. Infinite if it is open.
    pub(super) fn distance_from_cell(&self, cell: UVec2, position: Vec2) -> f32 {
        let Some(shape) = self.cell_shape(cell) else {
            return f32::INFINITY;
        };
        // Rows run down.
        let in_cell = (position - cell.as_vec2()) * Vec2::new(1.0, -1.0) + Vec2::Y;
        distance(shape.vertices(), in_cell)
    }
}

/// The distance of a point from a convex polygon, 0 inside.
fn distance(vertices: &[Vec2], point: Vec2) -> f32 {
    let edges = || vertices.iter().zip(vertices.iter().cycle().skip(1));
    let is_inside = edges().all(|(start, end)| (end - start).perp_dot(point - start) >= 0.0);
    if is_inside {
        return 0.0;
    }
    let distance_from_edge = |(start, end): (&Vec2, &Vec2)| {
        let along = end - start;
        let fraction = (point - start).dot(along) / along.length_squared();
        point.distance(start + along * fraction.clamp(0.0, 1.0))
    };
    edges()
        .map(distance_from_edge)
        .fold(f32::INFINITY, f32::min)
}
