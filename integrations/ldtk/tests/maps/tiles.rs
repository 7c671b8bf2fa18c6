//! Tiles: tags, numbers, flips, stacks, and tiles off the grid.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkCellKind, LdtkContents, LdtkGridContents, LdtkRules};
use serde_json::json;

use crate::builder::*;

const ORIGIN: UVec2 = UVec2::ZERO;

fn slope() -> CellShape {
    CellShape::slope(0.0, 0.75)
}

fn rules() -> LdtkRules {
    LdtkRules::new()
        .tagged("Ground", "Wall", CellShape::FULL)
        .tagged("Ground", "Slope", slope())
}

fn only_grid(contents: &LdtkContents) -> &TileCollider {
    assert_eq!(contents.grids.len(), 1);
    &contents.grids[0].tiles
}

#[test]
fn tiles_are_chosen_by_tag_and_by_number() {
    let tiles = [
        [0, 0, 1, 0],
        [16, 0, 3, 0],
        [0, 16, 2, 0],
        [16, 16, 6, 0],
        [32, 16, 9, 0],
    ];
    let map = room([3, 2], vec![ground([3, 2], &tiles)]);
    let half = CellShape::rect(0.0..1.0, 0.0..0.5);
    // The number of a tile precedes its tags.
    let rules = rules()
        .tile("Ground", 6, half.clone())
        .tile("Ground", 2, CellShape::empty());
    let contents = contents(&map, &rules);
    let tiles = only_grid(&contents);
    let shape = |x, y| tiles.cell_shape(UVec2::new(x, y)).cloned();
    assert_eq!(tiles.size(), UVec2::new(3, 2));
    assert_eq!(shape(0, 0), Some(CellShape::FULL));
    assert_eq!(shape(1, 0), Some(slope()));
    assert_eq!(shape(0, 1), None);
    assert_eq!(shape(1, 1), Some(half));
    assert_eq!(shape(2, 1), None);
    let names = |x, y| {
        contents.grids[0]
            .grid
            .name_of(tiles.number(UVec2::new(x, y)))
    };
    assert_eq!(
        [names(0, 0), names(1, 0), names(1, 1)],
        [Some("Wall"), Some("Slope"), None]
    );
}

#[test]
fn flips_mirror_shapes() {
    let tiles = [[0, 0, 3, 0], [16, 0, 3, 1], [32, 0, 3, 2], [48, 0, 3, 3]];
    let map = room([4, 1], vec![ground([4, 1], &tiles)]);
    let contents = contents(&map, &rules());
    let shape = |x| {
        only_grid(&contents)
            .cell_shape(UVec2::new(x, 0))
            .cloned()
            .unwrap()
    };
    let expected = [
        slope(),
        slope().flipped_x(),
        slope().flipped_y(),
        slope().flipped_x().flipped_y(),
    ];
    assert_eq!([0, 1, 2, 3].map(shape), expected);
}

#[test]
fn flips_mirror_the_direction_of_one_way_tiles() {
    let tiles = [[0, 0, 4, 0], [16, 0, 4, 1], [32, 0, 4, 2]];
    let map = room([3, 1], vec![ground([3, 1], &tiles)]);
    let door = LdtkCellKind::from(CellShape::FULL).one_way(Dir2::X);
    let contents = contents(&map, &LdtkRules::new().tagged("Ground", "Door", door));
    let grids = contents.grids.iter().map(|grid| {
        let cells: Vec<u32> = grid.tiles.solid_cells().map(|cell| cell.x).collect();
        (grid.grid.role.one_way, cells)
    });
    let expected = [(Some(Dir2::X), vec![0, 2]), (Some(Dir2::NEG_X), vec![1])];
    assert_eq!(grids.collect::<Vec<_>>(), expected);
}

#[test]
fn all_tiles_of_a_stack_are_there() {
    // Two slopes that cross, and below them in the next cell a wall over a slope.
    let mut layer = ground([2, 1], &[[0, 0, 3, 0]]);
    layer["__type"] = json!("AutoLayer");
    let stacked = [[0, 0, 3, 1], [16, 0, 3, 0], [16, 0, 1, 0], [16, 0, 3, 1]];
    layer["autoLayerTiles"] = stacked.into_iter().map(tile).collect();
    let map = room([2, 1], vec![layer]);
    let contents = contents(&map, &rules());
    let shape = |grid: usize, x| {
        let tiles = &contents.grids[grid].tiles;
        tiles.cell_shape(UVec2::new(x, 0)).cloned()
    };
    assert_eq!(contents.grids.len(), 3);
    assert_eq!(
        [shape(0, 0), shape(1, 0)],
        [Some(slope()), Some(slope().flipped_x())]
    );
    // A full cell is in the first grid, so that walls continue from cell to cell.
    assert_eq!(
        [shape(0, 1), shape(1, 1), shape(2, 1)],
        [
            Some(CellShape::FULL),
            Some(slope()),
            Some(slope().flipped_x())
        ]
    );
}

