//! Maps that are replaced or spawned again, and objects that persist.

use std::{fs, time::SystemTime};

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    MapPersistent, StuckMover, TiledLayer, TiledMap, TiledObject, TiledReloadPlugin, TiledReloaded,
    TiledRules, reload_map, spawn_map,
};

use crate::common::{Level, app, load, map_text, position, spawn};

/// Walls as objects, and a hero and a coin who are objects as well.
fn rooms(offset: u32, wall: &str) -> String {
    let content = format!(
        r#"<objectgroup id="3" name="Walls" offsetx="{offset}">
<properties><property name="solid" type="bool" value="true"/></properties>{wall}</objectgroup>
<objectgroup id="4" name="Things" offsetx="{offset}">
<object id="1" name="hero" x="32" y="32"><point/></object>
<object id="2" name="coin" x="64" y="32" width="8" height="8"/></objectgroup>"#
    );
    map_text(8, 8, "", &content)
}

#[test]
fn a_reload_keeps_what_persists_and_reports_who_is_in_a_wall() {
    let wall = r#"<object id="10" x="100" y="0" width="16" height="64"/>"#;
    let mut level = Level::new(&rooms(0, wall)).no_errors();
    let [hero, coin, wall] = [1, 2, 10].map(|id| level.object(id));
    level.app.world_mut().entity_mut(hero).insert((
        CircleCollider::new(4.0),
        Mover::default(),
        MapPersistent,
        Transform::from_xyz(94.0, -32.0, 0.0).with_rotation(Quat::from_rotation_z(1.0)),
    ));
    let sword = level.app.world_mut().spawn(ChildOf(hero)).id();
    // A stranger stands in the wall to be.
    let stranger = (
        RectCollider::new(8.0, 8.0),
        Mover::default(),
        Transform::from_xyz(30.0, -90.0, 0.0),
    );
    let stranger = level.app.world_mut().spawn(stranger).id();
    level.app.update();
    level
        .app
        .world_mut()
        .entity_mut(hero)
        .insert(Transform::from_xyz(98.0, -32.0, 0.0));
    level.app.update();

    let map = level.map;
    let new = r#"<object id="11" x="0" y="80" width="64" height="16"/>"#;
    let new = load(&[("level.tmx", &rooms(8, new))]).expect("it can be read");
    let world = level.app.world_mut();
    let reloaded = reload_map(map, &new, &TiledRules::new(), world).expect("it is a map");
    assert_eq!((reloaded.map, reloaded.errors.len()), (map, 0));
    let stuck = StuckMover {
        mover: stranger,
        wall: level.object(11),
    };
    assert_eq!(reloaded.stuck, [stuck]);
    // The hero is where it was, and once.
    let world = level.app.world_mut();
    assert!(world.get_entity(wall).is_err() && world.get_entity(coin).is_err());
    assert!(world.get_entity(sword).is_ok());
    assert_eq!(level.count::<TiledObject>(), 3);
    level.app.update();
    let at = position(&level, hero);
    assert!(at.distance(Vec2::new(95.97, -32.0)) < 0.2, "{at}");
    assert!(reload_map(stranger, &new, &TiledRules::new(), level.app.world_mut()).is_none());
}

#[test]
fn what_persists_leaves_its_layer_and_stays_where_it_is() {
    let mut app = app();
    app.add_observer(|added: On<Add, TiledObject>, mut commands: Commands| {
        commands.entity(added.entity).insert(MapPersistent);
    });
    let text = rooms(8, "");
    let map = load(&[("level.tmx", &text)]).expect("it can be read");
    let transform = Transform::from_xyz(0.0, 100.0, 0.0).with_scale(Vec3::splat(2.0));
    let rules = TiledRules::new().transform(transform);
    let mut level = Level::spawn(app, &map, &rules);
    let map = level.map;
    let hero = level.object(1);
    assert_eq!(position(&level, hero), Vec2::new(80.0, 36.0));
    assert!(level.get::<ChildOf>(hero).is_none());
    level.app.world_mut().despawn(map);
    assert!(level.app.world().get_entity(hero).is_ok());
}

