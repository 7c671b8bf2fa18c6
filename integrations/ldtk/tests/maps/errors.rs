//! Bad maps and rules: one error with its location, and the rest loads.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkEntityRule, LdtkMap, LdtkRules};
use serde_json::{Value, json};

use crate::{builder::*, warnings::*};

/// Expects an error in a room with a layer, and nothing else to be wrong.
fn expect(layer: Value, rules: &LdtkRules, message: &str) -> LdtkMap {
    let good = walls(&["1"]);
    let map = room([4, 1], vec![layer, good]).with_file_name("room.ldtk");
    assert_eq!(messages(&map, rules), [message]);
    let contents = map.contents("Room", rules).unwrap();
    let last = contents.grids.last().unwrap();
    assert!(last.tiles.is_solid(UVec2::ZERO), "the rest is not there");
    map
}

#[test]
fn a_file_that_is_cut_off() {
    let text = project("Free", vec![level("Room", [0, 0], [1, 1], vec![])]).to_string();
    for length in [0, 1, text.len() / 2, text.len() - 1] {
        let error = LdtkMap::from_json(&text[..length]).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("map: line 1, column "), "{message}");
        assert!(message.contains("EOF"), "{message}");
    }
    let error = LdtkMap::from_json("{}").unwrap_err().to_string();
    assert!(error.contains("missing field `jsonVersion`"), "{error}");
    assert!(LdtkMap::from_json([0xff, 0xfe, 0x00]).is_err());
}

#[test]
fn a_csv_with_the_wrong_count() {
    let mut layer = walls(&["111", "111"]);
    layer["intGridCsv"] = json!([1, 1, 1, 1]);
    let message = "room.ldtk, level \"Room\", layer \"Walls\", cell (1, 1): 4 cells are listed \
         instead of 6; missing ones are empty";
    let map = expect(layer.clone(), &full_walls(), message);
    let tiles = &map.contents("Room", &full_walls()).unwrap().grids[0].tiles;
    assert_eq!(tiles.size(), UVec2::new(3, 2));
    assert_eq!(tiles.solid_cells().count(), 4);
    layer["intGridCsv"] = json!([1, 1, 1, 1, 1, 1, 1]);
    let message = "room.ldtk, level \"Room\", layer \"Walls\", cell (0, 2): 7 cells are listed \
         instead of 6; missing ones are empty";
    let map = expect(layer, &full_walls(), message);
    let tiles = &map.contents("Room", &full_walls()).unwrap().grids[0].tiles;
    assert_eq!(tiles.size(), UVec2::new(3, 2));
}

#[test]
fn cells_that_are_not_numbers() {
    let mut layer = walls(&["111", "111"]);
    layer["intGridCsv"] = json!([1, 1, 1, 1, "x", null]);
    let message =
        "room.ldtk, level \"Room\", layer \"Walls\", cell (1, 1): not a number, the first of 2";
    let map = expect(layer, &full_walls(), message);
    let tiles = &map.contents("Room", &full_walls()).unwrap().grids[0].tiles;
    assert_eq!(tiles.solid_cells().count(), 4);
}

#[test]
fn a_number_without_a_kind_is_open() {
    let map = room([3, 1], vec![walls(&["159"])]);
    let contents = contents(&map, &full_walls());
    assert_eq!(contents.grids[0].tiles.solid_cells().count(), 1);
}

#[test]
fn layers_without_cells() {
    let mut layer = walls(&["1"]);
    layer["intGridCsv"] = json!([]);
    let message =
        "room.ldtk, level \"Room\", layer \"Walls\": rules name values, and it has no IntGrid";
    expect(layer, &full_walls(), message);
    let mut layer = ground([4, 1], &[]);
    layer["__tilesetDefUid"] = json!(5);
    let rules = full_walls().tagged("Ground", "Wall", CellShape::FULL);
    let message =
        "room.ldtk, level \"Room\", layer \"Ground\": rules name tiles, and it has no tileset";
    expect(layer, &rules, message);
}

