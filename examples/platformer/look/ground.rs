//! Tiles, the hill and planks.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::brush::{Brush, bar, palette, rect};

/// The thickness of the grass.
const GRASS: f32 = 3.5;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (draw_tiles, draw_hill, draw_planks));
}

fn draw_tiles(maps: Query<(Entity, &TileCollider), Added<TileCollider>>, mut commands: Commands) {
    for (entity, tiles) in &maps {
        let size = tiles.cell_size();
        let mut drawn = commands.entity(entity);
        drawn.insert(Visibility::default());
        drawn.with_children(|drawn| {
            for cell in tiles.solid_cells() {
                let center = tiles.cell_center(cell);
                let is_dark = (cell.x + cell.y) % 2 == 0;
                let color = if is_dark {
                    palette::EARTH_DARK
                } else {
                    palette::EARTH
                };
                drawn.spawn(rect(color, center.extend(0.0), size));
                if cell.y > 0 && !tiles.is_solid(cell - UVec2::Y) {
                    let top = center + Vec2::Y * (size.y - GRASS) / 2.0;
                    let grass = Vec2::new(size.x, GRASS);
                    drawn.spawn(rect(palette::GRASS, top.extend(0.05), grass));
                }
            }
        });
    }
}

/// Draws strips from the upper edges down to the lowest vertex.
fn draw_hill(
    hills: Query<(Entity, &PolygonCollider), Added<PolygonCollider>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, hill) in &hills {
        let vertices = hill.vertices();
        let bottom = vertices
            .iter()
            .map(|vertex| vertex.y)
            .fold(f32::MAX, f32::min);
        let mut drawn = commands.entity(entity);
        drawn.insert(Visibility::default());
        drawn.with_children(|drawn| {
            let next = vertices.iter().cycle().skip(1);
            // An outline is counterclockwise: its upper edges go to the left.
            for (&from, &to) in vertices.iter().zip(next).filter(|(from, to)| to.x < from.x) {
                let [right, left] = [from, to].map(|top| Vec2::new(top.x, bottom));
                let color = palette::EARTH;
                drawn.spawn(brush.triangle(color, 0.1, [from, to, left]));
                drawn.spawn(brush.triangle(color, 0.1, [from, left, right]));
                let inward = (to - from).normalize().perp() * GRASS / 2.0;
                let edge = [from + inward, to + inward];
                drawn.spawn(bar(palette::GRASS, 0.2, edge, GRASS));
            }
        });
    }
}

fn draw_planks(planks: Query<(Entity, &RectCollider), Added<OneWay>>, mut commands: Commands) {
    for (entity, RectCollider { size, .. }) in &planks {
        let mut drawn = commands.entity(entity);
        drawn.insert(Visibility::default());
        drawn.with_children(|drawn| {
            drawn.spawn(rect(palette::WOOD, Vec3::ZERO, *size));
            for side in [-1.0, 1.0] {
                let at = Vec3::new(side * (size.x / 2.0 - 6.0), 0.0, 0.1);
                drawn.spawn(rect(palette::WOOD_DARK, at, Vec2::new(3.0, size.y)));
            }
        });
    }
}
