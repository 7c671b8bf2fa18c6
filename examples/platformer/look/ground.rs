//! The cells: earth with grass on it, and planks.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::brush::{Brush, bar, palette, rect};

/// The thickness of the grass.
const GRASS: f32 = 3.5;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, draw);
}

fn draw(
    grids: Query<(Entity, &TileCollider, Has<OneWay>), Added<TileCollider>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, tiles, is_plank) in &grids {
        let mut drawn = commands.entity(entity);
        drawn.insert(Visibility::default());
        drawn.with_children(|drawn| {
            for cell in tiles.solid_cells() {
                let corners = corners(tiles, cell);
                if is_plank {
                    draw_plank(drawn, &corners);
                } else {
                    draw_earth(drawn, &mut brush, tiles, cell, &corners);
                }
            }
        });
    }
}

/// The corners of the shape of a cell, counterclockwise.
fn corners(tiles: &TileCollider, cell: UVec2) -> Vec<Vec2> {
    let shape = tiles.cell_shape(cell).unwrap_or(&CellShape::FULL);
    let size = tiles.cell_size();
    let lower_left = tiles.cell_center(cell) - size / 2.0;
    let corner = |vertex: &Vec2| lower_left + vertex * size;
    shape.vertices().iter().map(corner).collect()
}

fn draw_earth(
    drawn: &mut ChildSpawnerCommands,
    brush: &mut Brush,
    tiles: &TileCollider,
    cell: UVec2,
    corners: &[Vec2],
) {
    let is_dark = (cell.x + cell.y).is_multiple_of(2);
    let color = if is_dark {
        palette::EARTH_DARK
    } else {
        palette::EARTH
    };
    if tiles.cell_shape(cell) == Some(&CellShape::FULL) {
        let center = tiles.cell_center(cell).extend(0.0);
        drawn.spawn(rect(color, center, tiles.cell_size()));
    } else {
        drawn.spawn(brush.polygon(color, 0.0, corners));
    }
    let top = tiles.cell_center(cell).y + tiles.cell_size().y / 2.0;
    let is_covered = cell.y > 0 && tiles.cell_shape(cell - UVec2::Y).is_some();
    let next = corners.iter().cycle().skip(1);
    // Counterclockwise, upper edges go to the left.
    for (&from, &to) in corners.iter().zip(next).filter(|(from, to)| to.x < from.x) {
        if !(is_covered && from.y.min(to.y) == top) {
            let inward = (to - from).normalize().perp() * GRASS / 2.0;
            let edge = [from + inward, to + inward];
            drawn.spawn(bar(palette::GRASS, 0.2, edge, GRASS));
        }
    }
}

fn draw_plank(drawn: &mut ChildSpawnerCommands, corners: &[Vec2]) {
    let Rect { min, max } = Rect::from_corners(corners[0], corners[2]);
    let center = min.midpoint(max);
    let size = max - min;
    drawn.spawn(rect(palette::WOOD, center.extend(0.0), size));
    let nail = Vec2::new(3.0, size.y);
    drawn.spawn(rect(palette::WOOD_DARK, center.extend(0.1), nail));
}