#[test]
fn sizes_of_zero() {
    for (key, what) in [
        ("__cWid", "its number of columns"),
        ("__cHei", "its number of rows"),
        ("__gridSize", "its grid size"),
    ] {
        let mut layer = walls(&["1"]);
        layer[key] = json!(0);
        let message =
            format!("room.ldtk, level \"Room\", layer \"Walls\": {what} is not greater than zero");
        expect(layer, &full_walls(), &message);
    }
    let thing = thing("Crate", [0, 0], [16, 0], [0.0, 0.0], &[]);
    let message = "room.ldtk, level \"Room\", layer \"Things\", entity Crate iid-Crate: its size \
                   is not greater than zero";
    let map = expect(things([1, 1], vec![thing]), &full_walls(), message);
    let contents = map.contents("Room", &full_walls()).unwrap();
    assert_eq!(contents.entities[0].collider, None);
    let level = level("Room", [0, 0], [0, 1], vec![]);
    let errors = crate::builder::map(&project("Free", vec![level])).errors(&full_walls());
    assert_eq!(
        errors[0].to_string(),
        "map, level \"Room\": its size is not greater than zero"
    );
}

#[test]
fn layers_that_are_too_large() {
    for [columns, rows] in [[65_536, 1], [10_000, 10_000], [i64::MAX, 2]] {
        let mut layer = walls(&["1"]);
        layer["__cWid"] = json!(columns);
        layer["__cHei"] = json!(rows);
        let message = "room.ldtk, level \"Room\", layer \"Walls\": more than 65,535 columns or \
                       rows, or than 67,108,864 cells";
        expect(layer, &full_walls(), message);
    }
}

#[test]
fn rules_for_what_the_map_does_not_have() {
    let map = room([1, 1], vec![walls(&["1"])]).with_file_name("room.ldtk");
    let rules = LdtkRules::new()
        .named("Wals", "wall", CellShape::FULL)
        .numbered("Wals", 1, CellShape::FULL)
        .named("Walls", "plnk", CellShape::FULL)
        .tagged("Ground", "Slpe", CellShape::FULL)
        // Numbers are not checked.
        .numbered("Walls", 5000, CellShape::FULL)
        .tile("Ground", 5000, CellShape::FULL)
        .named("Walls", "wall", CellShape::FULL);
    let expected = [
        "room.ldtk, layer \"Wals\": rules name it, and the map has no such layer: there are Walls, \
         Ground, Things, Plain",
        "room.ldtk, layer \"Walls\": rules name plnk, and no value has this name: there are plank, \
         wall, ramp, lava",
        "room.ldtk, layer \"Ground\": rules name Slpe, and no tile has this tag: there are Wall, \
         Slope, Door",
    ];
    assert_eq!(messages(&map, &rules), expected);
    let contents = map.contents("Room", &rules).unwrap();
    assert_eq!(contents.grids[0].tiles.solid_cells().count(), 1);
}

#[test]
fn parts_that_are_not_as_ldtk_writes_them() {
    let mut layer = ground([4, 1], &[[0, 0, 1, 0]]);
    layer["gridTiles"][0]["px"] = json!("left");
    let message = "room.ldtk, level \"Room\", layer \"Ground\": is not as LDtk writes it: \
                   invalid type: string \"left\", expected an array of length 2";
    expect(layer, &full_walls(), message);
    let mut bad = thing("Crate", [0, 0], [16, 16], [0.0, 0.0], &[]);
    bad["width"] = json!(null);
    let good = thing("Hero", [0, 0], [16, 16], [0.0, 0.0], &[]);
    let message = "room.ldtk, level \"Room\", layer \"Things\", entity Crate: is not as LDtk \
                   writes it: invalid type: null, expected f32";
    let map = expect(things([4, 1], vec![bad, good]), &full_walls(), message);
    assert_eq!(
        map.contents("Room", &full_walls()).unwrap().entities.len(),
        1
    );
    let mut bad = level("Bad", [0, 0], [1, 1], vec![]);
    bad["pxHei"] = json!([]);
    let good = level("Good", [0, 0], [1, 1], vec![]);
    let map = crate::builder::map(&project("Free", vec![bad, good]));
    let errors = map.errors(&LdtkRules::new());
    assert_eq!(errors.len(), 1);
    assert!(
        errors[0]
            .to_string()
            .starts_with("map, level \"Bad\": is not as LDtk writes it: ")
    );
    assert_eq!(map.levels().count(), 1);
    assert_eq!(map.level("Bad").unwrap_err(), errors[0]);
}

#[test]
fn more_kinds_than_numbers() {
    let mut layer = walls(&["1"]);
    layer["intGridCsv"] = json!([299]);
    let number = |rules: LdtkRules, number| rules.numbered("Walls", number, CellShape::FULL);
    let map = room([1, 1], vec![layer]);
    let most = (1..=255).fold(LdtkRules::new(), number);
    assert_eq!(map.errors(&most), []);
    let errors = map.errors(&number(most, 299));
    let message = "map, level \"Room\", layer \"Walls\": more than 255 kinds of cells, with \
                   those of flipped tiles";
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].to_string(), message);
}

