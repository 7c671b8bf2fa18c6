//! Levels in files of their own.

use std::{env, fs, io, process};

use bevy_thud_ldtk::{LdtkMap, LdtkProblem};
use serde_json::{Value, json};

use crate::builder::*;

/// A project of two rooms whose layers are elsewhere, and the text of these files.
struct Files {
    project: Value,
    rooms: [String; 2],
}

fn files() -> Files {
    let room = |name| level(name, [0, 0], [2, 1], vec![walls(&["1."])]);
    let rooms = [room("Hall"), room("Cellar")];
    let texts = rooms.clone().map(|room| room.to_string());
    let stubs = rooms.map(|mut room| {
        room["externalRelPath"] = json!(format!(
            "maps/{}.ldtkl",
            room["identifier"].as_str().unwrap()
        ));
        room["layerInstances"] = Value::Null;
        room
    });
    let mut project = project("Free", stubs.to_vec());
    project["externalLevels"] = json!(true);
    Files {
        project,
        rooms: texts,
    }
}

#[test]
fn a_closure_reads_the_files_of_levels() {
    let files = files();
    let mut map = map(&files.project);
    assert_eq!(
        map.external_levels(),
        ["maps/Hall.ldtkl", "maps/Cellar.ldtkl"]
    );
    map.read_external_levels(|path| match path {
        "maps/Hall.ldtkl" => Ok(&files.rooms[0]),
        _ => Err(io::Error::other("no disk")),
    });
    assert_eq!(map.external_levels(), ["maps/Cellar.ldtkl"]);
    let expected = ["maps/Cellar.ldtkl, level \"Cellar\": cannot be read: no disk"];
    assert_eq!(messages(&map, &full_walls()), expected);
    let error = map.contents("Cellar", &full_walls()).unwrap_err();
    assert_eq!(error.to_string(), expected[0]);
    let mut app = app();
    spawn(&mut app, &map, "Hall", &full_walls());
    assert!(is_solid_at(&mut app, [8.0, -8.0].into()));
}

#[test]
fn files_of_levels_are_read_beside_that_of_the_map() {
    let files = files();
    let folder = env::temp_dir().join(format!("bevy_thud_ldtk_{}", process::id()));
    fs::create_dir_all(folder.join("maps")).unwrap();
    fs::write(folder.join("house.ldtk"), files.project.to_string()).unwrap();
    fs::write(folder.join("maps/Hall.ldtkl"), &files.rooms[0]).unwrap();
    fs::write(folder.join("maps/Cellar.ldtkl"), &files.rooms[1]).unwrap();
    let map = LdtkMap::read(folder.join("house.ldtk")).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(map.errors(&full_walls()), []);
    for level in ["Hall", "Cellar"] {
        assert_eq!(map.contents(level, &full_walls()).unwrap().grids.len(), 1);
    }
    let error = LdtkMap::read(folder.join("house.ldtk")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("house.ldtk: cannot be read: "),
        "{error}"
    );
}

#[test]
fn a_file_of_another_map_is_not_taken() {
    let files = files();
    let mut map = map(&files.project);
    let stranger = level("Attic", [0, 0], [1, 1], vec![]).to_string();
    let error = map.add_external_level("attic.ldtkl", stranger).unwrap_err();
    let expected = "attic.ldtkl, level \"Attic\": no level has this identifier or iid: there are \
                    Hall, Cellar";
    assert_eq!(error.to_string(), expected);
    let half = &files.rooms[0][..files.rooms[0].len() / 2];
    let error = map.add_external_level("hall.ldtkl", half).unwrap_err();
    assert!(matches!(error.problem, LdtkProblem::Json { .. }), "{error}");
}

#[test]
fn what_is_wrong_in_the_file_of_a_level_names_that_file() {
    let mut files = files();
    files.project["levels"][0]["pxWid"] = json!(0);
    let mut map = map(&files.project).with_file_name("house.ldtk");
    let cellar = files.rooms[1].replace("\"__cWid\":2", "\"__cWid\":0");
    map.read_external_levels(|path| match path {
        "maps/Hall.ldtkl" => Ok::<&str, io::Error>("{"),
        _ => Ok(&cellar),
    });
    let expected = [
        "house.ldtk, level \"Hall\": its size is not greater than zero",
        "maps/Hall.ldtkl, level \"Hall\": line 1, column 1: EOF while parsing an object",
        "maps/Cellar.ldtkl, level \"Cellar\", layer \"Walls\": its number of columns is not \
         greater than zero",
    ];
    assert_eq!(messages(&map, &full_walls()), expected);
}
