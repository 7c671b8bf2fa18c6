//! Spawns the grids of layers of tiles.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{ChunkData, LayerTile, TileLayer};

use crate::{
    cells::{Collector, GridPlan, LoosePlan},
    components::{CellTile, TiledCells, TiledTile},
    error::{TiledLocation, TiledProblem},
    kinds::KindMaker,
    role::TiledRole,
    shapes,
    spawn::Spawner,
};

/// Spawns the colliders of a layer as its children.
pub(crate) fn spawn(
    spawner: &mut Spawner,
    parent: Entity,
    layer: &TileLayer,
    name: &str,
    role: TiledRole,
) {
    if layer.width() == Some(0) || layer.height() == Some(0) {
        spawner.report_problem(Some(name), TiledLocation::Whole, TiledProblem::NoCells);
        return;
    }
    let cell_size = spawner.cell_size();
    let mut collector = Collector::new(KindMaker {
        rules: spawner.rules,
        cell_size,
        layer_role: role,
        layer_name: name,
    });
    for (cell, tile) in tiles_of(layer) {
        collector.add(cell, &tile);
    }
    let plan = collector.finish();
    for error in plan.errors {
        spawner.report(error);
    }
    let tiles: Arc<[TiledTile]> = plan.tiles.into();
    for grid in plan.grids {
        spawn_grid(spawner, parent, grid, &tiles);
    }
    for loose in plan.loose {
        let tile = &tiles[loose.tile as usize];
        spawn_loose(spawner, parent, name, loose, tile);
    }
}

fn spawn_grid(spawner: &mut Spawner, parent: Entity, plan: GridPlan, tiles: &Arc<[TiledTile]>) {
    let cells = || plan.cells.iter().map(|filled| filled.cell);
    let (Some(first), Some(last)) = (cells().reduce(IVec2::min), cells().reduce(IVec2::max)) else {
        return;
    };
    let size = (last - first + 1).as_uvec2();
    let index_of = |cell: IVec2| {
        let cell = (cell - first).as_uvec2();
        cell.y * size.x + cell.x
    };
    let cells = plan.cells.iter().map(|filled| CellTile {
        cell: index_of(filled.cell),
        tile: filled.tile,
    });
    let cells = TiledCells {
        first,
        columns: size.x,
        tiles: tiles.clone(),
        cells: cells.collect(),
    };
    let mut filled = plan.cells.iter().peekable();
    let numbers = (0..size.x * size.y).map(|index| {
        let found = filled.next_if(|filled| index_of(filled.cell) == index);
        found.map_or(0, |filled| i32::from(filled.number))
    });
    let cell_size = spawner.cell_size();
    let grid = TileCollider::from_int_grid(size.x, numbers, cell_size, &plan.shapes);
    // The center of the grid, with y up.
    let center = (first.as_vec2() + size.as_vec2() / 2.0) * Vec2::new(cell_size.x, -cell_size.y);
    let grid = grid.with_offset(center);
    let role = plan.role;
    spawner.spawn_child(parent, (grid, cells), move |entity| role.insert(entity));
}

fn spawn_loose(
    spawner: &mut Spawner,
    parent: Entity,
    layer: &str,
    plan: LoosePlan,
    tile: &TiledTile,
) {
    let bottom_left = (plan.cell.as_vec2() + Vec2::Y) * spawner.cell_size();
    let transform = Transform::from_xyz(bottom_left.x, -bottom_left.y, 0.0);
    let (made, problems) = shapes::of_outlines([&plan.piece.outline], spawner.rules.line_radius);
    for problem in problems {
        let location = TiledLocation::Cell {
            x: plan.cell.x,
            y: plan.cell.y,
        };
        spawner.report_problem(Some(layer), location, problem);
    }
    let role = plan.piece.role;
    if let Some(shape) = made {
        spawner.spawn_child(parent, (transform, tile.clone()), move |entity| {
            shape.insert(entity);
            role.insert(entity);
        });
    }
}

/// The cells of a layer with tiles.
fn tiles_of<'map>(layer: &TileLayer<'map>) -> Vec<(IVec2, LayerTile<'map>)> {
    let mut tiles = Vec::new();
    match layer {
        TileLayer::Finite(layer) => {
            let size = UVec2::new(layer.width(), layer.height()).as_ivec2();
            for y in 0..size.y {
                let row =
                    (0..size.x).filter_map(|x| Some((IVec2::new(x, y), layer.get_tile(x, y)?)));
                tiles.extend(row);
            }
        }
        TileLayer::Infinite(layer) => {
            let size = IVec2::new(ChunkData::WIDTH as i32, ChunkData::HEIGHT as i32);
            for (chunk_index, chunk) in layer.chunks() {
                let first = IVec2::from(chunk_index) * size;
                for y in 0..size.y {
                    let cell = |x| first + IVec2::new(x, y);
                    let row = (0..size.x).filter_map(|x| Some((cell(x), chunk.get_tile(x, y)?)));
                    tiles.extend(row);
                }
            }
            // The chunks come in no order.
            tiles.sort_by_key(|(cell, _)| (cell.y, cell.x));
        }
    }
    tiles
}