#[test]
fn no_event_is_lost_in_a_reload() {
    let wall = r#"<object id="10" x="100" y="0" width="16" height="64"/>"#;
    let mut level = Level::new(&rooms(0, wall)).no_errors();
    let probe = (
        CircleCollider::new(4.0),
        Transform::from_xyz(68.0, -36.0, 0.0),
    );
    let probe = level.app.world_mut().spawn(probe).id();
    level.app.update();
    let coin = level.object(2);
    level
        .app
        .world_mut()
        .resource_mut::<Messages<CollisionEvent>>()
        .clear();
    let new = load(&[("level.tmx", &rooms(0, wall))]).expect("it can be read");
    reload_map(level.map, &new, &TiledRules::new(), level.app.world_mut());
    level.app.update();
    let new_coin = level.object(2);
    assert_ne!(coin, new_coin);
    let events: Vec<(bool, [Entity; 2])> = level
        .app
        .world_mut()
        .resource_mut::<Messages<CollisionEvent>>()
        .drain()
        .map(|event| match event {
            CollisionEvent::Started { a, b, .. } => (true, [a, b]),
            CollisionEvent::Ended { a, b, .. } => (false, [a, b]),
        })
        .collect();
    let has = |is_start, other| {
        let is_it = |pair: &[Entity; 2]| pair.contains(&probe) && pair.contains(&other);
        events
            .iter()
            .any(|(start, pair)| *start == is_start && is_it(pair))
    };
    assert!(has(false, coin) && has(true, new_coin), "{events:?}");
}

