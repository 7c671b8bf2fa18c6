//! Levels and entities are found by iid, by identifier and by the fields that reference them.

use bevy::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkEntityRef, LdtkFields, LdtkLevel, LdtkLookup, LdtkMap};
use bevy_thud_ldtk::{LdtkEntityRule, LdtkRules};
use serde_json::{Value, json};

use crate::builder::*;

/// A lift that references a crate, with these iids, and perhaps the crate.
fn room(name: &str, layer: Vec<Value>) -> Value {
    level(name, [0, 0], [4, 4], vec![things([4, 4], layer)])
}

fn lift() -> Value {
    let door = json!({"entityIid": "iid-Crate", "layerIid": "", "levelIid": "", "worldIid": ""});
    let field = [json!("door"), json!("EntityRef"), door];
    thing("Lift", [0, 0], [16, 16], [0.0, 0.0], &[field])
}

fn door() -> Value {
    thing("Crate", [32, 0], [16, 16], [0.0, 0.0], &[])
}

/// The pairs of lifts and the crates that they reference, by identifier of their level.
fn references(app: &mut App) -> Vec<(Entity, Option<Entity>)> {
    let find = |map: LdtkLookup, fields: Query<&LdtkFields>| {
        let referenced = |lift: &Entity| {
            let door: LdtkEntityRef = fields.get(*lift).unwrap().get("door").unwrap();
            (*lift, map.referenced(*lift, &door))
        };
        let lifts = map.entities("Lift");
        lifts.iter().map(referenced).collect::<Vec<_>>()
    };
    app.world_mut().run_system_once(find).unwrap()
}

fn spawn_all(app: &mut App, map: &LdtkMap) -> Vec<Entity> {
    let levels = map.spawn_all(&LdtkRules::new(), &mut app.world_mut().commands());
    app.update();
    levels
}

fn parent(app: &App, entity: Entity) -> Entity {
    app.world().get::<ChildOf>(entity).unwrap().parent()
}

#[test]
fn names_and_iids_find_what_was_spawned() {
    let mut app = app();
    let rooms = vec![room("Hall", vec![lift()]), room("Cellar", vec![door()])];
    let levels = spawn_all(&mut app, &map(&project("Free", rooms)));
    let found = move |map: LdtkLookup, entities: Query<&LdtkEntity>| {
        assert_eq!(map.level("Hall"), Some(levels[0]));
        assert_eq!(map.level("iid-Cellar"), Some(levels[1]));
        assert_eq!(map.level("Attic"), None);
        let lift = map.entity("iid-Lift").unwrap();
        assert_eq!(entities.get(lift).unwrap().identifier, "Lift");
        assert_eq!(map.entities("Lift"), [lift]);
        assert_eq!((map.entity("Lift"), map.entities("Hero").len()), (None, 0));
    };
    app.world_mut().run_system_once(found).unwrap();
}

#[test]
fn a_field_finds_an_entity_of_another_level_of_its_project() {
    let mut app = app();
    let rooms = vec![room("Hall", vec![lift()]), room("Cellar", vec![door()])];
    let rooms = map(&project("Free", rooms));
    let levels = spawn_all(&mut app, &rooms);
    let [(_, Some(door))] = references(&mut app)[..] else {
        panic!("no door");
    };
    assert_eq!(parent(&app, door), levels[1]);
    app.world_mut().despawn(levels[1]);
    assert!(matches!(references(&mut app)[..], [(_, None)]));
}

#[test]
fn a_field_finds_the_entity_of_its_own_copy() {
    let mut app = app();
    let both = || map(&project("Free", vec![room("Hall", vec![door(), lift()])]));
    // The same level twice, and a copy of the file.
    spawn_all(&mut app, &both().with_file_name("copy.ldtk"));
    for _ in 0..2 {
        spawn_all(&mut app, &both());
    }
    let references = references(&mut app);
    assert_eq!(references.len(), 3);
    for (lift, door) in references {
        assert_eq!(parent(&app, lift), parent(&app, door.unwrap()));
    }
}

#[test]
fn a_field_finds_a_persistent_entity_whose_level_is_gone() {
    let mut app = app();
    let rooms = map(&project(
        "Free",
        vec![room("Cellar", vec![door()]), room("Hall", vec![lift()])],
    ));
    let rules = LdtkRules::new().entity("Crate", LdtkEntityRule::rect().persistent());
    let cellar = spawn(&mut app, &rooms, "Cellar", &rules);
    app.world_mut().despawn(cellar);
    let hall = spawn(&mut app, &rooms, "Hall", &rules);
    assert!(app.world().get::<LdtkLevel>(hall).is_some());
    assert!(matches!(references(&mut app)[..], [(_, Some(_))]));
}
