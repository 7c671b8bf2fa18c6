//! The cells of IntGrid layers, by number and by name.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkCellKind, LdtkRules};
use serde_json::json;

use crate::builder::*;

#[test]
fn values_have_their_numbers_whatever_the_order_of_their_definitions() {
    let map = room([3, 2], vec![walls(&["1.2", "7.3"])]);
    let rules = LdtkRules::new()
        .numbered("Walls", 7, CellShape::FULL)
        .named("Walls", "ramp", CellShape::slope(0.0, 1.0))
        .named("Walls", "wall", CellShape::FULL);
    let contents = contents(&map, &rules);
    let [grid] = &contents.grids[..] else {
        panic!("{} grids", contents.grids.len());
    };
    let tiles = &grid.tiles;
    assert_eq!(tiles.size(), UVec2::new(3, 2));
    let numbers = [0, 1, 2].map(|x| [0, 1].map(|y| tiles.number(UVec2::new(x, y))));
    // The plank has no kind, and is open.
    assert_eq!(numbers, [[1, 7], [0, 0], [2, 0]]);
    assert_eq!(
        tiles.cell_shape(UVec2::new(2, 0)),
        Some(&CellShape::slope(0.0, 1.0))
    );
    assert_eq!(grid.grid.name_of(1), Some("wall"));
    assert_eq!(grid.grid.name_of(2), Some("ramp"));
    assert_eq!(grid.grid.name_of(7), None);
    assert_eq!(grid.center, Vec2::new(24.0, 16.0));
}

#[test]
fn each_role_is_a_grid_with_its_components() {
    let map = room([3, 1], vec![walls(&["123"])]);
    let layers = CollisionLayers::new(LayerMask::layer(3), LayerMask::ALL);
    let rules = LdtkRules::new()
        .named(
            "Walls",
            "wall",
            LdtkCellKind::from(CellShape::FULL).with_layers(layers),
        )
        .named(
            "Walls",
            "ramp",
            LdtkCellKind::from(CellShape::FULL).sensor(),
        )
        .named(
            "Walls",
            "plank",
            LdtkCellKind::from(CellShape::FULL).one_way(Dir2::Y),
        );
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules);
    let world = app.world_mut();
    type Components<'a> = (
        &'a TileCollider,
        Has<Solid>,
        Option<&'a OneWay>,
        &'a CollisionLayers,
    );
    let mut grids = world.query::<Components>();
    let grids = grids.iter(world).map(|(tiles, is_solid, one_way, layers)| {
        let cells: Vec<u32> = tiles.solid_cells().map(|cell| cell.x).collect();
        (cells, is_solid, one_way.copied(), *layers)
    });
    let grids: Vec<_> = grids.collect();
    assert_eq!(grids.len(), 3);
    assert!(grids.contains(&(vec![0], true, None, layers)));
    assert!(grids.contains(&(vec![1], false, None, default())));
    assert!(grids.contains(&(vec![2], true, Some(OneWay(Dir2::Y)), default())));
}

#[test]
fn the_last_rule_for_a_value_holds() {
    let map = room([1, 1], vec![walls(&["1"])]);
    let half = CellShape::rect(0.0..1.0, 0.0..0.5);
    let rules = LdtkRules::new()
        .numbered("Walls", 1, CellShape::FULL)
        .named("Walls", "wall", half.clone());
    let contents = contents(&map, &rules);
    assert_eq!(contents.grids[0].tiles.cell_shape(UVec2::ZERO), Some(&half));
}

#[test]
fn values_above_255_get_free_numbers() {
    let mut layer = walls(&["1..."]);
    layer["intGridCsv"] = json!([1, 900, 300, 0]);
    let map = room([4, 1], vec![layer]);
    let rules = full_walls()
        .named("Walls", "lava", CellShape::FULL)
        .numbered("Walls", 300, CellShape::slope(0.0, 1.0));
    let contents = contents(&map, &rules);
    let grid = &contents.grids[0];
    let numbers = [0, 1, 2, 3].map(|x| grid.tiles.number(UVec2::new(x, 0)));
    assert_eq!(numbers, [1, 3, 2, 0]);
    assert_eq!(grid.grid.name_of(3), Some("lava"));
}

#[test]
fn a_layer_is_moved_by_its_offset_with_y_down() {
    let mut layer = walls(&["1.", ".."]);
    layer["__pxTotalOffsetX"] = json!(100);
    layer["__pxTotalOffsetY"] = json!(40);
    let map = map(&project(
        "Free",
        vec![level("Room", [16, 160], [2, 2], vec![layer])],
    ));
    let mut app = app();
    spawn(&mut app, &map, "Room", &full_walls());
    let center = Vec2::new(16.0 + 100.0 + 8.0, -160.0 - 40.0 - 8.0);
    assert!(is_solid_at(&mut app, center));
    assert!(!is_solid_at(&mut app, center + 16.0 * Vec2::X));
    assert!(!is_solid_at(&mut app, center - 16.0 * Vec2::X));
    assert!(!is_solid_at(&mut app, center + 16.0 * Vec2::Y));
}

#[test]
fn layers_have_grids_of_their_own_size() {
    // Cells of 8 pixels in a level of two cells of 16 pixels.
    let mut layer = walls(&["...1", "...."]);
    layer["__gridSize"] = json!(8);
    let map = room([2, 1], vec![layer]);
    let mut app = app();
    spawn(&mut app, &map, "Room", &full_walls());
    assert!(is_solid_at(&mut app, Vec2::new(24.1, -0.1)));
    assert!(is_solid_at(&mut app, Vec2::new(31.9, -7.9)));
    assert!(!is_solid_at(&mut app, Vec2::new(28.0, -8.1)));
    assert!(!is_solid_at(&mut app, Vec2::new(23.9, -4.0)));
}