#[test]
fn a_modified_file_replaces_the_map() {
    let folder = std::env::temp_dir().join(format!("bevy_thud_tiled_{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("level.tmx");
    let wall = |x: u32| format!(r#"<object id="10" x="{x}" y="0" width="16" height="64"/>"#);
    let write = |text: &str, seconds: u64| {
        fs::write(&file, text).expect("the file can be written");
        let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let file = fs::File::options()
            .write(true)
            .open(&file)
            .expect("it is there");
        file.set_modified(time).expect("the time can be set");
    };
    write(&rooms(0, &wall(0)), 1000);
    let map = TiledMap::read(&file).expect("it can be read");
    let mut app = app();
    app.add_plugins(TiledReloadPlugin);
    let mut level = Level::spawn(app, &map, &TiledRules::new());
    let messages = |level: &mut Level| {
        let mut found = Vec::new();
        // The plugin looks every half second of real time.
        for _ in 0..40 {
            level.app.update();
            let mut messages = level
                .app
                .world_mut()
                .resource_mut::<Messages<TiledReloaded>>();
            found.extend(messages.drain());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        found
    };
    assert!(messages(&mut level).is_empty());
    assert!(level.is_solid(8.0, 8.0));
    write(&rooms(0, &wall(40)), 2000);
    let found = messages(&mut level);
    assert_eq!((found.len(), found[0].errors.len()), (1, 0));
    assert!(level.is_solid(48.0, 8.0) && !level.is_solid(8.0, 8.0));
    write("<map", 3000);
    let found = messages(&mut level);
    assert_eq!((found.len(), found[0].errors.len()), (1, 1));
    assert!(level.is_solid(48.0, 8.0), "it stays");
    write(&rooms(0, &wall(80)), 4000);
    assert_eq!(messages(&mut level).len(), 1);
    assert!(level.is_solid(88.0, 8.0) && !level.is_solid(48.0, 8.0));
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn a_reload_keeps_what_the_game_has_added_to_the_map() {
    let mut level = Level::new(&rooms(0, "")).no_errors();
    let child = (CircleCollider::new(4.0), ChildOf(level.map));
    let child = level.app.world_mut().spawn(child).id();
    let grandchild = level.app.world_mut().spawn(ChildOf(child)).id();
    let coin = level.object(2);
    let new = load(&[("level.tmx", &rooms(8, ""))]).expect("it can be read");
    reload_map(level.map, &new, &TiledRules::new(), level.app.world_mut());
    level.app.update();
    assert!(level.app.world().get_entity(coin).is_err());
    for kept in [child, grandchild] {
        assert!(level.app.world().get_entity(kept).is_ok());
    }
    assert_eq!(level.count::<TiledObject>(), 2);
}

/// A world in which heroes persist.
fn app_of_heroes() -> App {
    let mut app = app();
    app.add_observer(
        |added: On<Add, TiledObject>, objects: Query<&TiledObject>, mut commands: Commands| {
            if objects.get(added.entity).is_ok_and(|it| it.name == "hero") {
                commands.entity(added.entity).insert(MapPersistent);
            }
        },
    );
    app
}

#[test]
fn a_map_that_is_spawned_again_has_its_persistent_objects_once() {
    let map = load(&[("level.tmx", &rooms(0, ""))]).expect("it can be read");
    let rules = TiledRules::new();
    let mut level = Level::spawn(app_of_heroes(), &map, &rules);
    let hero = level.object(1);
    level.app.world_mut().despawn(level.map);
    assert_eq!(level.count::<TiledObject>(), 1);
    let second = spawn(&mut level.app, &map, &rules).entity;
    assert_eq!((level.count::<TiledObject>(), level.object(1)), (2, hero));
    let of = level.get::<TiledObject>(hero).map(|object| object.map);
    assert_eq!(of, Some(second), "it belongs to the map that is there");
    reload_map(second, &map, &rules, level.app.world_mut());
    assert_eq!((level.count::<TiledObject>(), level.object(1)), (2, hero));
    // All of it in the same commands: of what is there when they run.
    let mut commands = level.app.world_mut().commands();
    commands.entity(second).despawn();
    let third = spawn_map(&map, &rules, &mut commands).entity;
    level.app.world_mut().flush();
    assert_eq!((level.count::<TiledObject>(), level.object(1)), (2, hero));
    // Without it, it is spawned again.
    level.app.world_mut().despawn(hero);
    level.app.world_mut().despawn(third);
    let _ = spawn(&mut level.app, &map, &rules);
    assert_eq!(level.count::<TiledObject>(), 2);
}

#[test]
fn objects_of_another_file_with_the_same_number_are_others() {
    let read = |name: &str| {
        let text = rooms(0, "");
        let name = name.to_owned();
        let map = TiledMap::read_with(name, move |_| Ok(text.clone().into_bytes()));
        map.expect("it can be read")
    };
    let [cave, tower] = [read("cave.tmx"), read("tower.tmx")];
    let rules = TiledRules::new();
    let mut level = Level::spawn(app_of_heroes(), &cave, &rules);
    level.app.world_mut().despawn(level.map);
    let map = spawn(&mut level.app, &tower, &rules).entity;
    assert_eq!(level.count::<MapPersistent>(), 2);
    // The same entity shows the other map: its hero is there, of another entity.
    reload_map(map, &cave, &rules, level.app.world_mut());
    assert_eq!(level.count::<MapPersistent>(), 2);
    assert_eq!(level.count::<TiledObject>(), 3);
}

#[test]
fn a_reload_replaces_what_the_game_gave_another_parent() {
    let mut level = Level::new(&rooms(0, "")).no_errors();
    let hand = level.app.world_mut().spawn(Transform::default()).id();
    let coin = level.object(2);
    level.app.world_mut().entity_mut(coin).insert(ChildOf(hand));
    let hero = level.object(1);
    level.app.world_mut().entity_mut(hero).remove::<ChildOf>();
    let world = level.app.world_mut();
    let mut layers = world.query_filtered::<Entity, With<TiledLayer>>();
    for layer in layers.iter(world).collect::<Vec<_>>() {
        world.entity_mut(layer).insert(ChildOf(hand));
    }
    let new = load(&[("level.tmx", &rooms(8, ""))]).expect("it can be read");
    reload_map(level.map, &new, &TiledRules::new(), level.app.world_mut());
    assert_eq!(level.count::<TiledObject>(), 2);
    assert_eq!(level.count::<TiledLayer>(), 2);
    for gone in [coin, hero] {
        assert!(level.app.world().get_entity(gone).is_err());
    }
    assert!(level.app.world().get_entity(hand).is_ok());
}

#[test]
fn a_reload_leaves_other_maps_of_the_same_file_alone() {
    let map = load(&[("level.tmx", &rooms(0, ""))]).expect("it can be read");
    let rules = TiledRules::new();
    let mut level = Level::spawn(app(), &map, &rules);
    let coin = level.object(2);
    let other = spawn(&mut level.app, &map, &rules).entity;
    reload_map(other, &map, &rules, level.app.world_mut());
    assert!(level.app.world().get_entity(coin).is_ok());
    assert_eq!(level.count::<TiledObject>(), 4);
}
