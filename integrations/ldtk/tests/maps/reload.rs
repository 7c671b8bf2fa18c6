//! A modified map replaces its levels.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{
    LdtkCellKind, LdtkEntity, LdtkEntityRule, LdtkGrid, LdtkLevel, LdtkMap, LdtkRules,
    MapPersistent, StuckMover,
};
use serde_json::{Value, json};

use crate::builder::*;

/// What the game gave an entity.
#[derive(Component, PartialEq, Debug)]
struct Coins(u32);

fn crate_at(x: i64) -> Value {
    thing("Crate", [x, 0], [16, 16], [0.0, 0.0], &[])
}

fn with_crate(rows: &[&str], x: i64) -> LdtkMap {
    room([4, 2], vec![walls(rows), things([4, 2], vec![crate_at(x)])])
}

fn only_crate(app: &mut App) -> Entity {
    let world = app.world_mut();
    world
        .query_filtered::<Entity, With<LdtkEntity>>()
        .single(world)
        .unwrap()
}

fn x_of(app: &mut App, entity: Entity) -> f32 {
    app.update();
    app.world()
        .get::<GlobalTransform>(entity)
        .unwrap()
        .translation()
        .x
}

#[test]
fn grids_and_entities_are_replaced() {
    let mut app = app();
    let rules = full_walls();
    let room = spawn(&mut app, &with_crate(&["1...", "...."], 16), "Room", &rules);
    let old = only_crate(&mut app);
    let reloaded = with_crate(&["...1", "...."], 32).reload(&rules, app.world_mut());
    assert_eq!(
        (reloaded.levels.as_slice(), reloaded.errors.len()),
        (&[room][..], 0)
    );
    app.update();
    assert!(!is_solid_at(&mut app, Vec2::new(8.0, -8.0)));
    assert!(is_solid_at(&mut app, Vec2::new(56.0, -8.0)));
    let new = only_crate(&mut app);
    assert!(new != old && x_of(&mut app, new) == 40.0);
}

#[test]
fn persistent_entities_keep_what_they_carry() {
    let mut app = app();
    let rules = full_walls().entity("Crate", LdtkEntityRule::rect().persistent());
    let room = spawn(&mut app, &with_crate(&["1...", "...."], 16), "Room", &rules);
    let hero = only_crate(&mut app);
    app.world_mut().entity_mut(hero).insert(Coins(7));
    app.world_mut()
        .get_mut::<Transform>(hero)
        .unwrap()
        .translation
        .x = 30.0;
    with_crate(&["...1", "...."], 32).reload(&rules, app.world_mut());
    assert_eq!(only_crate(&mut app), hero);
    assert_eq!(app.world().get::<Coins>(hero), Some(&Coins(7)));
    assert_eq!(x_of(&mut app, hero), 30.0);
    // So they do when their level is unloaded, and loaded again.
    app.world_mut().despawn(room);
    spawn(&mut app, &with_crate(&["1...", "...."], 16), "Room", &rules);
    assert_eq!(only_crate(&mut app), hero);
    assert_eq!(app.world().get::<Coins>(hero), Some(&Coins(7)));
}

#[test]
fn an_entity_that_becomes_persistent_stays_where_it_is() {
    let mut app = app();
    let map = room_at([100, 0], [4, 2], vec![things([4, 2], vec![crate_at(16)])]);
    let room = spawn(&mut app, &map, "Room", &LdtkRules::new());
    let chest = only_crate(&mut app);
    app.world_mut().entity_mut(chest).insert(MapPersistent);
    app.world_mut().flush();
    app.world_mut().despawn(room);
    assert_eq!(x_of(&mut app, chest), 124.0);
}

#[test]
fn an_observer_makes_an_entity_persistent_where_it_stands() {
    let mut app = app();
    app.add_observer(|added: On<Add, LdtkEntity>, mut commands: Commands| {
        commands.entity(added.entity).insert(MapPersistent);
    });
    let map = room_at([100, 0], [4, 2], vec![things([4, 2], vec![crate_at(16)])]);
    let room = spawn(&mut app, &map, "Room", &LdtkRules::new());
    let chest = only_crate(&mut app);
    assert_eq!(app.world().get::<ChildOf>(chest), None);
    assert_eq!(x_of(&mut app, chest), 124.0);
    // So it is when the level is a child of what was moved a moment ago.
    app.world_mut().despawn(chest);
    let at = Transform::from_xyz(1000.0, 0.0, 0.0).with_scale(Vec3::splat(2.0));
    let house = app.world_mut().spawn(at).id();
    app.world_mut().entity_mut(room).insert(ChildOf(house));
    map.reload(&LdtkRules::new(), app.world_mut());
    let chest = only_crate(&mut app);
    assert_eq!(x_of(&mut app, chest), 1248.0);
}

