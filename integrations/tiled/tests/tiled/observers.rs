//! Observers that despawn a map, a layer or an object while it is spawned: nothing panics, and
//! nothing is left.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{
    MapPersistent, TiledCells, TiledLayer, TiledMap, TiledMapRoot, TiledObject, TiledProperties,
    TiledRules, TiledTile, reload_map, spawn_map,
};

use crate::common::{app, layer, load, map_text, spawn, tileset};

/// All that a map may have: grids, a polyline of a tile, objects with and without a tile, one with
/// shapes that cross each other, groups.
fn map() -> TiledMap {
    let tiles = tileset(
        3,
        r#"
<tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="8"><polyline points="0,0 16,0"/></object>
</objectgroup></tile>
<tile id="2" type="OneWay"><objectgroup><object id="1" x="6" y="0" width="4" height="16"/>
<object id="2" x="0" y="7" width="16" height="2"/></objectgroup></tile>"#,
    );
    let property = r#"<properties><property name="swept" type="bool" value="true"/></properties>"#;
    let content = tiles
        + property
        + &layer(4, 1, "Ground", property, "1,2,3,1")
        + "<group id=\"5\" name=\"group\"><objectgroup id=\"6\" name=\"Things\">"
        + &format!(
            "<object id=\"1\" name=\"box\" x=\"8\" y=\"8\" width=\"8\" height=\"8\">{property}\
             </object><object id=\"2\" gid=\"3\" x=\"32\" y=\"32\" width=\"16\" height=\"16\"/>"
        )
        + "</objectgroup></group>"
        + &layer(1, 1, "Last", "", "1");
    load(&[("level.tmx", &map_text(4, 1, "", &content))]).expect("it can be read")
}

/// What observers despawn.
#[derive(Resource, Clone, Copy)]
enum Despawned {
    Nothing,
    /// What got the component.
    Itself,
    Parent,
    Map,
}

fn despawn<C: Component>(
    added: On<Add, C>,
    what: Res<Despawned>,
    parents: Query<&ChildOf>,
    mut commands: Commands,
) {
    let root = parents.root_ancestor(added.entity);
    let parent = parents.get(added.entity).map(ChildOf::parent);
    match *what {
        Despawned::Nothing => {}
        Despawned::Itself => commands.entity(added.entity).try_despawn(),
        Despawned::Parent => commands.entity(parent.unwrap_or(root)).try_despawn(),
        Despawned::Map => commands.entity(root).try_despawn(),
    }
}

fn entities(app: &App) -> u32 {
    app.world().entities().count_spawned()
}

/// Spawns a map, or replaces one, while observers of a component despawn something.
fn check<C: Component>() {
    let map = map();
    let rules = TiledRules::new();
    let mut app = app();
    app.add_observer(despawn::<C>);
    let mut before = None;
    // The first time, the plugin may spawn what it keeps.
    for what in [
        Despawned::Nothing,
        Despawned::Itself,
        Despawned::Parent,
        Despawned::Map,
    ] {
        app.insert_resource(what);
        let root = spawn(&mut app, &map, &rules).entity;
        unload(root, &mut app);

        app.insert_resource(Despawned::Nothing);
        let root = spawn(&mut app, &map, &rules).entity;
        app.insert_resource(what);
        let reloaded = reload_map(root, &map, &rules, app.world_mut());
        assert_eq!(reloaded.is_some(), app.world().get_entity(root).is_ok());
        unload(root, &mut app);
        assert_eq!(entities(&app), *before.get_or_insert(entities(&app)));
    }
}

fn unload(root: Entity, app: &mut App) {
    app.update();
    if app.world().get_entity(root).is_ok() {
        assert_no_orphans(app);
        app.world_mut().despawn(root);
    }
}

fn assert_no_orphans(app: &mut App) {
    type Spawned = Or<(With<TiledLayer>, With<TiledObject>, With<TiledCells>)>;
    let world = app.world_mut();
    let mut orphans = world.query_filtered::<(), (Spawned, Without<ChildOf>)>();
    assert_eq!(orphans.iter(world).count(), 0);
}

#[test]
fn observers_of_layers_and_objects_may_despawn() {
    check::<TiledLayer>();
    check::<TiledObject>();
    check::<TiledCells>();
    check::<TiledMapRoot>();
}

#[test]
fn observers_of_what_an_entity_is_made_of_may_despawn() {
    check::<Transform>();
    check::<Name>();
    check::<TiledProperties>();
    check::<TiledTile>();
    check::<RectCollider>();
    check::<PolygonCollider>();
    check::<TileCollider>();
    check::<CollisionLayers>();
    check::<Solid>();
    check::<OneWay>();
    check::<Swept>();
    check::<MoverPart>();
}

#[test]
fn an_observer_of_what_is_despawned_may_despawn_the_map() {
    let mut app = app();
    let map = map();
    let rules = TiledRules::new();
    let before = entities(&app);
    let root = spawn(&mut app, &map, &rules).entity;
    app.add_observer(move |_: On<Remove, TiledObject>, mut commands: Commands| {
        commands.entity(root).try_despawn();
    });
    assert_eq!(reload_map(root, &map, &rules, app.world_mut()), None);
    app.update();
    // The observer is an entity, too.
    assert_eq!(entities(&app), before + 1);
}

#[test]
fn a_map_that_is_despawned_by_the_same_commands() {
    let mut app = app();
    let before = entities(&app);
    let mut commands = app.world_mut().commands();
    let spawned = spawn_map(&map(), &TiledRules::new(), &mut commands);
    commands.entity(spawned.entity).despawn();
    app.world_mut().flush();
    assert_eq!(entities(&app), before);
}

#[test]
fn what_persists_may_be_despawned_when_it_leaves_its_layer() {
    let mut app = app();
    app.add_observer(|added: On<Add, TiledObject>, mut commands: Commands| {
        commands.entity(added.entity).insert(MapPersistent);
    });
    app.add_observer(
        |removed: On<Remove, ChildOf>, objects: Query<&TiledObject>, mut commands: Commands| {
            if objects.contains(removed.entity) {
                commands.entity(removed.entity).try_despawn();
            }
        },
    );
    let root = spawn(&mut app, &map(), &TiledRules::new()).entity;
    let mut objects = app.world_mut().query::<&TiledObject>();
    assert_eq!(objects.iter(app.world()).count(), 0);
    assert!(app.world().get_entity(root).is_ok());
}
