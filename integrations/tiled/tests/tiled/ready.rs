//! An event when a map is complete.

use bevy::prelude::*;
use bevy_thud_tiled::{
    MapPersistent, TiledMap, TiledMapReady, TiledMapRoot, TiledObject, TiledRules, reload_map,
    spawn_map,
};

use crate::common::{app, load, map_text, spawn};

/// The maps that were ready, with the number of objects that were there.
#[derive(Resource, Default)]
struct Log(Vec<(Entity, usize)>);

fn observed() -> App {
    let mut app = app();
    app.init_resource::<Log>().add_observer(
        |ready: On<TiledMapReady>, objects: Query<&TiledObject>, mut log: ResMut<Log>| {
            let own = objects.iter().filter(|object| object.map == ready.entity);
            log.0.push((ready.entity, own.count()));
        },
    );
    app
}

fn log(app: &mut App) -> Vec<(Entity, usize)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

/// A map of so many objects, in two layers.
fn coins(count: u32) -> TiledMap {
    let coin = |id| format!(r#"<object id="{id}" x="0" y="0" width="8" height="8"/>"#);
    let layer = |layer, ids: std::ops::Range<u32>| {
        let coins: String = ids.map(coin).collect();
        format!(r#"<objectgroup id="{layer}" name="Coins">{coins}</objectgroup>"#)
    };
    let layers = layer(1, 1..count) + &layer(2, count..count + 1);
    load(&[("level.tmx", &map_text(4, 4, "", &layers))]).expect("it can be read")
}

#[test]
fn a_map_is_ready_after_all_of_its_objects() {
    let mut app = observed();
    let rules = TiledRules::new();
    let first = spawn(&mut app, &coins(3), &rules).entity;
    assert_eq!(log(&mut app), [(first, 3)]);
    let mut commands = app.world_mut().commands();
    let all = [2, 4].map(|count| spawn_map(&coins(count), &rules, &mut commands).entity);
    app.world_mut().flush();
    assert_eq!(log(&mut app), [(all[0], 2), (all[1], 4)]);
    app.update();
    assert_eq!(log(&mut app), []);
}

#[test]
fn a_map_is_ready_again_when_it_was_replaced() {
    let mut app = observed();
    let rules = TiledRules::new();
    app.add_observer(
        |added: On<Add, TiledObject>, objects: Query<&TiledObject>, mut commands: Commands| {
            if objects.get(added.entity).is_ok_and(|object| object.id == 1) {
                commands.entity(added.entity).insert(MapPersistent);
            }
        },
    );
    let map = spawn(&mut app, &coins(3), &rules).entity;
    log(&mut app);
    reload_map(map, &coins(5), &rules, app.world_mut());
    assert_eq!(log(&mut app), [(map, 5)], "with what persists, once");
}

#[test]
fn a_map_that_an_observer_despawns_is_not_ready() {
    let mut app = observed();
    app.add_observer(
        |added: On<Add, TiledObject>, objects: Query<&TiledObject>, mut commands: Commands| {
            if let Ok(object) = objects.get(added.entity) {
                commands.entity(object.map).try_despawn();
            }
        },
    );
    let map = spawn(&mut app, &coins(3), &TiledRules::new()).entity;
    assert!(app.world().get::<TiledMapRoot>(map).is_none());
    assert_eq!(log(&mut app), []);
}