#[test]
fn a_tile_with_several_tags_is_all_of_them() {
    let map = room([1, 1], vec![ground([1, 1], &[[0, 0, 5, 0]])]);
    let sensor = LdtkCellKind::from(slope()).sensor();
    let rules = LdtkRules::new()
        .tagged("Ground", "Wall", CellShape::FULL)
        .tagged("Ground", "Slope", sensor);
    let contents = contents(&map, &rules);
    let cells = contents.grids.iter().map(|grid| {
        (
            grid.grid.role.is_solid,
            grid.tiles.cell_shape(ORIGIN).cloned(),
        )
    });
    let expected = [(true, Some(CellShape::FULL)), (false, Some(slope()))];
    assert_eq!(cells.collect::<Vec<_>>(), expected);
}

#[test]
fn tiles_of_an_int_grid_layer_count_as_well() {
    let mut layer = walls(&["1."]);
    layer["__tilesetDefUid"] = json!(100);
    layer["autoLayerTiles"] = json!([tile([16, 0, 3, 0])]);
    let map = room([2, 1], vec![layer]);
    let rules = full_walls().tagged("Walls", "Slope", slope());
    let contents = contents(&map, &rules);
    let shape = |grid: usize, x| {
        contents.grids[grid]
            .tiles
            .cell_shape(UVec2::new(x, 0))
            .cloned()
    };
    assert_eq!([shape(0, 0), shape(0, 1)], [Some(CellShape::FULL), None]);
    assert_eq!([shape(1, 0), shape(1, 1)], [None, Some(slope())]);
}

#[test]
fn tiles_off_the_grid_are_where_they_are_drawn() {
    // Rules of auto-layers may move tiles by pixels, also beyond the level.
    let tiles = [
        [0, 0, 1, 0],
        [21, 7, 1, 0],
        [37, 7, 1, 0],
        [-64, 0, 1, 0],
        [0, 400, 1, 0],
    ];
    let map = room([4, 2], vec![ground([4, 2], &tiles)]);
    assert_eq!(contents(&map, &rules()).grids.len(), 2);
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules());
    for inside in [[21.1, -7.1], [52.9, -22.9], [0.1, -15.9]] {
        assert!(is_solid_at(&mut app, inside.into()), "{inside:?}");
    }
    for outside in [
        [20.9, -12.0],
        [53.1, -12.0],
        [30.0, -6.9],
        [30.0, -23.1],
        [-60.0, -8.0],
    ] {
        assert!(!is_solid_at(&mut app, outside.into()), "{outside:?}");
    }
}

#[test]
fn tiles_larger_than_cells_stand_on_the_pivot_of_the_layer() {
    // Tiles of 16 pixels in cells of 8: unflipped they hang below and right of their cells.
    let mut layer = ground([8, 4], &[[16, 0, 3, 0], [40, 0, 3, 1]]);
    layer["__gridSize"] = json!(8);
    let half = CellShape::rect(0.0..0.5, 0.0..1.0);
    let rules = LdtkRules::new().tagged("Ground", "Slope", half);
    let mut project = project("Free", vec![level("Room", [0, 0], [4, 2], vec![layer])]);
    let mut at = |pivot: f32, points: [[f32; 2]; 3]| {
        project["defs"]["layers"][1]["tilePivotX"] = json!(pivot);
        let mut app = app();
        spawn(&mut app, &map(&project), "Room", &rules);
        points.map(|point| is_solid_at(&mut app, point.into()))
    };
    // The second one is flipped with its cell, from 40 to 48: it hangs to the left of it.
    assert_eq!(
        at(0.0, [[17.0, -15.0], [25.0, -8.0], [41.0, -8.0]]),
        [true, false, true]
    );
    assert_eq!(
        at(0.0, [[23.0, -1.0], [33.0, -8.0], [47.0, -8.0]]),
        [true, false, true]
    );
    // In the center of its cell, it begins four pixels further left.
    assert_eq!(
        at(0.5, [[13.0, -8.0], [11.0, -8.0], [21.0, -8.0]]),
        [true, false, false]
    );
}

/// The names of the only cell, from the first grid to the last.
fn names(contents: &LdtkContents) -> Vec<Option<&str>> {
    let name = |grid: &LdtkGridContents| grid.tiles.number(ORIGIN);
    let grids = contents.grids.iter();
    grids.map(|grid| grid.grid.name_of(name(grid))).collect()
}

