//! The game: the map, a hero, coins, spikes, a door and a lift.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_ldtk::{
    LdtkCellKind, LdtkEntity, LdtkEntityRef, LdtkEntityRule, LdtkFields, LdtkGrid, LdtkLookup,
    LdtkMap, LdtkMapReady, LdtkRules,
};

const SPEED: f32 = 110.0;
const JUMP_SPEED: f32 = 330.0;
/// In world units per second squared.
const GRAVITY: f32 = 900.0;
const FALL_SPEED: f32 = 320.0;
/// Of lifts.
const LIFT_SPEED: f32 = 40.0;

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

/// The doors that a switch opens.
#[derive(Component)]
struct Opens(Vec<Entity>);

/// Moves along a path and back.
#[derive(Component)]
struct Lift {
    path: Vec<Vec2>,
    /// The index of the point that it moves to.
    next: usize,
}

/// Presses the keys.
#[derive(Resource, Default)]
pub struct Bot {
    updates: usize,
}

pub fn plugin(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_observer(equip)
        .add_observer(connect_switches)
        .add_systems(Startup, load)
        .add_systems(PreUpdate, press_keys.run_if(resource_exists::<Bot>))
        .add_systems(Update, (walk, move_lifts, load_again, collect, open_doors));
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
        .entity("Door", LdtkEntityRule::rect().solid())
        .entity("Lift", LdtkEntityRule::rect().solid())
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
    entities: Query<(&LdtkEntity, &LdtkFields, &Transform)>,
    mut commands: Commands,
) -> Result {
    let (entity, fields, transform) = entities.get(added.entity)?;
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
        "Lift" => {
            // Of its `Transform`, in the frame of its level.
            let path = fields.points("path");
            commands.insert(Lift { path, next: 0 });
        }
        _ => {}
    }
    Ok(())
}

/// Finds the doors that switches name, which all are there now.
fn connect_switches(
    _: On<LdtkMapReady>,
    map: LdtkLookup,
    fields: Query<&LdtkFields>,
    mut commands: Commands,
) -> Result {
    for switch in map.entities("Switch") {
        let doors: Vec<LdtkEntityRef> = fields.get(switch)?.get("doors")?;
        let doors = doors.iter().filter_map(|door| map.referenced(switch, door));
        commands.entity(switch).insert(Opens(doors.collect()));
    }
    Ok(())
}

/// Opens the doors of a switch that the hero touches, until the map is loaded again.
fn open_doors(
    hero: Single<Entity, With<Purse>>,
    switches: Query<&Opens>,
    collisions: Collisions,
    mut commands: Commands,
) {
    let touched = collisions.of(*hero);
    for Opens(doors) in touched.filter_map(|(other, _)| switches.get(other).ok()) {
        for door in doors {
            commands.entity(*door).try_despawn();
        }
    }
}

fn move_lifts(time: Res<Time>, mut lifts: Query<(&mut Lift, &mut Transform)>) {
    for (mut lift, mut transform) in &mut lifts {
        let Some(target) = lift.path.get(lift.next).copied() else {
            continue;
        };
        let position = transform.translation.truncate();
        let moved = position.move_towards(target, LIFT_SPEED * time.delta_secs());
        transform.translation = moved.extend(transform.translation.z);
        if moved == target {
            lift.next += 1;
            if lift.next == lift.path.len() {
                lift.path.reverse();
                lift.next = 1.min(lift.path.len() - 1);
            }
        }
    }
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