#[test]
fn persistent_entities_stand_where_their_level_is() {
    let mut app = app();
    let map = room_at([100, 0], [4, 2], vec![things([4, 2], vec![crate_at(16)])]);
    let rules = LdtkRules::new().entity("Crate", LdtkEntityRule::rect().persistent());
    spawn(&mut app, &map, "Room", &rules);
    let hero = only_crate(&mut app);
    assert_eq!(x_of(&mut app, hero), 124.0);
}

#[test]
fn who_is_inside_of_a_new_wall_is_reported() {
    let mut app = app();
    let rules = full_walls();
    spawn(
        &mut app,
        &room([4, 2], vec![walls(&["....", "...."])]),
        "Room",
        &rules,
    );
    let mover = |x: f32| {
        (
            CircleCollider::new(4.0),
            Mover::default(),
            Transform::from_xyz(x, -8.0, 0.0),
        )
    };
    let inside = app.world_mut().spawn(mover(24.0)).id();
    app.world_mut().spawn(mover(56.0));
    app.update();
    let map = room([4, 2], vec![walls(&[".1..", "...."])]);
    let reloaded = map.reload(&rules, app.world_mut());
    let wall = app.world_mut().query_filtered::<Entity, With<LdtkGrid>>();
    let wall = { wall }.single(app.world()).unwrap();
    assert_eq!(
        reloaded.stuck,
        [StuckMover {
            mover: inside,
            wall
        }]
    );
    // The next update pushes it out.
    run(&mut app, 2);
    assert_eq!(map.reload(&rules, app.world_mut()).stuck, []);
}

#[test]
fn movers_of_a_level_are_not_walls() {
    let mut app = app();
    app.add_observer(|added: On<Add, LdtkEntity>, mut commands: Commands| {
        commands.entity(added.entity).insert(Mover::default());
    });
    let rules = LdtkRules::new().other_entities(LdtkEntityRule::rect().solid());
    spawn(&mut app, &with_crate(&["....", "...."], 0), "Room", &rules);
    // It touches the crate of the new version.
    let at = Transform::from_xyz(68.0, -8.0, 0.0);
    app.world_mut()
        .spawn((CircleCollider::new(4.0), Mover::default(), at));
    app.update();
    let map = with_crate(&["....", "...."], 48);
    assert_eq!(map.reload(&rules, app.world_mut()).stuck, []);
}

#[test]
fn collisions_start_and_end_for_what_changed_only() {
    #[derive(Resource, Default)]
    struct Log(Vec<String>);
    let mut app = app();
    app.init_resource::<Log>();
    app.add_systems(
        Last,
        |mut events: MessageReader<CollisionEvent>, mut log: ResMut<Log>| {
            log.0.extend(events.read().map(|event| match event {
                CollisionEvent::Started { .. } => "start".into(),
                CollisionEvent::Ended { .. } => "end".into(),
            }));
        },
    );
    let spikes = LdtkCellKind::from(CellShape::FULL).sensor();
    let rules = LdtkRules::new().named("Walls", "wall", spikes);
    let load = |row: &str| room([2, 1], vec![walls(&[row])]);
    spawn(&mut app, &load("1."), "Room", &rules);
    let at = |x: f32| (CircleCollider::new(4.0), Transform::from_xyz(x, -8.0, 0.0));
    app.world_mut().spawn(at(8.0));
    app.update();
    let reported = |app: &mut App, row: &str| {
        load(row).reload(&rules, app.world_mut());
        app.update();
        std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
    };
    assert_eq!(reported(&mut app, "11"), ["start"]);
    assert_eq!(reported(&mut app, "1."), [""; 0]);
    assert_eq!(reported(&mut app, ".1"), ["end"]);
    assert_eq!(reported(&mut app, "11"), ["start"]);
}

