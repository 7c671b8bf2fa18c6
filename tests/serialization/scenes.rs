//! A saved and loaded scene collides as before.

use std::time::Instant;

use bevy::{
    asset::{AssetPath, AssetPlugin, LoadFromPath, UntypedHandle},
    ecs::entity::EntityHashMap,
    world_serialization::{WorldSerializationPlugin, serde::WorldDeserializer},
};
use serde::de::DeserializeSeed;

use bevy_thud::CollidingPair;

use super::*;

/// The entities with a name, the settings and the state as text, as a file would store them.
pub fn save(app: &mut App) -> String {
    let world = app.world_mut();
    let mut named = world.query_filtered::<Entity, With<Name>>();
    let entities: Vec<Entity> = named.iter(world).collect();
    let registry = world.resource::<AppTypeRegistry>().read();
    DynamicWorldBuilder::from_world(world, &registry)
        .allow_resource::<CollisionSettings>()
        .allow_resource::<CollisionState>()
        .extract_entities(entities.into_iter())
        .extract_resources()
        .build()
        .serialize(&registry)
        .unwrap()
}

pub fn load(app: &mut App, text: &str) {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let deserializer = WorldDeserializer {
        type_registry: &registry.read(),
        load_from_path: &mut NoAssets,
    };
    let mut text = ron::Deserializer::from_str(text).unwrap();
    let scene = deserializer.deserialize(&mut text).unwrap();
    scene
        .write_to_world(app.world_mut(), &mut EntityHashMap::default())
        .unwrap();
}

struct NoAssets;

impl LoadFromPath for NoAssets {
    fn load_from_path_erased(&mut self, _: TypeId, path: AssetPath<'static>) -> UntypedHandle {
        panic!("the scene needs {path}")
    }
}

/// The results of an update, by names.
#[derive(Debug, PartialEq)]
struct Outcome {
    positions: Vec<(String, [f32; 3])>,
    pairs: Vec<[String; 2]>,
    blockers: Vec<String>,
    touched: Vec<String>,
}

fn update(app: &mut App) -> Outcome {
    app.update();
    let look = |named: Query<(&Name, &GlobalTransform)>,
                movers: Query<(&MoverHits, &CollidingEntities)>,
                collisions: Collisions| {
        let name = |entity| named.get(entity).unwrap().0.to_string();
        let position =
            |(name, at): (&Name, &GlobalTransform)| (name.to_string(), at.translation().to_array());
        let sorted_pair = |pair: CollidingPair| {
            let mut pair = [name(pair.a), name(pair.b)];
            pair.sort();
            pair
        };
        let (hits, colliding) = movers.single().unwrap();
        Outcome {
            positions: sorted(named.iter().map(position)),
            pairs: sorted(collisions.iter().map(sorted_pair)),
            blockers: hits.iter().map(|hit| name(hit.blocker)).collect(),
            touched: sorted(colliding.iter().map(|&entity| name(entity))),
        }
    };
    app.world_mut().run_system_once(look).unwrap()
}

fn sorted<T: PartialOrd>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_by(|a, b| a.partial_cmp(b).unwrap());
    items
}

