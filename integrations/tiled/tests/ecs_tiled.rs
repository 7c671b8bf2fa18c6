//! Maps that `bevy_ecs_tiled` loads have colliders where they are drawn.

use std::{fs, path::PathBuf, time::Duration};

use bevy::{
    ecs::system::SystemState,
    image::{CompressedImageFormats, ImageLoader},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_ecs_tiled::prelude::{RespawnTiledMap, TiledMap as DrawnMap, TiledPlugin, TilemapAnchor};
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    TiledCollisionPlugin, TiledMapReady, TiledMapRoot, TiledObject, TiledReloaded, TiledRules,
};

/// One full tile at the column 1 and the row 0 of 4 by 2, flipped diagonally, of which the left
/// quarter is solid: so that the upper quarter of the cell is.
const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="2" tilewidth="16" tileheight="16">
<tileset firstgid="1" source="tiles/test.tsx"/>
<layer id="1" name="Ground" width="4" height="2"><data encoding="csv">
0,536870913,0,0,
0,0,0,0
</data></layer>
<objectgroup id="2" name="Things"><object id="7" x="32" y="16" width="16" height="16"/>
</objectgroup>
</map>"#;

/// Files of files: the collision shape has a template.
const TILESET: &str = r#"
<tileset name="test" tilewidth="16" tileheight="16" tilecount="1" columns="1">
<image source="../test.png" width="16" height="16"/>
<tile id="0"><objectgroup><object id="1" template="../wall.tx" x="0" y="0"/></objectgroup></tile>
</tileset>"#;
const TEMPLATE: &str = r#"<template><object width="4" height="16"/></template>"#;

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bevy_thud_ecs_tiled_{}", std::process::id()));
    fs::create_dir_all(folder.join("tiles")).expect("a folder for the test");
    let files = [
        ("level.tmx", MAP),
        ("tiles/test.tsx", TILESET),
        ("wall.tx", TEMPLATE),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("the files can be written");
    }
    let png = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/tiles.png");
    fs::copy(png, folder.join("test.png")).expect("the image can be copied");
    folder
}

fn at(app: &mut App, x: f32, y: f32) -> Vec<Entity> {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).expect("the plugin is there");
    query
        .point_intersections(Vec2::new(x, y), &SpatialQueryFilter::default())
        .collect()
}

fn reloads(app: &mut App) -> usize {
    let mut messages = app.world_mut().resource_mut::<Messages<TiledReloaded>>();
    messages.drain().count()
}

fn run(app: &mut App) -> usize {
    let mut count = 0;
    for _ in 0..100 {
        app.update();
        count += reloads(app);
        std::thread::sleep(Duration::from_millis(5));
    }
    count
}

/// The maps that were ready, with the number of objects that were there.
#[derive(Resource, Default)]
struct Ready(Vec<(Entity, usize)>);

#[test]
fn maps_have_colliders_where_they_are_drawn() {
    let folder = folder();
    let mut app = App::new();
    let assets = AssetPlugin {
        file_path: folder.display().to_string(),
        ..default()
    };
    let step = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    app.add_plugins((MinimalPlugins, TransformPlugin, assets))
        .add_plugins(ImagePlugin::default())
        // The renderer would do this.
        .register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE))
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(step)
        .add_plugins((TiledPlugin::default(), CollisionPlugin::default()))
        .add_plugins(TiledCollisionPlugin(TiledRules::new()))
        .init_resource::<Ready>()
        .add_observer(
            |ready: On<TiledMapReady>, objects: Query<&TiledObject>, mut log: ResMut<Ready>| {
                log.0.push((ready.entity, objects.iter().count()));
            },
        );
    app.finish();
    app.cleanup();
    let handle = app.world().resource::<AssetServer>().load("level.tmx");
    let transform = Transform::from_xyz(100.0, 0.0, 0.0);
    let map = app
        .world_mut()
        .spawn((DrawnMap(handle), TilemapAnchor::BottomLeft, transform))
        .id();
    assert_eq!(run(&mut app), 1);
    // Its bottom left is at (100, 0), so that its upper edge is at 32.
    assert_eq!(at(&mut app, 124.0, 30.0).len(), 1);
    assert_eq!(at(&mut app, 117.0, 29.0).len(), 1);
    assert_eq!(at(&mut app, 117.0, 26.0).len(), 0);
    assert_eq!(at(&mut app, 124.0, 33.0).len(), 0);
    assert_eq!(at(&mut app, 140.0, 8.0).len(), 1);
    // Another anchor spawns it anew.
    app.world_mut()
        .entity_mut(map)
        .insert(TilemapAnchor::TopLeft);
    assert_eq!(run(&mut app), 1);
    assert_eq!(at(&mut app, 124.0, 30.0).len(), 0);
    assert_eq!(at(&mut app, 124.0, -2.0).len(), 1);
    app.world_mut().entity_mut(map).insert(RespawnTiledMap);
    assert_eq!(run(&mut app), 1);
    assert_eq!(at(&mut app, 124.0, -2.0).len(), 1);
    let mut roots = app
        .world_mut()
        .query_filtered::<Entity, With<TiledMapRoot>>();
    let root = roots.single(app.world()).expect("one map");
    // Spawned, and twice replaced.
    assert_eq!(app.world().resource::<Ready>().0, [(root, 1); 3]);
    app.world_mut().despawn(map);
    app.update();
    assert_eq!(at(&mut app, 124.0, -2.0).len(), 0);
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}