#[test]
fn rules_for_entities_that_the_map_does_not_have() {
    let map = room([1, 1], vec![walls(&["1"])]).with_file_name("room.ldtk");
    let point = LdtkEntityRule::point();
    let rules = full_walls()
        .entity("Heroo", point)
        .entity("Heroo", point)
        .entity("Hero", point)
        .entities_tagged("thing", point)
        .entities_tagged("thng", point);
    let expected = [
        "room.ldtk, entity Heroo: rules name it, and the map has no such entity: there are Hero, \
         Crate, Lift",
        "room.ldtk: rules name thng, and no entity has this tag: there is thing",
    ];
    assert_eq!(messages(&map, &rules), expected);
}

#[test]
fn definitions_that_are_not_as_ldtk_writes_them() {
    let rules = LdtkRules::new()
        .named("Walls", "wall", CellShape::FULL)
        .tagged("Ground", "Wall", CellShape::FULL)
        .tagged("Ground", "Slope", CellShape::FULL)
        .entity("Crate", LdtkEntityRule::rect())
        .entities_tagged("thing", LdtkEntityRule::rect());
    let crates = vec![thing("Crate", [0, 0], [16, 16], [0.0, 0.0], &[])];
    let layers = vec![
        walls(&["1"]),
        ground([1, 1], &[[0, 0, 1, 0]]),
        things([1, 1], crates),
    ];
    let good = project("Free", vec![level("Room", [0, 0], [1, 1], layers)]);
    assert_eq!(messages(&map(&good), &rules), [""; 0]);
    // Of each list the first and another one, with how many grids and entities remain.
    for (list, key, what, grids) in [
        ("layers", "uid", "layer Walls", 1),
        ("entities", "width", "entity Crate", 2),
        ("tilesets", "tileGridSize", "tileset Tiles", 1),
    ] {
        let mut project = good.clone();
        let defs = project["defs"][list].as_array_mut().unwrap();
        let is_it = |def: &&mut Value| what.ends_with(def["identifier"].as_str().unwrap());
        defs.iter_mut().find(is_it).unwrap()[key] = json!([]);
        let map = map(&project);
        let messages = messages(&map, &rules);
        assert_eq!(messages.len(), 1, "{messages:?}");
        let expected = format!("map: is not as LDtk writes it: the definition of {what}: ");
        assert!(messages[0].starts_with(&expected), "{messages:?}");
        let contents = map.contents("Room", &rules).unwrap();
        assert_eq!((contents.grids.len(), contents.entities.len()), (grids, 1));
    }
}

#[test]
fn each_mistake_is_logged_once_however_often_levels_are_spawned() {
    collect_warnings();
    let mut bare = level("Bare", [0, 0], [1, 0], vec![]);
    bare["layerInstances"] = Value::Null;
    let levels = vec![bare, level("Room", [0, 0], [1, 1], vec![walls(&["11"])])];
    let mut project = project("Free", levels);
    project["levels"][1]["layerInstances"][0]["intGridCsv"] = json!([1]);
    let map = map(&project).with_file_name("once.ldtk");
    let rules = full_walls().named("Wals", "wall", CellShape::FULL);
    let mut app = app();
    spawn(&mut app, &map, "Room", &rules);
    let of_rules = "once.ldtk, layer \"Wals\": rules name it, and the map has no such layer: \
                    there are Walls, Ground, Things, Plain";
    let of_room = "once.ldtk, level \"Room\", layer \"Walls\", cell (1, 0): 1 cells are listed \
                   instead of 2; missing ones are empty";
    assert_eq!(warnings_of("once.ldtk"), [of_rules, of_room]);
    spawn(&mut app, &map, "Bare", &rules);
    let of_bare = [
        "once.ldtk, level \"Bare\": is not as LDtk writes it: it has no layers",
        "once.ldtk, level \"Bare\": its size is not greater than zero",
    ];
    assert_eq!(warnings_of("once.ldtk"), of_bare);
    assert_eq!(map.contents("Bare", &rules).unwrap().errors.len(), 2);
    spawn(&mut app, &map, "Room", &rules);
    map.clone()
        .spawn_all(&rules, &mut app.world_mut().commands());
    map.reload(&rules, app.world_mut());
    assert_eq!(warnings_of("once.ldtk"), [""; 0]);
    assert_eq!(messages(&map, &rules).len(), 4);
}