#[test]
fn grids_that_stay_keep_what_the_game_gave_them_and_others_come_and_go() {
    let mut app = app();
    let rules = full_walls().named(
        "Walls",
        "ramp",
        LdtkCellKind::from(CellShape::FULL).sensor(),
    );
    spawn(
        &mut app,
        &room([2, 1], vec![walls(&["12"])]),
        "Room",
        &rules,
    );
    let grids = |app: &mut App| {
        let world = app.world_mut();
        let mut grids = world.query::<(Entity, &LdtkGrid)>();
        let grids = grids
            .iter(world)
            .map(|(entity, grid)| (entity, grid.role.is_solid));
        let mut grids: Vec<(Entity, bool)> = grids.collect();
        grids.sort_unstable();
        grids
    };
    let before = grids(&mut app);
    let map = room([2, 1], vec![walls(&["21"])]);
    map.reload(&rules, app.world_mut());
    assert_eq!(grids(&mut app), before);
    // Rules may change as well.
    map.reload(&full_walls(), app.world_mut());
    let solid: Vec<_> = before
        .into_iter()
        .filter(|(_, is_solid)| *is_solid)
        .collect();
    assert_eq!(grids(&mut app), solid);
}

#[test]
fn levels_that_are_gone_are_despawned_and_moved_ones_moved() {
    let mut app = app();
    let rooms = |x| {
        let room = |name, x| level(name, [x, 0], [1, 1], vec![walls(&["1"])]);
        [room("A", 0), room("B", x)]
    };
    let [a, b] = rooms(160);
    let old = map(&project("Free", vec![a, b]));
    let levels = old.spawn_all(&full_walls(), &mut app.world_mut().commands());
    app.update();
    let [_, b] = rooms(320);
    let reloaded = map(&project("Free", vec![b])).reload(&full_walls(), app.world_mut());
    assert_eq!(
        (reloaded.removed, reloaded.levels),
        (vec!["iid-A".into()], vec![levels[1]])
    );
    app.update();
    let solid = [8.0, 168.0, 328.0].map(|x| is_solid_at(&mut app, Vec2::new(x, -8.0)));
    assert_eq!(solid, [false, false, true]);
    let world = app.world_mut();
    assert_eq!(world.query::<&LdtkLevel>().iter(world).count(), 1);
}

#[test]
fn other_maps_and_levels_that_cannot_be_read_stay() {
    let mut app = app();
    spawn(
        &mut app,
        &with_crate(&["1...", "...."], 16),
        "Room",
        &full_walls(),
    );
    let mut other = project("Free", vec![]);
    other["iid"] = json!("another");
    map(&other).reload(&full_walls(), app.world_mut());
    let mut missing = level("Room", [0, 0], [4, 2], vec![]);
    missing["layerInstances"] = Value::Null;
    missing["externalRelPath"] = json!("room.ldtkl");
    let reloaded = map(&project("Free", vec![missing])).reload(&full_walls(), app.world_mut());
    assert_eq!((reloaded.errors.len(), reloaded.levels.len()), (1, 0));
    app.update();
    assert!(is_solid_at(&mut app, Vec2::new(8.0, -8.0)));
}

#[test]
fn a_level_moves_when_the_rules_change_its_units_or_gaps() {
    let mut app = app();
    let map = room_at([100, 0], [1, 1], vec![walls(&["1"])]);
    let room = spawn(&mut app, &map, "Room", &full_walls());
    let x = |app: &App| app.world().get::<Transform>(room).unwrap().translation.x;
    // What the game moved stays where it is while the map and the rules put it where they did.
    app.world_mut()
        .get_mut::<Transform>(room)
        .unwrap()
        .translation
        .x = 50.0;
    map.reload(&full_walls(), app.world_mut());
    assert_eq!(x(&app), 50.0);
    map.reload(&full_walls().units_per_pixel(0.5), app.world_mut());
    assert_eq!(x(&app), 50.0);
    map.reload(&full_walls().units_per_pixel(0.25), app.world_mut());
    assert_eq!(x(&app), 25.0);
    app.update();
    assert!(is_solid_at(&mut app, Vec2::new(27.0, -2.0)));
}