#[test]
fn a_tile_with_several_tags_has_the_names_of_all() {
    let map = room([1, 1], vec![ground([1, 1], &[[0, 0, 5, 0]])]);
    for shape in [CellShape::FULL, slope()] {
        let rules = LdtkRules::new()
            .tagged("Ground", "Wall", shape.clone())
            .tagged("Ground", "Slope", CellShape::FULL);
        let contents = contents(&map, &rules);
        let mut names = names(&contents);
        names.sort_unstable();
        assert_eq!(names, [Some("Slope"), Some("Wall")]);
        // The full one is in the first grid.
        let first = &contents.grids[0].tiles;
        assert_eq!(first.cell_shape(ORIGIN), Some(&CellShape::FULL));
    }
}

#[test]
fn of_stacked_tiles_only_what_adds_nothing_is_dropped() {
    // Tile 6 has no tag, tile 1 is a wall.
    let stacked = |tiles: &[i64]| {
        let tiles: Vec<[i64; 4]> = tiles.iter().map(|tile| [0, 0, *tile, 0]).collect();
        let map = room([1, 1], vec![ground([1, 1], &tiles)]);
        let half = CellShape::rect(0.0..1.0, 0.0..0.5);
        let rules = rules()
            .tile("Ground", 6, half)
            .tile("Ground", 7, CellShape::FULL);
        let contents = contents(&map, &rules);
        let names = names(&contents).into_iter();
        names.map(|name| name.map(String::from)).collect::<Vec<_>>()
    };
    let [wall, slope] = ["Wall", "Slope"].map(|name| Some(name.to_string()));
    for tiles in [&[6, 1][..], &[1, 6], &[1, 2, 1]] {
        assert_eq!(stacked(tiles), std::slice::from_ref(&wall));
    }
    assert_eq!(stacked(&[3, 7]), [None, slope.clone()]);
    assert_eq!(stacked(&[7, 3, 3]), [None, slope]);
}

#[test]
fn the_last_rule_for_a_tag_holds() {
    let map = room([1, 1], vec![ground([1, 1], &[[0, 0, 1, 0]])]);
    let shapes = |rules: &LdtkRules| {
        let contents = contents(&map, rules);
        let grids = contents.grids.iter();
        let shapes = grids.map(|grid| grid.tiles.cell_shape(ORIGIN).cloned());
        shapes.collect::<Vec<_>>()
    };
    let sensor = LdtkCellKind::from(slope()).sensor();
    assert_eq!(
        shapes(&rules().tagged("Ground", "Wall", sensor)),
        [Some(slope())]
    );
    assert_eq!(
        shapes(&rules().tagged("Ground", "Wall", CellShape::empty())),
        []
    );
}

#[test]
fn tiles_of_absurd_sizes_and_positions_are_errors_or_outside() {
    let with = |path: &[&str], value: serde_json::Value| {
        let layer = ground([4, 1], &[[0, 0, 1, 0]]);
        let mut project = project("Free", vec![level("Room", [0, 0], [4, 1], vec![layer])]);
        let pointer = format!("/{}", path.join("/"));
        *project.pointer_mut(&pointer).unwrap() = value;
        messages(&map(&project), &rules())
    };
    let layer = |rest: &'static str| ["levels/0/layerInstances/0", rest];
    let [greatest, least] = [i64::MAX, i64::MIN];
    for size in [greatest, least, 1 << 40, 1 << 20] {
        let errors = with(&layer("__gridSize"), json!(size));
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].starts_with("map, level \"Room\", layer \"Ground\": "));
        let errors = with(&["defs/tilesets/0/tileGridSize"], json!(size));
        assert_eq!(errors.len(), 1, "{errors:?}");
    }
    for position in [greatest, least] {
        let errors = with(&layer("gridTiles/0/px/0"), json!(position));
        assert_eq!(errors.len(), 1, "{errors:?}");
    }
    let [greatest, least] = [i32::MAX, i32::MIN];
    for position in [greatest, least] {
        assert_eq!(with(&layer("gridTiles/0/px/0"), json!(position)), [""; 0]);
    }
    for pivot in [1e30, -1e30] {
        let project = |pivot: f32| {
            let mut layer = ground([4, 1], &[[0, 0, 1, 0]]);
            layer["__gridSize"] = json!(8);
            let mut project = project("Free", vec![level("Room", [0, 0], [4, 1], vec![layer])]);
            project["defs"]["layers"][1]["tilePivotX"] = json!(pivot);
            project
        };
        assert_eq!(map(&project(pivot)).errors(&rules()), []);
    }
}
