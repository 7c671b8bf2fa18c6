//! Movers and walkers in levels that were loaded, unloaded and loaded again.

use std::{fs, time::SystemTime};

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    TiledMap, TiledObject, TiledPersistent, TiledReloadPlugin, TiledReloaded, TiledRules,
    TiledStuck, reload_map, spawn_map,
};

use crate::common::{Level, app, layer, load, map_text, spawn, tileset};

fn tiles() -> String {
    tileset(
        4,
        r#"
<tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="16"><polygon points="0,0 16,0 16,-16"/></object>
</objectgroup></tile>
<tile id="2" type="OneWay"><objectgroup><object id="1" x="0" y="0" width="16" height="4"/>
</objectgroup></tile>"#,
    )
}

/// A floor with a ramp up to a higher floor, a wall at the right end, and a plank above.
fn text() -> String {
    let csv = "\
0,0,0,0,0,0,0,1,
0,0,0,0,0,0,0,1,
3,3,0,0,0,0,0,1,
0,0,0,0,0,0,0,1,
0,0,0,2,1,1,1,1,
1,1,1,1,1,1,1,1";
    map_text(8, 6, "", &(tiles() + &layer(8, 6, "Ground", "", csv)))
}

fn position(level: &Level, entity: Entity) -> Vec2 {
    let transform = level.get::<Transform>(entity).expect("placed");
    transform.translation.truncate()
}

#[test]
fn a_mover_is_blocked() {
    let mut level = Level::new(&text()).no_errors();
    let hero = (
        CircleCollider::new(4.0),
        Mover::with_velocity(Vec2::new(300.0, 0.0)),
        Transform::from_xyz(60.0, -50.0, 0.0),
    );
    let hero = level.app.world_mut().spawn(hero).id();
    for _ in 0..60 {
        level.app.update();
    }
    let x = position(&level, hero).x;
    assert!((107.0..108.0).contains(&x), "{x}");
}

#[test]
fn a_walker_lands_and_climbs() {
    let mut level = Level::new(&text()).no_errors();
    let walker = (
        CapsuleCollider::new(4.0, 4.0),
        Walker::default(),
        Transform::from_xyz(24.0, -20.0, 0.0),
    );
    let walker = level.app.world_mut().spawn(walker).id();
    let run = |level: &mut Level, updates: u32, x: f32| {
        for _ in 0..updates {
            let mut mover = level
                .app
                .world_mut()
                .get_mut::<Mover>(walker)
                .expect("a mover");
            mover.velocity.x = x;
            mover.velocity.y -= 10.0;
            level.app.update();
        }
        let ground = level.get::<Ground>(walker).expect("a walker");
        assert!(ground.is_on_floor());
        position(level, walker)
    };
    // On the plank, whose top is at 32; then on the floor, up the ramp, and at the wall.
    let on_plank = run(&mut level, 60, 0.0);
    assert!((on_plank.y + 26.0).abs() < 0.1, "{on_plank}");
    let at_wall = run(&mut level, 200, 60.0);
    assert!((at_wall.x - 108.0).abs() < 0.1, "{at_wall}");
    assert!((at_wall.y + 58.0).abs() < 0.1, "{at_wall}");
    let at_left = run(&mut level, 60, -60.0);
    assert!(
        (at_left.y + 58.0).abs() > 10.0 || at_left.x > 48.0,
        "{at_left}"
    );
}