#[test]
fn a_level_that_is_renamed_has_its_new_name() {
    let mut app = app();
    let named = |name: &str| {
        let mut room = level(name, [0, 0], [1, 1], vec![]);
        room["iid"] = json!("room");
        map(&project("Free", vec![room]))
    };
    let room = spawn(&mut app, &named("Cellar"), "Cellar", &LdtkRules::new());
    let name = |app: &App| app.world().get::<Name>(room).unwrap().to_string();
    named("Attic").reload(&LdtkRules::new(), app.world_mut());
    assert_eq!(name(&app), "Attic");
    // One that the game gave it stays.
    app.world_mut().entity_mut(room).insert(Name::new("Top"));
    named("Attic").reload(&LdtkRules::new(), app.world_mut());
    assert_eq!(name(&app), "Top");
}

#[test]
fn an_entity_that_has_another_parent_is_replaced_as_well() {
    let mut app = app();
    let rules = LdtkRules::new();
    let map = with_crate(&["....", "...."], 16);
    // The same level twice: each replaces its own entities.
    let rooms = [(); 2].map(|()| spawn(&mut app, &map, "Room", &rules));
    let world = app.world_mut();
    let crates = |world: &mut World| {
        let mut crates = world.query_filtered::<Entity, With<LdtkEntity>>();
        crates.iter(world).collect::<Vec<Entity>>()
    };
    let lift = world.spawn(Transform::default()).id();
    for entity in crates(world) {
        world.entity_mut(entity).insert(ChildOf(lift));
    }
    let reloaded = map.reload(&rules, world);
    assert_eq!(reloaded.levels.len(), 2);
    assert_eq!(world.get::<Children>(lift).map_or(0, |it| it.len()), 0);
    let mut parents: Vec<Entity> = (crates(world).into_iter())
        .map(|entity| world.get::<ChildOf>(entity).unwrap().parent())
        .collect();
    parents.sort_unstable();
    let mut rooms = rooms.to_vec();
    rooms.sort_unstable();
    assert_eq!(parents, rooms);
}

/// What an observer despawns the level of.
#[derive(Resource, Clone, Copy, PartialEq, Debug)]
enum At {
    Level,
    Grid,
    Cells,
    Solid,
    Entity,
    Collider,
}

/// An app in which the levels are despawned when one of what [`At`] names is inserted.
fn app_with_observers() -> App {
    fn on<C: Component>(app: &mut App, at: At) {
        let despawn = move |inserted: On<Insert, C>,
                            wanted: Option<Res<At>>,
                            levels: Query<Entity, With<LdtkLevel>>,
                            mut commands: Commands| {
            let _ = inserted;
            if wanted.is_some_and(|wanted| *wanted == at) {
                levels
                    .iter()
                    .for_each(|level| commands.entity(level).despawn());
            }
        };
        app.add_observer(despawn);
    }
    let mut app = app();
    on::<LdtkLevel>(&mut app, At::Level);
    on::<LdtkGrid>(&mut app, At::Grid);
    on::<TileCollider>(&mut app, At::Cells);
    on::<Solid>(&mut app, At::Solid);
    on::<LdtkEntity>(&mut app, At::Entity);
    on::<RectCollider>(&mut app, At::Collider);
    app
}

const ALL: [At; 6] = [
    At::Level,
    At::Grid,
    At::Cells,
    At::Solid,
    At::Entity,
    At::Collider,
];

/// How many entities of levels there are.
fn remaining(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query::<&Transform>().iter(world).count()
}

#[test]
fn an_observer_may_despawn_a_level_while_it_is_spawned() {
    for at in ALL {
        let mut app = app_with_observers();
        app.insert_resource(at);
        let rules = full_walls().other_entities(LdtkEntityRule::rect().solid());
        let map = with_crate(&["1...", "...."], 16);
        spawn(&mut app, &map, "Room", &rules);
        assert_eq!(remaining(&mut app), 0, "{at:?}");
    }
}

#[test]
fn an_observer_may_despawn_a_level_while_it_is_replaced() {
    for at in ALL {
        let mut app = app_with_observers();
        let rules = full_walls().other_entities(LdtkEntityRule::rect().solid());
        for x in [0, 160] {
            let room = with_crate(&["1...", "...."], x);
            spawn(&mut app, &room, "Room", &rules);
        }
        app.insert_resource(at);
        let map = with_crate(&[".1..", "...."], 32);
        let reloaded = map.reload(&rules, app.world_mut());
        assert_eq!(reloaded.levels, [], "{at:?}");
        app.update();
        assert_eq!(remaining(&mut app), 0, "{at:?}");
    }
}
