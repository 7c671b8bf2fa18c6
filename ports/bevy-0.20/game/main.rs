//! A game on Bevy 0.20 that plays itself: a hero walks to a coin, past a monster, up to a wall.
//! Then it loads a map of LDtk and one of Tiled.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkMap, LdtkRules};
use bevy_thud_tiled::{TiledMap, TiledRules, spawn_map};
use std::time::Duration;

#[derive(Component, Reflect, Clone, Copy)]
enum Layer {
    Wall,
    Hero,
    Coin,
    Ghost,
}

impl CollisionLayer for Layer {}

#[derive(Resource, Default)]
struct Coins(u32);

fn main() {
    let mut app = App::new();
    let table = LayerTable::new().collide(Layer::Hero, [Layer::Wall, Layer::Coin]);
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .add_layer_table(table)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)))
        .init_resource::<Coins>()
        .add_systems(Startup, spawn);
    app.finish();
    app.cleanup();
    (0..200).for_each(|_| app.update());
    let mut heroes = app.world_mut().query_filtered::<&Transform, With<Mover>>();
    let x = heroes.single(app.world()).unwrap().translation.x;
    let coins = app.world().resource::<Coins>().0;
    println!("the hero is at {x} with {coins} coins");
    assert!((x - 81.98).abs() < 0.01 && coins == 1);

    for load in [load_room, load_dungeon] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
            .add_systems(Startup, load);
        app.update();
        let mut walls = app.world_mut().query_filtered::<(), (With<TileCollider>, With<Solid>)>();
        let walls = walls.iter(app.world()).count();
        println!("{walls} grids of walls");
        assert!(walls > 0);
    }
}

fn load_room(mut commands: Commands) -> Result {
    let map = LdtkMap::read("room.ldtk")?;
    let rules = LdtkRules::new().numbered("Walls", 1, CellShape::FULL);
    map.spawn_level("Room", &rules, &mut commands)?;
    Ok(())
}

fn load_dungeon(mut commands: Commands) -> Result {
    let map = TiledMap::read("dungeon.tmx")?;
    let spawned = spawn_map(&map, &TiledRules::new(), &mut commands);
    assert!(spawned.errors.is_empty(), "{:?}", spawned.errors);
    Ok(())
}

fn spawn(mut commands: Commands) {
    let at = |x| Transform::from_xyz(x, 0.0, 0.0);
    let hero = (CircleCollider::new(8.0), Mover::with_velocity(Vec2::X * 60.0));
    commands.spawn((hero, Layer::Hero));
    commands.spawn((RectCollider::new(20.0, 200.0), Solid, Layer::Wall, at(100.0)));
    commands.spawn((RectCollider::new(20.0, 20.0), Solid, Layer::Ghost, at(30.0)));
    commands.spawn((CircleCollider::new(4.0), Layer::Coin, at(50.0))).observe(collect);
}

fn collect(start: On<CollisionStart>, mut coins: ResMut<Coins>, mut commands: Commands) {
    coins.0 += 1;
    commands.entity(start.entity).try_despawn();
}
