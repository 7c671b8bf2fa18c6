//! Grids of cells.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Form, Grip, Handle, Kind, Pull, rect::CORNERS};

/// A hall with a pillar, a gap and a step.
pub const HALL: [&str; 6] = [
    "########", "#......#", "#..##...", "#..#....", "#.....##", "########",
];

const LEAST_CELL: Vec2 = Vec2::splat(4.0);

fn size(tiles: &TileCollider) -> Vec2 {
    tiles.size().as_vec2() * tiles.cell_size()
}

/// The same cells with another size.
fn resized(tiles: &TileCollider, cell_size: Vec2) -> TileCollider {
    let UVec2 { x, y } = tiles.size();
    let cells = (0..y).flat_map(|row| (0..x).map(move |column| UVec2::new(column, row)));
    TileCollider::from_cells(x, cells.map(|cell| tiles.is_solid(cell)), cell_size)
}

/// The corners of a rectangle in the frame of the grid, counter-clockwise.
fn corners(center: Vec2, size: Vec2) -> Vec<Vec2> {
    CORNERS.map(|corner| center + corner * size / 2.0).into()
}

/// Joins edges to closed lines. Exactly two edges meet at each vertex.
fn joined(mut edges: Vec<[Vec2; 2]>) -> Vec<Vec<Vec2>> {
    let mut lines = Vec::new();
    while let Some([start, mut end]) = edges.pop() {
        let mut line = vec![start];
        while let Some(next) = edges.iter().position(|edge| edge.contains(&end)) {
            line.push(end);
            let [p, q] = edges.swap_remove(next);
            end = if p == end { q } else { p };
        }
        lines.push(line);
    }
    lines
}

/// All grids here are around the origin of their own frame.
impl Kind for TileCollider {
    fn title(&self) -> &'static str {
        "grid"
    }

    fn measures(&self) -> Vec<(&'static str, String)> {
        let UVec2 { x, y } = self.size();
        let cell = self.cell_size();
        vec![
            ("cells", format!("{x} x {y}")),
            ("solid", self.solid_cells().count().to_string()),
            ("of size", format!("{:.1} x {:.1}", cell.x, cell.y)),
        ]
    }

    fn color(&self) -> Color {
        Color::srgb(0.80, 0.76, 0.62)
    }

    fn outlines(&self) -> Vec<Vec<Vec2>> {
        joined(self.tiles().edges().collect())
    }

    fn pieces(&self) -> Vec<Vec<Vec2>> {
        let cells = self.solid_cells();
        cells.filter_map(|cell| self.cell(cell)).collect()
    }

    fn frame(&self) -> Option<Vec<Vec2>> {
        Some(corners(Vec2::ZERO, size(self)))
    }

    fn cell(&self, cell: UVec2) -> Option<Vec<Vec2>> {
        Some(corners(self.cell_center(cell), self.cell_size()))
    }

    fn top(&self) -> Option<Vec2> {
        Some(Vec2::Y * size(self) / 2.0)
    }

    fn handles(&self) -> Vec<Handle> {
        let at = |side: Vec2| side * size(self) / 2.0;
        CORNERS
            .map(|side| Handle::new(Grip::Side(side), Pull::Along(side), [at(side)]))
            .into()
    }

    /// The opposite corner stays where it is.
    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<(Form, Vec2)> {
        let Grip::Side(side) = grip else {
            return None;
        };
        let pulled = side * (to - from) / self.size().as_vec2();
        let resized = resized(self, (self.cell_size() + pulled).max(LEAST_CELL));
        let shift = side * (size(&resized) - size(self)) / 2.0;
        Some((Form::Tiles(resized), shift))
    }

    /// Toggles a cell. The last solid one stays.
    fn edited(&self, grip: Option<Grip>, at: Vec2) -> Option<(Form, Vec2)> {
        let cell = self.cell_at(at)?;
        if !matches!(grip, None | Some(Grip::Body)) {
            return None;
        }
        let mut tiles = self.clone();
        tiles.set(cell, !self.is_solid(cell));
        let is_left = tiles.solid_cells().next().is_some();
        is_left.then_some((Form::Tiles(tiles), Vec2::ZERO))
    }
}
