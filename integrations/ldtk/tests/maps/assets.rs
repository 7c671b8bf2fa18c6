//! Maps that Bevy's asset server loads.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkAssetPlugin, LdtkLevel, LdtkMap, LdtkMapRoot, LdtkReloaded, LdtkRules};
use serde_json::{Value, json};

use crate::{builder::*, helpers::*, warnings::*};

/// An app that loads assets from a folder.
fn app_with(folder: &Folder) -> App {
    let mut app = App::new();
    let plugins = (MinimalPlugins, TransformPlugin, folder.asset_plugin());
    app.add_plugins((plugins, CollisionPlugin::default(), LdtkAssetPlugin));
    app.finish();
    app.cleanup();
    app
}

fn levels(app: &mut App) -> Vec<String> {
    let world = app.world_mut();
    let mut levels = world.query::<&LdtkLevel>();
    let levels = levels.iter(world).map(|level| level.identifier.clone());
    let mut levels: Vec<String> = levels.collect();
    levels.sort();
    levels
}

#[test]
fn a_world_spawns_levels_and_replaces_them_when_the_file_changes() {
    let folder = Folder::new("world");
    let room = |name, x, row| level(name, [x, 0], [2, 1], vec![walls(&[row])]);
    let load = |row| project("Free", vec![room("A", 0, row), room("B", 320, row)]);
    folder.write("house.ldtk", &load("1."));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("house.ldtk");
    let at = Transform::from_xyz(1000.0, 0.0, 0.0);
    let house = app
        .world_mut()
        .spawn((LdtkMapRoot::new(map, full_walls()), at))
        .id();
    until(&mut app, "levels", |app| levels(app) == ["A", "B"]);
    app.update();
    assert!(is_solid_at(&mut app, Vec2::new(1008.0, -8.0)));
    folder.write("house.ldtk", &load(".1"));
    app.world().resource::<AssetServer>().reload("house.ldtk");
    until(&mut app, "another map", |app| {
        is_solid_at(app, Vec2::new(1024.0, -8.0))
    });
    assert!(!is_solid_at(&mut app, Vec2::new(1008.0, -8.0)));
    let reported = app
        .world_mut()
        .resource_mut::<Messages<LdtkReloaded>>()
        .drain()
        .count();
    assert_eq!(reported, 1);
    // The game chooses levels.
    let set = |app: &mut App, names: Option<&[&str]>| {
        let mut house = app.world_mut().get_mut::<LdtkMapRoot>(house).unwrap();
        house.levels = names.map(|names| names.iter().map(|name| name.to_string()).collect());
        app.update();
        levels(app)
    };
    assert_eq!(set(&mut app, Some(&["iid-B"])), ["B"]);
    assert_eq!(set(&mut app, Some(&["A"])), ["A"]);
    assert_eq!(set(&mut app, None), ["A", "B"]);
    app.world_mut().despawn(house);
    assert_eq!(levels(&mut app), [""; 0]);
}

#[test]
fn the_files_of_levels_are_beside_that_of_the_map() {
    let folder = Folder::new("files");
    let room = |row| level("A", [0, 0], [2, 1], vec![walls(&[row])]);
    let mut stub = room("1.");
    stub["externalRelPath"] = json!("house/A.ldtkl");
    stub["layerInstances"] = Value::Null;
    folder.write("maps/house.ldtk", &project("Free", vec![stub]));
    folder.write("maps/house/A.ldtkl", &room("1."));
    let mut app = app_with(&folder);
    let map = app
        .world()
        .resource::<AssetServer>()
        .load("maps/house.ldtk");
    app.world_mut()
        .spawn(LdtkMapRoot::new(map, full_walls()).with_levels(["A"]));
    until(&mut app, "the level", |app| {
        is_solid_at(app, Vec2::new(8.0, -8.0))
    });
}

/// A map of one level with a wall in one of two cells, as another project.
fn house(iid: &str, name: &str, row: &str) -> Value {
    let room = level(name, [0, 0], [2, 1], vec![walls(&[row])]);
    let mut house = project("Free", vec![room]);
    house["iid"] = json!(iid);
    house
}

