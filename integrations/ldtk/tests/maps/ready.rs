//! An event when a level or a map is complete.

use bevy::prelude::*;
use bevy_thud_ldtk::{LdtkEntity, LdtkLevel, LdtkLevelReady, LdtkMap, LdtkMapReady, LdtkRules};
use serde_json::Value;

use crate::builder::*;

/// What was triggered, with the number of entities that were there.
#[derive(Resource, Default)]
struct Log(Vec<String>);

fn observed() -> App {
    let mut app = app();
    app.init_resource::<Log>();
    app.add_observer(
        |ready: On<LdtkLevelReady>,
         levels: Query<&LdtkLevel>,
         entities: Query<&LdtkEntity>,
         mut log: ResMut<Log>| {
            let level = levels.get(ready.entity).unwrap();
            let own = entities.iter().filter(|entity| entity.level == level.iid);
            log.0
                .push(format!("{} of {}", own.count(), level.identifier));
        },
    );
    app.add_observer(
        |ready: On<LdtkMapReady>, entities: Query<&LdtkEntity>, mut log: ResMut<Log>| {
            let (levels, entities) = (ready.levels.len(), entities.iter().count());
            log.0.push(format!("{entities} in {levels} levels"));
        },
    );
    app
}

fn log(app: &mut App) -> Vec<String> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

fn house() -> LdtkMap {
    let crates = |count| vec![thing("Crate", [0, 0], [16, 16], [0.0, 0.0], &[]); count];
    let room = |name, count| level(name, [0, 0], [1, 1], vec![things([1, 1], crates(count))]);
    map(&project("Free", vec![room("Hall", 3), room("Cellar", 2)]))
}

#[test]
fn levels_are_ready_after_all_of_their_entities_and_maps_after_all_levels() {
    let mut app = observed();
    let rules = LdtkRules::new();
    let house = house();
    house.spawn_all(&rules, &mut app.world_mut().commands());
    app.update();
    let all = ["3 of Hall", "2 of Cellar", "5 in 2 levels"];
    assert_eq!(log(&mut app), all);
    app.update();
    assert_eq!(log(&mut app), [""; 0]);
    house.reload(&rules, app.world_mut());
    let mut replaced = log(&mut app);
    assert_eq!(replaced.pop().unwrap(), all[2]);
    replaced.sort();
    assert_eq!(replaced, ["2 of Cellar", "3 of Hall"]);
    spawn(&mut app, &house, "Hall", &rules);
    assert_eq!(log(&mut app), ["6 of Hall", "8 in 1 levels"]);
}

#[test]
fn a_map_without_levels_is_not_ready() {
    let mut app = observed();
    let empty = map(&project("Free", Vec::<Value>::new()));
    empty.spawn_all(&LdtkRules::new(), &mut app.world_mut().commands());
    empty.reload(&LdtkRules::new(), app.world_mut());
    app.update();
    assert_eq!(log(&mut app), [""; 0]);
}

#[test]
fn a_level_that_an_observer_despawns_is_not_ready() {
    let mut app = observed();
    app.add_observer(
        |added: On<Add, LdtkEntity>, entities: Query<&ChildOf>, mut commands: Commands| {
            let level = entities.get(added.entity).unwrap().parent();
            commands.entity(level).try_despawn();
        },
    );
    house().spawn_all(&LdtkRules::new(), &mut app.world_mut().commands());
    app.update();
    assert_eq!(log(&mut app), [""; 0]);
}

#[cfg(feature = "asset")]
#[test]
fn a_root_is_ready_when_its_levels_are_there() {
    use crate::helpers::*;
    use bevy_thud::prelude::CollisionPlugin;
    use bevy_thud_ldtk::{LdtkAssetPlugin, LdtkMapRoot};
    #[derive(Resource, Default)]
    struct Roots(Vec<(Option<Entity>, usize)>);
    let folder = Folder::new("ready");
    let room = |name| level(name, [0, 0], [1, 1], vec![]);
    folder.write("ready.ldtk", &project("Free", vec![room("A"), room("B")]));
    let mut app = App::new();
    let plugins = (MinimalPlugins, TransformPlugin, folder.asset_plugin());
    app.add_plugins((plugins, CollisionPlugin::default(), LdtkAssetPlugin))
        .init_resource::<Roots>()
        .add_observer(|ready: On<LdtkMapReady>, mut roots: ResMut<Roots>| {
            roots.0.push((ready.root, ready.levels.len()));
        });
    app.finish();
    app.cleanup();
    let map = app.world().resource::<AssetServer>().load("ready.ldtk");
    let root = LdtkMapRoot::new(map, LdtkRules::new()).with_levels(["A"]);
    let root = app.world_mut().spawn(root).id();
    let roots = |app: &mut App| std::mem::take(&mut app.world_mut().resource_mut::<Roots>().0);
    until(&mut app, "A", |app| roots(app) == [(Some(root), 1)]);
    app.world_mut().get_mut::<LdtkMapRoot>(root).unwrap().levels = None;
    until(&mut app, "B", |app| roots(app) == [(Some(root), 1)]);
    app.world().resource::<AssetServer>().reload("ready.ldtk");
    until(&mut app, "another version", |app| {
        roots(app) == [(Some(root), 2)]
    });
}
