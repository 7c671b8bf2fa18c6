//! Maps that Bevy's asset server loads.

use std::{fs, path::PathBuf, process, time::Duration};

use bevy::prelude::*;
use bevy_thud_ldtk::{LdtkAssetPlugin, LdtkLevel, LdtkMapRoot, LdtkReloaded};
use serde_json::{Value, json};

use crate::builder::*;

/// A folder of assets, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("bevy_thud_ldtk_{test}_{}", process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("maps")).unwrap();
        Self(folder)
    }

    fn write(&self, file: &str, value: &Value) {
        fs::write(self.0.join(file), value.to_string()).unwrap();
    }

    fn app(&self) -> App {
        let mut app = App::new();
        let assets = AssetPlugin {
            file_path: self.0.to_string_lossy().into(),
            ..default()
        };
        let plugins = (MinimalPlugins, TransformPlugin, assets);
        app.add_plugins((
            plugins,
            bevy_thud::CollisionPlugin::default(),
            LdtkAssetPlugin,
        ));
        app.finish();
        app.cleanup();
        app
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Updates until something holds, for ten seconds at most.
fn until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
    for _ in 0..1000 {
        app.update();
        if holds(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("not within ten seconds: {what}");
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
    let mut app = folder.app();
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
    fs::create_dir_all(folder.0.join("maps/house")).unwrap();
    folder.write("maps/house/A.ldtkl", &room("1."));
    let mut app = folder.app();
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
