//! Spawns the grids of layers of tiles.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    cells::{Collector, GridPlan, LoosePlan},
    components::{CellTile, TiledCells, TiledTile},
    file::{Layer, TileRef},
    kinds::KindMaker,
    role::TiledRole,
    shapes,
    spawner::Spawner,
};
use bevy_thud_maps::MapLocation;

/// Spawns the colliders of a layer as its children.
pub(crate) fn spawn(
    spawner: &mut Spawner,
    parent: Entity,
    layer: &Layer,
    cells: &[(IVec2, TileRef)],
    role: TiledRole,
) {
    let cell_size = spawner.cell_size();
    if cell_size.min_element() == 0.0 {
        return;
    }
    let mut collector = Collector::new(KindMaker {
        rules: spawner.rules,
        cell_size,
        layer_role: role,
        layer_name: &layer.name,
    });
    for (position, tile) in cells {
        collector.add(*position, tile);
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
        spawn_loose(spawner, parent, layer, loose, tile);
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
    layer: &Layer,
    plan: LoosePlan,
    tile: &TiledTile,
) {
    let bottom_left = (plan.cell.as_vec2() + Vec2::Y) * spawner.cell_size();
    let transform = Transform::from_xyz(bottom_left.x, -bottom_left.y, 0.0);
    let (made, problems) = shapes::of_outlines([&plan.piece.outline], spawner.rules.line_radius);
    for problem in problems {
        let location = MapLocation::Cell {
            x: plan.cell.x,
            y: plan.cell.y,
        };
        spawner.report_problem(Some(&layer.name), layer.line, location, problem);
    }
    let role = plan.piece.role;
    if let Some(shape) = made {
        spawner.spawn_child(parent, (transform, tile.clone()), move |entity| {
            shape.insert(entity);
            role.insert(entity);
        });
    }
}
