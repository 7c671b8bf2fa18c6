//! The levels that `bevy_ecs_ldtk` spawns get colliders.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use bevy::{ecs::system::RunSystemOnce, image::TextureAtlasLayout, prelude::*};
use bevy_ecs_ldtk::{EntityInstance, LdtkProjectHandle, LdtkWorldBundle, LevelSelection, LevelSet};
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkCollisionPlugin, LdtkEntity, LdtkGrid, LdtkRules};
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

/// An app with a folder of assets that has the room, and its level as soon as it is there.
fn app(folder: &Path, room: &Value) -> App {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("room.ldtk"), room.to_string()).unwrap();
    let mut app = App::new();
    let assets = AssetPlugin {
        file_path: folder.to_string_lossy().into(),
        ..default()
    };
    app.add_plugins((MinimalPlugins, TransformPlugin, assets))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(LevelSelection::index(0))
        .add_plugins((bevy_ecs_ldtk::LdtkPlugin, CollisionPlugin::default()))
        .add_plugins(LdtkCollisionPlugin::new(rules()));
    app.finish();
    app.cleanup();
    let ldtk_handle = LdtkProjectHandle {
        handle: app.world().resource::<AssetServer>().load("room.ldtk"),
    };
    app.world_mut().spawn(LdtkWorldBundle {
        ldtk_handle,
        ..default()
    });
    app
}

fn is_solid_at(app: &mut App, point: Vec2) -> bool {
    let at = move |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default().only_solid();
        !query.point_intersections(point, &filter).is_empty()
    };
    app.world_mut().run_system_once(at).unwrap()
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

#[test]
fn its_levels_get_grids_and_its_entities_colliders() {
    let folder = std::env::temp_dir().join(format!("bevy_thud_ecs_ldtk_{}", process::id()));
    let mut room = room();
    let mut app = app(&folder, &room);
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
    // The file changes: the floor is gone.
    let walls = &mut room["levels"][0]["layerInstances"][1]["intGridCsv"];
    *walls = json!([vec![1; 40], vec![0; 40 * 21]].concat());
    fs::write(folder.join("room.ldtk"), room.to_string()).unwrap();
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
    fs::remove_dir_all(&folder).unwrap();
    let world = app.world_mut();
    assert_eq!(world.query::<&LdtkGrid>().iter(world).count(), 1);
    // The level is unloaded.
    world.remove_resource::<LevelSelection>();
    world
        .query::<&mut LevelSet>()
        .single_mut(world)
        .unwrap()
        .iids
        .clear();
    (0..3).for_each(|_| app.update());
    assert!(!is_solid_at(&mut app, Vec2::new(300.0, 344.0)));
    let world = app.world_mut();
    assert_eq!(world.query::<&LdtkGrid>().iter(world).count(), 0);
}
