//! A saved game that continues: WASD or the arrow keys walk, Escape saves and quits, and the next
//! start loads. A ball that was saved in the puddle does not enter it again.
//!
//! Needs Bevy's feature `bevy_world_serialization`. Messages that nobody read yet are not saved:
//! save when the systems that read them have run.

use std::{any::TypeId, env, fs, path::PathBuf};

use bevy::{
    app::AppExit,
    asset::{AssetPath, LoadFromPath, UntypedHandle},
    ecs::entity::EntityHashMap,
    prelude::*,
    world_serialization::serde::WorldDeserializer,
};
use bevy_thud::{CollisionDebugPlugin, prelude::*};
use serde::de::DeserializeSeed;

const SPEED: f32 = 300.0;

/// Entities with this component are saved, with all components that are reflected.
#[derive(Component, Reflect, Default)]
#[reflect(Component)]
struct Saved;

#[derive(Component, Reflect, Default)]
#[reflect(Component)]
struct Player;

/// How often the player entered the puddle.
#[derive(Resource, Reflect, Default, Debug)]
#[reflect(Resource)]
pub struct Splashes(pub u32);

fn main() -> AppExit {
    let mut app = App::new();
    app.add_plugins((DefaultPlugins, CollisionDebugPlugin, game))
        .add_systems(Startup, (spawn_camera, start).chain())
        .add_systems(Update, save_and_quit)
        .run()
}

fn file() -> PathBuf {
    env::temp_dir().join("bevy_thud_saved_game.ron")
}

/// The game without its window and its file.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::in_fixed_schedule())
        .register_type::<Transform>()
        .register_type::<Saved>()
        .register_type::<Player>()
        .register_type::<Splashes>()
        .init_resource::<Splashes>()
        .add_systems(FixedUpdate, (walk, splash));
}

fn spawn_camera(mut commands: Commands) {
    commands.spawn(Camera2d);
}

fn start(world: &mut World) -> Result {
    match fs::read_to_string(file()) {
        Ok(text) => load(world, &text)?,
        Err(_) => spawn(world),
    }
    info!("{:?}", world.resource::<Splashes>());
    Ok(())
}

/// Begins a new game.
pub fn spawn(world: &mut World) {
    let at = |x, y| Transform::from_xyz(x, y, 0.0);
    let puddle = RectCollider::new(200.0, 120.0);
    world.spawn((Saved, Player, CircleCollider::new(30.0), Mover::default()));
    world.spawn((Saved, RectCollider::new(400.0, 40.0), Solid, at(0.0, 120.0)));
    world.spawn((Saved, puddle, at(200.0, -80.0)));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Mover, With<Player>>) {
    let axis = |less, more| f32::from(keys.any_pressed(more)) - f32::from(keys.any_pressed(less));
    let x = axis(
        [KeyCode::KeyA, KeyCode::ArrowLeft],
        [KeyCode::KeyD, KeyCode::ArrowRight],
    );
    let y = axis(
        [KeyCode::KeyS, KeyCode::ArrowDown],
        [KeyCode::KeyW, KeyCode::ArrowUp],
    );
    player.velocity = Vec2::new(x, y).normalize_or_zero() * SPEED;
}

fn splash(mut hits: Hits<With<Player>, Without<Solid>>, mut splashes: ResMut<Splashes>) {
    for _ in hits.read() {
        splashes.0 += 1;
        info!("{:?}", *splashes);
    }
}

fn save_and_quit(world: &mut World) -> Result {
    let keys = world.resource::<ButtonInput<KeyCode>>();
    if keys.just_pressed(KeyCode::Escape) {
        fs::write(file(), save(world)?)?;
        world.write_message(AppExit::Success);
    }
    Ok(())
}

/// The game as text: its entities and resources, and what collisions remember.
pub fn save(world: &mut World) -> Result<String> {
    let mut saved = world.query_filtered::<Entity, With<Saved>>();
    let entities: Vec<Entity> = saved.iter(world).collect();
    let registry = world.resource::<AppTypeRegistry>().read();
    let scene = DynamicWorldBuilder::from_world(world, &registry)
        .allow_resource::<Splashes>()
        .allow_resource::<CollisionState>()
        .extract_entities(entities.into_iter())
        .extract_resources()
        .build();
    Ok(scene.serialize(&registry)?)
}

/// Spawns what was saved. The entities get other ids.
pub fn load(world: &mut World, text: &str) -> Result {
    let registry = world.resource::<AppTypeRegistry>().clone();
    let deserializer = WorldDeserializer {
        type_registry: &registry.read(),
        load_from_path: &mut NoAssets,
    };
    let scene = deserializer.deserialize(&mut ron::Deserializer::from_str(text)?)?;
    scene.write_to_world(world, &mut EntityHashMap::default())?;
    Ok(())
}

/// The entities refer to no assets.
struct NoAssets;

impl LoadFromPath for NoAssets {
    fn load_from_path_erased(&mut self, _: TypeId, path: AssetPath<'static>) -> UntypedHandle {
        panic!("the game has no asset {path}")
    }
}
