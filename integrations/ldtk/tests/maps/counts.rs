//! One line for a kind of mistake, however often it was made.

use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkMap, LdtkRules};
use serde_json::{Value, json};

use crate::{builder::*, warnings::*};

/// Levels with three crates each, whose field `Solid` is a string, and two of no size.
fn many(levels: usize) -> LdtkMap {
    let field = [json!("Solid"), json!("String"), json!("yes")];
    let of_size = |size, fields: &[[Value; 3]]| thing("Crate", [0, 0], size, [0.0, 0.0], fields);
    let mut crates = vec![of_size([16, 16], std::slice::from_ref(&field)); 3];
    crates.extend(vec![of_size([16, 0], &[]); 2]);
    let mut walls = walls(&["11"]);
    walls["intGridCsv"] = json!([1]);
    let room = |index| {
        let layers = vec![things([2, 1], crates.clone()), walls.clone()];
        level(&format!("Room{index}"), [0, 0], [2, 1], layers)
    };
    map(&project("Free", (0..levels).map(room).collect())).with_file_name("many.ldtk")
}

#[test]
fn mistakes_of_a_kind_are_one_error_with_their_count() {
    let things = "many.ldtk, level \"Room0\", layer \"Things\", entity Crate iid-Crate: ";
    let expected = [
        format!(
            "{things}the field `Solid` is `yes`, and not true or false; it is ignored (and 29 more \
             like this)"
        ),
        format!("{things}its size is not greater than zero (and 19 more like this)"),
        "many.ldtk, level \"Room0\", layer \"Walls\", cell (1, 0): 1 cells are listed instead of \
         2; missing ones are empty (and 9 more like this)"
            .into(),
    ];
    let map = many(10);
    assert_eq!(messages(&map, &full_walls()), expected);
    assert_eq!(map.errors(&full_walls())[0].count, 30);
    // Each mistake of a level is there for who wants to see it.
    assert_eq!(
        map.contents("Room0", &full_walls()).unwrap().errors.len(),
        6
    );
}

#[test]
fn mistakes_of_a_kind_are_logged_in_one_line() {
    collect_warnings();
    let map = many(10).with_file_name("lines.ldtk");
    let mut app = app();
    let mut commands = app.world_mut().commands();
    map.spawn_levels(
        |level| level.identifier < "Room4".into(),
        &full_walls(),
        &mut commands,
    );
    let lines = warnings_of("lines.ldtk");
    assert_eq!(lines.len(), 3, "{lines:?}");
    let expected = "its size is not greater than zero (and 7 more like this)";
    assert!(lines[0].ends_with(expected), "{lines:?}");
    map.spawn_all(&full_walls(), &mut app.world_mut().commands());
    let lines = warnings_of("lines.ldtk");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines.iter().all(|line| line.contains("Room4")), "{lines:?}");
    app.update();
    let reloaded = map.reload(&full_walls(), app.world_mut());
    assert_eq!(reloaded.errors.len(), 3);
    assert_eq!(warnings_of("lines.ldtk"), [""; 0]);
}

#[test]
fn parts_that_lack_the_same_are_one_error_whatever_their_names_are() {
    let mut project = project("Free", vec![]);
    for (index, def) in (project["defs"]["entities"]
        .as_array_mut()
        .unwrap()
        .iter_mut())
    .enumerate()
    {
        def["width"] = json!(format!("wide {index}"));
    }
    let map = map(&project);
    let expected = "map: is not as LDtk writes it: the definition of entity Hero: invalid type: \
                    string \"wide 0\", expected f32 (and 2 more like this)";
    assert_eq!(messages(&map, &LdtkRules::new()), [expected]);
}

#[test]
fn rules_that_name_different_things_are_errors_of_their_own() {
    let rules = LdtkRules::new()
        .named("Wals", "wall", CellShape::FULL)
        .named("Walss", "wall", CellShape::FULL)
        .named("Walls", "wal", CellShape::FULL)
        .named("Walls", "wl", CellShape::FULL);
    let map = room([1, 1], vec![walls(&["1"])]);
    assert_eq!(messages(&map, &rules).len(), 4);
}

#[test]
fn long_lists_of_names_end_with_how_many_more_there_are() {
    let names = |count| (0..count).map(|index| level(&format!("R{index}"), [0, 0], [1, 1], vec![]));
    let sentence = |count| {
        let map = map(&project("Free", names(count).collect()));
        map.level("X").unwrap_err().to_string()
    };
    assert!(sentence(0).ends_with("iid: there is none"));
    assert!(sentence(2).ends_with("iid: there are R0, R1"));
    assert!(sentence(20).ends_with("R18, R19"));
    assert!(sentence(259).ends_with("R18, R19 and 239 more"));
}
