//! The levels that `bevy_ecs_ldtk` spawns get colliders.

#[path = "maps/helpers.rs"]
mod helpers;
#[path = "maps/warnings.rs"]
mod warnings;

use std::{fs, path::PathBuf};

use bevy::{image::TextureAtlasLayout, prelude::*};
use bevy_ecs_ldtk::{
    EntityInstance, LdtkProjectHandle, LdtkWorldBundle, LevelIid, LevelSelection, LevelSet,
};
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{
    LdtkAssetPlugin, LdtkCollisionPlugin, LdtkEntity, LdtkFields, LdtkGrid, LdtkLevel,
    LdtkMapReady, LdtkReloaded, LdtkRules,
};
use helpers::*;
use serde_json::{Value, json};

/// The room of the example, with its first crate 32 wide and 48 high.
fn room() -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/room.ldtk");
    let mut room: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let things = &mut room["levels"][0]["layerInstances"][0]["entityInstances"];
    let mut things = things.as_array_mut().unwrap().iter_mut();
    let first = things
        .find(|thing| thing["__identifier"] == "Crate")
        .unwrap();
    first["width"] = json!(32);
    first["height"] = json!(48);
    first["px"] = json!([160, 96]);
    room
}

fn rules() -> LdtkRules {
    LdtkRules::new().named("Walls", "wall", CellShape::FULL)
}

/// The iid of the room of the example.
const ROOM: &str = "9273b2e8-52f9-5264-bdfd-531089dd17e5";

/// The room of the example, and a copy of its level.
fn room_and_copy() -> Value {
    let mut rooms = room();
    let mut copy = rooms["levels"][0].clone();
    copy["identifier"] = json!("Cellar");
    copy["iid"] = json!("cellar");
    copy["uid"] = json!(1000);
    rooms["levels"].as_array_mut().unwrap().push(copy);
    rooms
}

/// An app that spawns these levels of a project of a folder.
fn app(folder: &Folder, file: &str, levels: &[&str], rules: LdtkRules) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, folder.asset_plugin()))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .add_plugins((bevy_ecs_ldtk::LdtkPlugin, CollisionPlugin::default()))
        .add_plugins(LdtkCollisionPlugin::new(rules));
    app.finish();
    app.cleanup();
    let ldtk_handle = LdtkProjectHandle {
        handle: app.world().resource::<AssetServer>().load(file.to_string()),
    };
    app.world_mut().spawn(LdtkWorldBundle {
        ldtk_handle,
        level_set: LevelSet::from_iids(levels.iter().copied()),
        ..default()
    });
    app
}

fn level_set(app: &mut App) -> Mut<'_, LevelSet> {
    let world = app.world_mut();
    let mut sets = world.query::<&mut LevelSet>();
    sets.single_mut(world).unwrap()
}

/// The iids of the levels that have grids, sorted.
fn levels(app: &mut App) -> Vec<String> {
    let world = app.world_mut();
    let mut levels = world.query::<&LdtkLevel>();
    let mut levels: Vec<String> = levels.iter(world).map(|level| level.iid.clone()).collect();
    levels.sort();
    levels
}

fn count<C: Component>(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query::<&C>().iter(world).count()
}