#[test]
fn a_walker_crosses_arches_and_tiles_of_several_shapes_as_one_floor() {
    // An arch is not convex, and the other has two shapes side by side, a hair apart from the edge.
    let tiles = tileset(
        2,
        r#"
<tile id="0"><objectgroup><object id="1" x="0" y="0">
 <polygon points="0,0 16,0 16,16 12,16 12,8 4,8 4,16 0,16"/></object></objectgroup></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="0" width="8" height="16"/>
 <object id="2" x="8" y="0" width="8.0001" height="12"/></objectgroup></tile>"#,
    );
    let csv = "1,1,2,2,1,2,1,2,1,1";
    let text = map_text(10, 1, "", &(tiles + &layer(10, 1, "Ground", "", csv)));
    for speed in [20.0, 97.0, 333.0] {
        let mut level = Level::new(&text).no_errors();
        let walker = (
            RectCollider::new(6.0, 8.0),
            Walker::default(),
            Transform::from_xyz(10.0, 4.1, 0.0),
        );
        let walker = level.app.world_mut().spawn(walker).id();
        let mut updates = 0;
        while position(&level, walker).x < 150.0 {
            let mut mover = level
                .app
                .world_mut()
                .get_mut::<Mover>(walker)
                .expect("a mover");
            mover.velocity.x = speed;
            mover.velocity.y -= 10.0;
            level.app.update();
            updates += 1;
            let at = position(&level, walker);
            assert!(
                updates == 1 || (3.9..4.2).contains(&at.y),
                "{at} at {speed}"
            );
            assert!(updates < 1000, "stuck at {at}");
        }
        let expected = 140.0 / (speed * 0.016);
        assert!(
            (updates as f32 - expected).abs() < 3.0,
            "{updates} and not {expected}"
        );
    }
}

#[test]
fn despawning_unloads_and_it_can_be_loaded_again() {
    let mut level = Level::new(&text()).no_errors();
    let before = level.app.world().entities().len();
    level.app.world_mut().despawn(level.map);
    level.app.update();
    assert!(!level.is_solid(120.0, 40.0));
    assert_eq!(level.count::<TileCollider>(), 0);
    let map = load(&[("level.tmx", &text())]).expect("it can be read");
    level.map = spawn(&mut level.app, &map, &TiledRules::new()).entity;
    level.app.update();
    assert!(level.is_solid(120.0, 40.0));
    assert_eq!(level.app.world().entities().len(), before);
}

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
fn a_reload_keeps_what_persists_and_tells_who_is_in_a_wall() {
    let wall = r#"<object id="10" x="100" y="0" width="16" height="64"/>"#;
    let mut level = Level::new(&rooms(0, wall)).no_errors();
    let [hero, coin, wall] = [1, 2, 10].map(|id| level.object(id));
    level.app.world_mut().entity_mut(hero).insert((
        CircleCollider::new(4.0),
        Mover::default(),
        TiledPersistent,
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
    let stuck = TiledStuck {
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
        commands.entity(added.entity).insert(TiledPersistent);
    });
    let text = rooms(8, "");
    let map = load(&[("level.tmx", &text)]).expect("it can be read");
    let transform = Transform::from_xyz(0.0, 100.0, 0.0).with_scale(Vec3::splat(2.0));
    let rules = TiledRules::new().transform(transform);
    let map = spawn(&mut app, &map, &rules).entity;
    let mut level = Level {
        app,
        map,
        errors: Vec::new(),
    };
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
    let entity = spawn(&mut app, &map, &TiledRules::new()).entity;
    let mut level = Level {
        app,
        map: entity,
        errors: Vec::new(),
    };
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
                commands.entity(added.entity).insert(TiledPersistent);
            }
        },
    );
    app
}

#[test]
fn a_map_that_is_spawned_again_has_its_persistent_objects_once() {
    let map = load(&[("level.tmx", &rooms(0, ""))]).expect("it can be read");
    let rules = TiledRules::new();
    let mut app = app_of_heroes();
    let first = spawn(&mut app, &map, &rules).entity;
    let mut level = Level {
        app,
        map: first,
        errors: Vec::new(),
    };
    let hero = level.object(1);
    level.app.world_mut().despawn(first);
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
    let mut app = app_of_heroes();
    let map = spawn(&mut app, &cave, &rules).entity;
    let mut level = Level {
        app,
        map,
        errors: Vec::new(),
    };
    level.app.world_mut().despawn(map);
    let map = spawn(&mut level.app, &tower, &rules).entity;
    assert_eq!(level.count::<TiledPersistent>(), 2);
    // The same entity shows the other map: its hero is there, of another entity.
    reload_map(map, &cave, &rules, level.app.world_mut());
    assert_eq!(level.count::<TiledPersistent>(), 2);
    assert_eq!(level.count::<TiledObject>(), 3);
}
