//! The game: the map, a hero, coins and spikes.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{LdtkCellKind, LdtkEntity, LdtkEntityRule, LdtkGrid, LdtkMap, LdtkRules};

const SPEED: f32 = 110.0;
const JUMP_SPEED: f32 = 330.0;
/// In world units per second squared.
const GRAVITY: f32 = 900.0;
const FALL_SPEED: f32 = 320.0;

/// What the hero carries, also when the map is loaded again.
#[derive(Component, Default)]
pub struct Purse {
    pub coins: usize,
    pub falls: usize,
    /// Where it starts anew.
    start: Vec3,
}

#[derive(Component)]
struct Coin;

/// Presses the keys.
#[derive(Resource, Default)]
pub struct Bot {
    updates: usize,
}

pub fn plugin(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_observer(equip)
        .add_systems(Startup, load)
        .add_systems(PreUpdate, press_keys.run_if(resource_exists::<Bot>))
        .add_systems(Update, (walk, load_again, collect));
}

/// What the map's numbers and entities are.
fn rules() -> LdtkRules {
    let plank = CellShape::rect(0.0..1.0, 0.7..1.0);
    let spikes = CellShape::rect(0.0..1.0, 0.0..0.5);
    let skin_width = Mover::default().skin_width;
    let hero = LdtkEntityRule::rect().less_skins(skin_width).persistent();
    LdtkRules::new()
        .named("Walls", "wall", CellShape::FULL)
        .named("Walls", "ramp_up", CellShape::slope(0.0, 1.0))
        .named("Walls", "ramp_down", CellShape::slope(1.0, 0.0))
        .named("Walls", "gentle_up_low", CellShape::slope(0.0, 0.5))
        .named("Walls", "gentle_up_high", CellShape::slope(0.5, 1.0))
        .named("Walls", "gentle_down_high", CellShape::slope(1.0, 0.5))
        .named("Walls", "gentle_down_low", CellShape::slope(0.5, 0.0))
        .named("Walls", "half", CellShape::rect(0.0..1.0, 0.0..0.5))
        .named("Walls", "beam", CellShape::rect(0.0..1.0, 0.5..1.0))
        .named("Walls", "plank", LdtkCellKind::from(plank).one_way(Dir2::Y))
        .named("Walls", "spikes", LdtkCellKind::from(spikes).sensor())
        .entity("Hero", hero)
}

fn read() -> Result<LdtkMap> {
    let assets = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets");
    Ok(LdtkMap::read(assets.join("room.ldtk"))?)
}

fn load(mut commands: Commands) -> Result {
    read()?.spawn_level("Room", &rules(), &mut commands)?;
    Ok(())
}

fn load_again(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) -> Result {
    if keys.just_pressed(KeyCode::KeyR) {
        let map = read()?;
        commands.queue(move |world: &mut World| {
            for stuck in map.reload(&rules(), world).stuck {
                warn!("{} is inside of {}", stuck.mover, stuck.wall);
            }
        });
    }
    Ok(())
}

/// Gives the entities of the map what the game needs.
fn equip(
    added: On<Add, LdtkEntity>,
    entities: Query<(&LdtkEntity, &Transform)>,
    mut commands: Commands,
) -> Result {
    let (entity, transform) = entities.get(added.entity)?;
    let mut commands = commands.entity(added.entity);
    match entity.identifier.as_str() {
        "Hero" => {
            let purse = Purse {
                start: transform.translation,
                ..default()
            };
            commands.insert((Walker::default(), purse));
        }
        "Coin" => {
            commands.insert(Coin);
        }
        _ => {}
    }
    Ok(())
}

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    hero: Single<(&mut Mover, &Ground), With<Purse>>,
) {
    let (mut mover, ground) = hero.into_inner();
    let is_pressed = |keys_of: [KeyCode; 2]| f32::from(keys.any_pressed(keys_of));
    let right = is_pressed([KeyCode::KeyD, KeyCode::ArrowRight]);
    let left = is_pressed([KeyCode::KeyA, KeyCode::ArrowLeft]);
    mover.velocity.x = (right - left) * SPEED;
    mover.velocity.y = (mover.velocity.y - GRAVITY * time.delta_secs()).max(-FALL_SPEED);
    let jump = [KeyCode::KeyW, KeyCode::ArrowUp, KeyCode::Space];
    if ground.is_on_floor() && keys.any_pressed(jump) {
        mover.velocity.y = JUMP_SPEED;
    }
}

/// Collects coins; in spikes, starts anew.
fn collect(
    hero: Single<(Entity, &mut Transform, &mut Mover, &mut Purse)>,
    coins: Query<(), With<Coin>>,
    spikes: Query<(), (With<LdtkGrid>, Without<Solid>)>,
    collisions: Collisions,
    mut commands: Commands,
) {
    let (hero, mut transform, mut mover, mut purse) = hero.into_inner();
    for (other, _) in collisions.of(hero) {
        if coins.contains(other) {
            commands.entity(other).despawn();
            purse.coins += 1;
        } else if spikes.contains(other) {
            transform.translation = purse.start;
            mover.velocity = Vec2::ZERO;
            purse.falls += 1;
            return;
        }
    }
}

/// Walks right and jumps, and back from time to time.
fn press_keys(mut bot: ResMut<Bot>, mut keys: ResMut<ButtonInput<KeyCode>>) {
    bot.updates += 1;
    let is_right = !(bot.updates / 400).is_multiple_of(3);
    let is_jumping = (bot.updates / 20).is_multiple_of(3);
    for (key, is_pressed) in [
        (KeyCode::KeyD, is_right),
        (KeyCode::KeyA, !is_right),
        (KeyCode::Space, is_jumping),
    ] {
        if is_pressed {
            keys.press(key);
        } else {
            keys.release(key);
        }
    }
}