#[test]
fn its_levels_get_grids_and_its_entities_colliders() {
    let folder = Folder::new("ecs_room");
    let mut room = room();
    room["levels"][0]["fieldInstances"] = json!([{
        "__identifier": "music", "__type": "String", "__value": "calm.ogg", "__tile": null,
        "defUid": 0, "realEditorValues": [],
    }]);
    folder.write("room.ldtk", &room);
    let mut app = app(&folder, "room.ldtk", &[], rules());
    app.insert_resource(LevelSelection::index(0));
    // The lower left of the level is the origin, and the floor two cells high.
    until(&mut app, "the level", |app| {
        is_solid_at(app, Vec2::new(300.0, 31.0))
    });
    for [x, y] in [
        [0.1, 0.1],
        [639.9, 351.9],
        [8.0, 200.0],
        [160.1, 255.9],
        [191.9, 208.1],
    ] {
        assert!(is_solid_at(&mut app, Vec2::new(x, y)), "{x} {y}");
    }
    for [x, y] in [
        [100.0, 33.0],
        [17.0, 200.0],
        [159.9, 230.0],
        [192.1, 230.0],
        [170.0, 256.1],
    ] {
        assert!(!is_solid_at(&mut app, Vec2::new(x, y)), "{x} {y}");
    }
    let world = app.world_mut();
    let things = world.query::<&EntityInstance>().iter(world).count();
    assert_eq!(
        world
            .query::<(&LdtkEntity, &RectCollider)>()
            .iter(world)
            .count(),
        things
    );
    assert_eq!(world.query::<&LdtkGrid>().iter(world).count(), 1);
    let mut fields = world.query_filtered::<&LdtkFields, With<LdtkLevel>>();
    let fields = fields.single(world).unwrap();
    assert_eq!(fields.str("music"), Some("calm.ogg"));
    // The file changes: the floor is gone.
    let walls = &mut room["levels"][0]["layerInstances"][1]["intGridCsv"];
    *walls = json!([vec![1; 40], vec![0; 40 * 21]].concat());
    folder.write("room.ldtk", &room);
    app.world().resource::<AssetServer>().reload("room.ldtk");
    let is_new = |app: &mut App| {
        // What is in both versions is there all the time.
        assert!(is_solid_at(app, Vec2::new(300.0, 344.0)));
        let points = [[300.0, 31.0], [300.0, 344.0], [161.0, 255.0]];
        points.map(|point| is_solid_at(app, point.into())) == [false, true, true]
    };
    until(&mut app, "another level", is_new);
    for _ in 0..10 {
        app.update();
        assert!(is_new(&mut app));
    }
    assert_eq!(count::<LdtkGrid>(&mut app), 1);
    // The level is unloaded.
    app.world_mut().remove_resource::<LevelSelection>();
    level_set(&mut app).iids.clear();
    (0..3).for_each(|_| app.update());
    assert!(!is_solid_at(&mut app, Vec2::new(300.0, 344.0)));
    assert_eq!(count::<LdtkGrid>(&mut app), 0);
}

#[test]
fn a_level_that_is_gone_from_the_file_loses_its_grids() {
    let folder = Folder::new("ecs_gone");
    let both = room_and_copy();
    folder.write("gone.ldtk", &both);
    let mut app = app(&folder, "gone.ldtk", &[ROOM, "cellar"], rules());
    until(&mut app, "the levels", |app| {
        levels(app) == [ROOM, "cellar"]
    });
    app.update();
    let mut one = both;
    one["levels"].as_array_mut().unwrap().pop();
    folder.write("gone.ldtk", &one);
    app.world().resource::<AssetServer>().reload("gone.ldtk");
    let mut reloaded = Vec::new();
    until(&mut app, "one level", |app| {
        let mut messages = app.world_mut().resource_mut::<Messages<LdtkReloaded>>();
        reloaded.extend(messages.drain());
        levels(app) == [ROOM]
    });
    for _ in 0..10 {
        app.update();
        let mut messages = app.world_mut().resource_mut::<Messages<LdtkReloaded>>();
        reloaded.extend(messages.drain());
        assert_eq!(levels(&mut app), [ROOM]);
    }
    let [reloaded] = &reloaded[..] else {
        panic!("{reloaded:?}");
    };
    assert_eq!(reloaded.removed, ["cellar"]);
    assert_eq!(reloaded.levels.len(), 1);
}

