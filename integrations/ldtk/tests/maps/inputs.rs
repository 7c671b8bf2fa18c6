//! The files in `tests/inputs`: what files of real games have, made small.

use std::{fs, path::PathBuf};

use bevy::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkEntityRule, LdtkLevel, LdtkMap, LdtkRules, MapPersistent};
use serde_json::{Value, json};

use crate::builder::*;

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/inputs")
        .join(file)
}

fn read(file: &str) -> LdtkMap {
    LdtkMap::read(path(file)).unwrap()
}

fn value(file: &str) -> Value {
    serde_json::from_slice(&fs::read(path(file)).unwrap()).unwrap()
}

/// The identifiers of the levels that are there, sorted.
fn levels(app: &mut App) -> Vec<String> {
    let world = app.world_mut();
    let mut levels = world.query::<&LdtkLevel>();
    let mut levels: Vec<String> = (levels.iter(world))
        .map(|level| level.identifier.clone())
        .collect();
    levels.sort();
    levels
}

#[test]
fn reloading_a_copy_of_a_project_leaves_the_levels_of_the_other_one() {
    let mut app = app();
    let files = ["same_project_a.ldtk", "same_project_b.ldtk"];
    for file in files {
        read(file).spawn_all(&full_walls(), &mut app.world_mut().commands());
    }
    app.update();
    let all = ["A1", "A2", "B1", "B2"];
    assert_eq!(levels(&mut app), all);
    for file in files {
        let reloaded = read(file).reload(&full_walls(), app.world_mut());
        assert_eq!((reloaded.levels.len(), reloaded.removed.len()), (2, 0));
        assert_eq!(levels(&mut app), all);
    }
}

#[test]
fn a_persistent_entity_of_a_copy_of_a_project_is_another_one() {
    let hero = || thing("Hero", [0, 0], [16, 16], [0.0, 0.0], &[]);
    let room = level("Room", [0, 0], [1, 1], vec![things([1, 1], vec![hero()])]);
    let rules = LdtkRules::new().entity("Hero", LdtkEntityRule::rect().persistent());
    let copy = |file| map(&project("Free", vec![room.clone()])).with_file_name(file);
    let mut app = app();
    for file in ["a.ldtk", "b.ldtk", "a.ldtk"] {
        spawn(&mut app, &copy(file), "Room", &rules);
    }
    let world = app.world_mut();
    let mut heroes = world.query_filtered::<&LdtkEntity, With<MapPersistent>>();
    assert_eq!(heroes.iter(world).count(), 2);
}

#[test]
fn a_path_that_is_written_in_two_forms_is_one_file() {
    let mut app = app();
    let file = "same_project_a.ldtk";
    read(file).spawn_all(&full_walls(), &mut app.world_mut().commands());
    app.update();
    let map = LdtkMap::read(path("../inputs").join(file)).unwrap();
    assert_eq!(map.reload(&full_walls(), app.world_mut()).levels.len(), 2);
}

#[test]
fn a_file_of_ldtk_0_9_loads() {
    let map = read("of_ldtk_0_9.ldtk");
    assert_eq!(map.errors(&full_walls()), []);
    let mut app = app();
    map.spawn_all(&full_walls(), &mut app.world_mut().commands());
    app.update();
    assert!(is_solid_at(&mut app, Vec2::new(8.0, -8.0)));
    assert!(is_solid_at(&mut app, Vec2::new(40.0, -8.0)));
    // It has no iids: the identifiers stand for them.
    let reloaded = map.reload(&full_walls(), app.world_mut());
    assert_eq!((reloaded.levels.len(), reloaded.removed.len()), (2, 0));
}

#[test]
fn entities_of_ldtk_0_9_are_told_apart() {
    let mut project = value("of_ldtk_0_9.ldtk");
    let mut crates = things(
        [2, 1],
        vec![thing("Crate", [0, 0], [16, 16], [0.0, 0.0], &[]); 2],
    );
    for thing in crates["entityInstances"].as_array_mut().unwrap() {
        thing.as_object_mut().unwrap().remove("iid");
    }
    for level in project["levels"].as_array_mut().unwrap() {
        level["layerInstances"] = json!([crates]);
    }
    let rules = LdtkRules::new().other_entities(LdtkEntityRule::rect().persistent());
    let map = map(&project);
    let mut app = app();
    for _ in 0..2 {
        map.spawn_all(&rules, &mut app.world_mut().commands());
        app.update();
        let world = app.world_mut();
        assert_eq!(world.query::<&LdtkEntity>().iter(world).count(), 4);
    }
}

#[test]
fn an_old_file_without_what_is_needed_is_one_error_that_names_the_version() {
    let expected = "map: written by LDtk 0.7.2: save it with LDtk 1.5";
    let mut old = value("of_ldtk_0_9.ldtk");
    old["jsonVersion"] = json!("0.7.2");
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut old = old.clone();
        change(&mut old);
        LdtkMap::from_json(old.to_string()).unwrap_err().to_string()
    };
    let layer = |old: &mut Value, key: &str, value: Value| {
        for level in 0..2 {
            old["levels"][level]["layerInstances"][0][key] = value.clone();
        }
    };
    let entity = json!([{"__identifier": "Hero", "px": [0, 0]}]);
    assert_eq!(broken(&|old| layer(old, "intGridCsv", json!([]))), expected);
    assert_eq!(
        broken(&|old| layer(old, "__gridSize", json!("x"))),
        expected
    );
    assert_eq!(
        broken(&|old| layer(old, "entityInstances", entity.clone())),
        expected
    );
    assert_eq!(
        broken(&|old| old["levels"][0]["pxWid"] = json!(null)),
        expected
    );
    assert_eq!(broken(&|old| old["defs"]["layers"] = json!(5)), expected);
    assert_eq!(broken(&|old| old["worldLayout"] = json!(null)), expected);
}

#[test]
fn the_file_of_a_level_of_an_old_project_names_the_version_as_well() {
    let mut old = value("of_ldtk_0_9.ldtk");
    let text = old["levels"][0].to_string();
    for level in old["levels"].as_array_mut().unwrap() {
        level["layerInstances"] = Value::Null;
        level["externalRelPath"] =
            json!(format!("{}.ldtkl", level["identifier"].as_str().unwrap()));
    }
    let mut map = map(&old);
    map.add_external_level("One.ldtkl", &text).unwrap();
    let bad = text
        .replace("\"One\"", "\"Two\"")
        .replace("intGridCsv", "intGrid");
    let error = map.add_external_level("Two.ldtkl", bad).unwrap_err();
    let expected = "Two.ldtkl, level \"Two\": written by LDtk 0.9.3: save it with LDtk 1.5";
    assert_eq!(error.to_string(), expected);
    assert_eq!(map.contents("One", &full_walls()).unwrap().grids.len(), 1);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let room = level("Room", [0, 0], [1, 1], vec![walls(&["1"])]);
    let marked = |value: &Value| format!("\u{feff}{value}");
    let map = LdtkMap::from_json(marked(&project("Free", vec![room.clone()]))).unwrap();
    assert_eq!(contents(&map, &full_walls()).grids.len(), 1);
    let mut map = map;
    map.add_external_level("Room.ldtkl", marked(&room)).unwrap();
    assert_eq!(contents(&map, &full_walls()).grids.len(), 1);
}
