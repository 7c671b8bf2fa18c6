//! Objects are found by id, class and name, and by the properties that reference them.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud_tiled::{
    MapPersistent, TiledLayer, TiledLookup, TiledMap, TiledObject, TiledProperties, TiledRules,
};

use crate::common::{app, load, map_text, spawn};

/// Two doors, and a lever that opens the second one, as does the layer.
fn map() -> TiledMap {
    let opens = r#"<properties><property name="door" type="object" value="9"/></properties>"#;
    let content = format!(
        r#"<objectgroup id="1" name="Things">{opens}
<object id="9" name="inner" type="Door" x="0" y="0" width="8" height="8"/>
<object id="2" name="lever" type="Lever" x="0" y="0" width="8" height="8">{opens}</object>
<object id="3" name="outer" type="Door" x="0" y="0" width="8" height="8"/></objectgroup>"#
    );
    load(&[("level.tmx", &map_text(4, 4, "", &content))]).expect("it can be read")
}

/// What a lookup returns.
fn find<T: 'static>(app: &mut App, find: impl Fn(&TiledLookup) -> T + Send + Sync + 'static) -> T {
    let system = move |lookup: TiledLookup| find(&lookup);
    let found = app.world_mut().run_system_once(system);
    found.expect("it has all it needs")
}

fn ids(app: &App, objects: &[Entity]) -> Vec<u32> {
    let id = |entity: &Entity| app.world().get::<TiledObject>(*entity).map(|it| it.id);
    objects.iter().filter_map(id).collect()
}

#[test]
fn ids_classes_and_names_find_the_objects_of_a_map() {
    let mut app = app();
    let [map, other] = [(); 2].map(|()| spawn(&mut app, &map(), &TiledRules::new()).entity);
    for map in [map, other] {
        let found = find(&mut app, move |lookup| {
            let by_id = [0, 1, 2, 3].map(|id| lookup.object(map, id));
            let by_class = ["Door", "Lever", "inner"].map(|class| lookup.objects(map, class));
            let by_name = ["inner", "Door"].map(|name| lookup.named(map, name));
            (
                by_id,
                [
                    by_class[0].clone(),
                    by_class[1].clone(),
                    by_class[2].clone(),
                ],
                by_name,
            )
        });
        let ([zero, one, lever, outer], by_class, by_name) = found;
        assert_eq!((zero, one), (None, None));
        let found = [lever, outer].map(|object| object.expect("it is there"));
        assert_eq!(ids(&app, &found), [2, 3]);
        assert_eq!(
            by_class.map(|found| ids(&app, &found)),
            [vec![3, 9], vec![2], vec![]]
        );
        assert_eq!(by_name.map(|found| ids(&app, &found)), [vec![9], vec![]]);
        for object in found {
            let object = app.world().get::<TiledObject>(object);
            assert_eq!(object.map(|it| it.map), Some(map));
        }
    }
}

#[test]
fn a_property_finds_an_object_of_its_own_map() {
    let mut app = app();
    let maps = [(); 2].map(|()| spawn(&mut app, &map(), &TiledRules::new()).entity);
    let world = app.world_mut();
    let mut all = world.query_filtered::<Entity, With<TiledLayer>>();
    let layers: Vec<Entity> = all.iter(world).collect();
    for (map, layer) in maps.into_iter().zip(layers) {
        let lever = find(&mut app, move |lookup| lookup.object(map, 2)).expect("a lever");
        for by in [lever, layer] {
            let properties = app.world().get::<TiledProperties>(by).expect("properties");
            let door: u32 = properties.get("door").expect("a reference");
            let door = find(&mut app, move |lookup| lookup.referenced(by, door));
            let door = app.world().get::<TiledObject>(door.expect("a door"));
            let door = door.map(|door| (door.map, door.name.as_str()));
            assert_eq!(door, Some((map, "inner")));
        }
        let missing = find(&mut app, move |lookup| lookup.referenced(lever, 77));
        assert_eq!(missing, None);
        let door = find(&mut app, move |lookup| lookup.referenced(map, 9)).expect("a door");
        app.world_mut().despawn(door);
        let gone = find(&mut app, move |lookup| lookup.referenced(lever, 9));
        assert_eq!(gone, None, "the other map's door is another one");
    }
}

#[test]
fn a_property_finds_a_persistent_object_that_another_copy_of_the_map_has() {
    let mut app = app();
    let rules = TiledRules::new();
    let first = spawn(&mut app, &map(), &rules).entity;
    let door = find(&mut app, move |lookup| lookup.object(first, 9)).expect("a door");
    app.world_mut().entity_mut(door).insert(MapPersistent);
    let second = spawn(&mut app, &map(), &rules).entity;
    let lever = find(&mut app, move |lookup| lookup.object(second, 2)).expect("a lever");
    let found = find(&mut app, move |lookup| lookup.referenced(lever, 9));
    assert_eq!(found, Some(door));
}