fn fill(world: &mut World) {
    world.resource_mut::<CollisionSettings>().margin = 0.5;
    let at = |x, y| Transform::from_xyz(x, y, 0.0);
    let [beams, panes] = [3, 4].map(LayerMask::layer);
    let of = |layer| CollisionLayers::new(layer, layer);
    let mover = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(Vec2::X * 500.0)
    };
    let mover = (CircleCollider::new(1.0), mover);
    spawn(world, "mover", (mover, CollidingEntities::default()));
    let gate = (RectCollider::new(1.0, 40.0), Solid, OneWay(Dir2::X));
    spawn(world, "gate", (gate, at(15.0, 0.0)));
    let tilted = at(30.0, 0.0).with_rotation(Quat::from_rotation_z(0.3));
    spawn(world, "wall", (RectCollider::new(4.0, 40.0), Solid, tilted));

    spawn(world, "beam", (RectCollider::new(90.0, 1.0), of(beams)));
    spawn(world, "mirror", (RectCollider::new(1.0, 9.0), of(beams)));
    spawn(world, "pane", (RectCollider::new(9.0, 9.0), of(panes)));
    spawn(
        world,
        "sleeper",
        (CircleCollider::new(9.0), ColliderDisabled),
    );

    let ship = at(0.0, 80.0).with_scale(Vec3::splat(2.0));
    let ship = spawn(world, "ship", ship);
    let gun = CapsuleCollider::between(Vec2::ZERO, Vec2::X * 5.0, 1.0);
    spawn(world, "gun", (gun, at(0.0, 10.0), ChildOf(ship)));
    spawn(
        world,
        "mine",
        (RectCollider::new(2.0, 2.0), at(11.0, 100.0)),
    );
    spawn(world, "near", (CircleCollider::new(1.0), at(11.0, 102.3)));
}

fn spawn(world: &mut World, name: &'static str, bundle: impl Bundle) -> Entity {
    world.spawn((Name::new(name), bundle)).id()
}

#[test]
fn a_scene_that_is_loaded_collides_as_before() {
    let mut saved = test_app();
    fill(saved.world_mut());
    let first = update(&mut saved);
    let names = |pair: [&str; 2]| pair.map(String::from);
    let resting = [["beam", "mirror"], ["gun", "mine"], ["mine", "near"]].map(names);
    assert!(
        resting.iter().all(|pair| first.pairs.contains(pair)),
        "{first:?}"
    );

    let text = save(&mut saved);
    let mut loaded = test_app();
    // Its entities differ.
    loaded.world_mut().spawn_batch([(), (), ()]);
    load(&mut loaded, &text);
    let mut blockers = Vec::new();
    for _ in 0..20 {
        let expected = update(&mut saved);
        assert_eq!(update(&mut loaded), expected, "{text}");
        blockers.extend(expected.blockers);
    }
    blockers.dedup();
    assert_eq!(blockers[..2], ["wall", "gate"], "only backwards");
}

/// Entities of a file become children of the entity that asks for it.
#[test]
fn a_file_that_bevy_loads_collides_as_before() {
    let mut saved = test_app();
    fill(saved.world_mut());
    let expected = update(&mut saved);
    let folder = std::env::temp_dir().join(format!("bevy_thud_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("level.scn.ron"), save(&mut saved)).unwrap();

    let mut app = App::new();
    let assets = AssetPlugin {
        file_path: folder.to_string_lossy().into_owned(),
        ..default()
    };
    app.add_plugins((MinimalPlugins, TransformPlugin, assets))
        .add_plugins((
            WorldSerializationPlugin,
            CollisionPlugin::default(),
            register_bevy_types,
        ))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.finish();
    app.cleanup();
    let level = app.world().resource::<AssetServer>().load("level.scn.ron");
    app.world_mut().spawn(DynamicWorldRoot(level));
    let pairs = |app: &mut App| {
        let names = |collisions: Collisions, names: Query<&Name>| {
            let name = |entity| names.get(entity).unwrap().to_string();
            let pair = |pair: CollidingPair| {
                let mut pair = [name(pair.a), name(pair.b)];
                pair.sort();
                pair
            };
            sorted(collisions.iter().map(pair))
        };
        app.world_mut().run_system_once(names).unwrap()
    };
    let start = Instant::now();
    while pairs(&mut app).is_empty() {
        app.update();
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the file is not loaded"
        );
    }
    assert_eq!(pairs(&mut app), expected.pairs);
    // What overlapped when it was saved does not start again.
    let events = app.world().resource::<Messages<CollisionEvent>>();
    assert_eq!(events.len(), 0);
    app.update();
    assert_eq!(pairs(&mut app), expected.pairs);
    std::fs::remove_dir_all(folder).unwrap();
}