#[test]
fn levels_of_a_copy_of_a_project_get_colliders_as_well() {
    let folder = Folder::new("ecs_copies");
    for file in ["first.ldtk", "second.ldtk"] {
        folder.write(file, &room());
    }
    let mut app = app(&folder, "first.ldtk", &[ROOM], rules());
    until(&mut app, "a level", |app| levels(app) == [ROOM]);
    let ldtk_handle = LdtkProjectHandle {
        handle: app.world().resource::<AssetServer>().load("second.ldtk"),
    };
    app.world_mut().spawn(LdtkWorldBundle {
        ldtk_handle,
        level_set: LevelSet::from_iids([ROOM]),
        transform: Transform::from_xyz(1000.0, 0.0, 0.0),
        ..default()
    });
    until(&mut app, "the other level", |app| {
        is_solid_at(app, Vec2::new(1300.0, 31.0))
    });
    assert!(is_solid_at(&mut app, Vec2::new(300.0, 31.0)));
    assert_eq!(levels(&mut app), [ROOM, ROOM]);
}

#[test]
fn a_level_is_ready_when_its_entities_have_colliders() {
    #[derive(Resource, Default)]
    struct Ready(Vec<(Option<Entity>, usize)>);
    let folder = Folder::new("ecs_ready");
    folder.write("ready.ldtk", &room());
    let mut app = app(&folder, "ready.ldtk", &[ROOM], rules());
    app.init_resource::<Ready>().add_observer(
        |ready: On<LdtkMapReady>, things: Query<&LdtkEntity>, mut log: ResMut<Ready>| {
            log.0.push((ready.root, things.iter().count()));
        },
    );
    until(&mut app, "the level", |app| levels(app) == [ROOM]);
    let things = count::<EntityInstance>(&mut app);
    let world = app.world_mut();
    let project = world.query_filtered::<Entity, With<LdtkProjectHandle>>();
    let project = { project }.single(world).unwrap();
    assert_eq!(world.resource::<Ready>().0, [(Some(project), things)]);
}

#[test]
fn each_mistake_is_logged_once_however_often_levels_stream_in() {
    warnings::collect_warnings();
    let folder = Folder::new("ecs_logged");
    folder.write("stream.ldtk", &room_and_copy());
    let rules = rules().named("Wals", "wall", CellShape::FULL);
    let mut app = app(&folder, "stream.ldtk", &[ROOM], rules);
    until(&mut app, "a level", |app| levels(app) == [ROOM]);
    assert_eq!(warnings::warnings_of("stream.ldtk").len(), 1);
    level_set(&mut app).iids.insert(LevelIid::new("cellar"));
    until(&mut app, "another level", |app| levels(app).len() == 2);
    level_set(&mut app).iids.clear();
    until(&mut app, "no level", |app| levels(app).is_empty());
    level_set(&mut app).iids.insert(LevelIid::new("cellar"));
    until(&mut app, "the other level", |app| levels(app).len() == 1);
    assert_eq!(warnings::warnings_of("stream.ldtk"), [""; 0]);
}

#[test]
fn the_scale_of_a_mirrored_entity_is_undone_as_well() {
    let folder = Folder::new("ecs_mirrored");
    folder.write("mirror.ldtk", &room());
    let mut app = app(&folder, "mirror.ldtk", &[ROOM], rules());
    let mirror = |inserted: On<Insert, Transform>,
                  mut things: Query<&mut Transform, With<EntityInstance>>| {
        if let Ok(mut transform) = things.get_mut(inserted.entity)
            && transform.scale.x > 0.0
        {
            transform.scale.x *= -1.0;
        }
    };
    app.add_observer(mirror);
    until(&mut app, "the level", |app| levels(app) == [ROOM]);
    let world = app.world_mut();
    let mut things = world.query::<(&EntityInstance, &Transform, &RectCollider)>();
    for (thing, transform, collider) in things.iter(world) {
        let scale = transform.scale.truncate();
        assert!(scale.x < 0.0);
        let size = Vec2::new(thing.width as f32, thing.height as f32);
        assert!((collider.size * scale.abs() - size).length() < 1e-3);
    }
    assert!(things.iter(world).count() > 0);
}

#[test]
fn the_plugin_of_assets_may_be_there_before_or_afterwards() {
    let new = || {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()));
        app
    };
    new().add_plugins((LdtkCollisionPlugin::new(rules()), LdtkAssetPlugin));
    new().add_plugins((LdtkAssetPlugin, LdtkCollisionPlugin::new(rules())));
}