#[test]
fn each_root_replaces_its_own_levels_by_its_own_rules() {
    let folder = Folder::new("roots");
    folder.write("house.ldtk", &house("house", "A", "12"));
    let mut app = app_with(&folder);
    let map: Handle<LdtkMap> = app.world().resource::<AssetServer>().load("house.ldtk");
    let ramps = LdtkRules::new().numbered("Walls", 2, CellShape::FULL);
    for (x, rules) in [(0.0, full_walls()), (1000.0, ramps)] {
        let at = Transform::from_xyz(x, 0.0, 0.0);
        let root = LdtkMapRoot::new(map.clone(), rules);
        app.world_mut().spawn((root, at));
    }
    let solid =
        |app: &mut App| [8.0, 24.0, 1008.0, 1024.0].map(|x| is_solid_at(app, Vec2::new(x, -8.0)));
    until(&mut app, "levels", |app| {
        solid(app) == [true, false, false, true]
    });
    folder.write("house.ldtk", &house("house", "A", "21"));
    app.world().resource::<AssetServer>().reload("house.ldtk");
    until(&mut app, "a change", |app| {
        solid(app) != [true, false, false, true]
    });
    assert_eq!(solid(&mut app), [false, true, true, false]);
}

#[test]
fn levels_that_were_not_spawned_by_the_plugin_stay_as_they_are() {
    let folder = Folder::new("own");
    folder.write("house.ldtk", &house("house", "A", "1."));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("house.ldtk");
    let at = Transform::from_xyz(1000.0, 0.0, 0.0);
    let root = LdtkMapRoot::new(map, full_walls());
    app.world_mut().spawn((root, at));
    let own = crate::builder::map(&house("house", "A", "1."));
    spawn(&mut app, &own, "A", &full_walls());
    until(&mut app, "a level", |app| {
        is_solid_at(app, Vec2::new(1008.0, -8.0))
    });
    folder.write("house.ldtk", &house("house", "A", ".1"));
    app.world().resource::<AssetServer>().reload("house.ldtk");
    until(&mut app, "a change", |app| {
        is_solid_at(app, Vec2::new(1024.0, -8.0))
    });
    assert!(is_solid_at(&mut app, Vec2::new(8.0, -8.0)));
}

#[test]
fn another_map_replaces_the_levels_of_the_old_one() {
    let folder = Folder::new("other");
    folder.write("house.ldtk", &house("house", "A", "1."));
    folder.write("barn.ldtk", &house("barn", "B", ".1"));
    // A copy of a project has its iids.
    folder.write("copy.ldtk", &house("barn", "B", "11"));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("house.ldtk");
    let root = LdtkMapRoot::new(map, full_walls());
    let root = app.world_mut().spawn(root).id();
    until(&mut app, "levels", |app| levels(app) == ["A"]);
    let solid = |app: &mut App| [8.0, 24.0].map(|x| is_solid_at(app, Vec2::new(x, -8.0)));
    for (file, name, expected) in [
        ("barn.ldtk", "B", [false, true]),
        ("copy.ldtk", "B", [true, true]),
        ("house.ldtk", "A", [true, false]),
    ] {
        let map = app.world().resource::<AssetServer>().load(file);
        app.world_mut().get_mut::<LdtkMapRoot>(root).unwrap().map = map;
        until(&mut app, file, |app| {
            app.update();
            solid(app) == expected
        });
        assert_eq!(levels(&mut app), [name]);
    }
}

#[test]
fn each_error_is_logged_once() {
    collect_warnings();
    let warnings = || warnings_of("logged.ldtk");
    let folder = Folder::new("logged");
    let load = |row| {
        let mut project = house("house", "A", row);
        // One error of the map, one of the level; another is of the rules.
        project["levels"][0]["layerInstances"][0]["intGridCsv"] = json!([1]);
        let mut bad = level("Bad", [0, 0], [1, 1], vec![]);
        bad["pxHei"] = json!([]);
        project["levels"].as_array_mut().unwrap().push(bad);
        project
    };
    folder.write("logged.ldtk", &load("1."));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("logged.ldtk");
    let rules = full_walls().named("Wals", "wall", CellShape::FULL);
    let root = LdtkMapRoot::new(map, rules);
    app.world_mut().spawn(root.clone());
    until(&mut app, "levels", |app| levels(app) == ["A"]);
    (0..3).for_each(|_| app.update());
    let expected = warnings();
    assert_eq!(expected.len(), 3, "{expected:?}");
    folder.write("logged.ldtk", &load(".1"));
    app.world().resource::<AssetServer>().reload("logged.ldtk");
    until(&mut app, "another version", |app| {
        let reloaded = app.world().resource::<Messages<LdtkReloaded>>();
        !reloaded.is_empty()
    });
    (0..3).for_each(|_| app.update());
    assert_eq!(warnings(), expected);
    // Of another root of this map, what is wrong with its rules is new.
    let mut others = root.clone();
    others.rules = others.rules.named("Walls", "wal", CellShape::FULL);
    app.world_mut().spawn_batch([root, others]);
    (0..3).for_each(|_| app.update());
    assert_eq!(
        warnings(),
        [
            "logged.ldtk, layer \"Walls\": rules name wal, and no value has this name: there are \
          plank, wall, ramp, lava"
        ]
    );
}

#[test]
fn a_root_may_have_the_levels_of_a_world_and_of_a_depth() {
    let folder = Folder::new("depths");
    let mut below = level("Below", [0, 0], [1, 1], vec![]);
    below["worldDepth"] = json!(-1);
    let over = json!({
        "identifier": "Over", "iid": "over", "worldLayout": "Free", "worldGridWidth": 256,
        "worldGridHeight": 256, "levels": [below, level("Meadow", [0, 0], [1, 1], vec![])],
    });
    let mut under = over.clone();
    under["identifier"] = json!("Under");
    under["levels"] = json!([level("Cave", [0, 0], [1, 1], vec![])]);
    let mut both = project("Free", Vec::new());
    both["worldLayout"] = Value::Null;
    both["worlds"] = json!([over, under]);
    folder.write("both.ldtk", &both);
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("both.ldtk");
    let all = LdtkMapRoot::new(map, full_walls());
    let root = app.world_mut().spawn(all.clone()).id();
    until(&mut app, "levels", |app| levels(app).len() == 3);
    let mut with = |root_of: LdtkMapRoot| {
        app.world_mut().entity_mut(root).insert(root_of);
        app.update();
        levels(&mut app)
    };
    assert_eq!(with(all.clone().with_world("Under")), ["Cave"]);
    assert_eq!(with(all.clone().with_depth(-1)), ["Below"]);
    assert_eq!(with(all.clone().with_depth(0)), ["Cave", "Meadow"]);
    let meadow = all.clone().with_world("Over").with_depth(0);
    assert_eq!(with(meadow.clone()), ["Meadow"]);
    assert_eq!(with(meadow.with_levels(["Cave"])), [""; 0]);
    assert_eq!(with(all), ["Below", "Cave", "Meadow"]);
}

#[test]
fn names_that_the_map_does_not_have_are_logged() {
    collect_warnings();
    let folder = Folder::new("names");
    folder.write("names.ldtk", &house("house", "A", "1."));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("names.ldtk");
    let root = LdtkMapRoot::new(map, full_walls());
    let lacking = root.clone().with_levels(["A", "iid-A", "B"]);
    app.world_mut().spawn(lacking.with_world(""));
    until(&mut app, "the level", |app| levels(app) == ["A"]);
    app.world_mut().spawn(root.with_world("Under"));
    (0..3).for_each(|_| app.update());
    let expected = [
        "names.ldtk, level \"B\": no level has this identifier or iid: there is A",
        "names.ldtk: no world has the identifier Under: there is none",
    ];
    assert_eq!(warnings_of("names.ldtk"), expected);
}

#[test]
fn a_file_of_a_level_that_is_missing_is_logged_once_by_its_name() {
    collect_warnings();
    let folder = Folder::new("lacking");
    let [mut stub, hall] = ["Cellar", "Hall"].map(|name| level(name, [0, 0], [2, 1], vec![]));
    stub["externalRelPath"] = json!("lacking/Cellar.ldtkl");
    stub["layerInstances"] = Value::Null;
    folder.write("lacking.ldtk", &project("Free", vec![stub, hall]));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("lacking.ldtk");
    app.world_mut().spawn(LdtkMapRoot::new(map, full_walls()));
    until(&mut app, "the other level", |app| levels(app) == ["Hall"]);
    let warnings = warnings_of("lacking");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let expected = "lacking/Cellar.ldtkl, level \"Cellar\": cannot be read: ";
    assert!(warnings[0].starts_with(expected), "{warnings:?}");
}

#[test]
fn an_observer_may_despawn_the_root_while_its_levels_are_spawned() {
    let folder = Folder::new("despawned");
    let rooms = ["A", "B"].map(|name| level(name, [0, 0], [1, 1], vec![walls(&["1"])]));
    folder.write("house.ldtk", &project("Free", rooms.to_vec()));
    let mut app = app_with(&folder);
    let map = app.world().resource::<AssetServer>().load("house.ldtk");
    let root = app
        .world_mut()
        .spawn(LdtkMapRoot::new(map, full_walls()))
        .id();
    app.add_observer(move |_: On<Add, LdtkLevel>, mut commands: Commands| {
        commands.entity(root).try_despawn();
    });
    until(&mut app, "the end of the root", |app| {
        app.world().get_entity(root).is_err()
    });
    let world = app.world_mut();
    assert_eq!(world.query::<&Transform>().iter(world).count(), 0);
}
