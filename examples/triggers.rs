//! Triggers: pressure plates open a door, coins are collected. WASD or the arrow keys walk.
//!
//! A collider without [`Solid`] is a trigger, or sensor: it reports overlaps and blocks nothing.

#[path = "common/kit.rs"]
mod kit;

use std::f32::consts::FRAC_PI_4;

use bevy::{app::AppExit, color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

const SPEED: f32 = 320.0;
/// How long the door stays open after the player has left a plate.
const OPEN_SECONDS: f32 = 1.5;
const DOOR: Srgba = tailwind::AMBER_600;
/// There is one on each side of the door, so that nobody is locked in.
const PLATES: [Vec2; 2] = [Vec2::new(-340.0, -180.0), Vec2::new(350.0, 0.0)];

/// The one that the keys move.
#[derive(Component)]
pub struct Player;

#[derive(Component)]
#[require(CollidingEntities)]
struct Plate;

#[derive(Component, Default)]
#[require(CollidingEntities)]
struct Door {
    seconds_left: f32,
}

/// The number of coins that were collected.
#[derive(Resource, Default)]
struct Purse(u32);

pub(crate) fn main() -> AppExit {
    let mut app = App::new();
    app.add_plugins((kit::show("Triggers"), game)).run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Purse>()
        .add_systems(Startup, spawn)
        .add_systems(Update, (walk, open_and_close, caption));
}

fn spawn(mut commands: Commands) {
    let at = |position: Vec2| Transform::from_translation(position.extend(0.0));
    commands.spawn_batch(kit::room());
    commands.spawn(kit::wall([100.0, 190.0, 40.0, 260.0]));
    commands.spawn(kit::wall([100.0, -190.0, 40.0, 260.0]));
    let door = (Door::default(), RectCollider::new(24.0, 120.0), Solid);
    commands.spawn((door, at(Vec2::X * 100.0), Fill(DOOR)));
    for position in PLATES {
        let plate = (Plate, RectCollider::new(90.0, 90.0));
        commands.spawn((plate, at(position), Fill(tailwind::TEAL_800)));
    }
    for number in 0..8 {
        let offset = Vec2::from_angle(number as f32 * FRAC_PI_4) * 120.0;
        let look = (at(PLATES[1] + offset), Fill(tailwind::YELLOW_400));
        commands
            .spawn((CircleCollider::new(12.0), look))
            .observe(collect);
    }
    let player = (Player, CircleCollider::new(20.0), Mover::default());
    let look = (
        Transform::from_xyz(-340.0, 0.0, 1.0),
        Fill(tailwind::LIME_400),
    );
    commands.spawn((player, look));
    commands.spawn(Text::default());
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Mover, With<Player>>) {
    player.velocity = kit::axes(&keys).normalize_or_zero() * SPEED;
}

fn collect(
    start: On<CollisionStart>,
    players: Query<(), With<Player>>,
    mut purse: ResMut<Purse>,
    mut commands: Commands,
) {
    if players.contains(start.other) {
        purse.0 += 1;
        commands.entity(start.entity).despawn();
    }
}

/// An open door is a trigger, too: it closes when nobody is in it.
fn open_and_close(
    plates: Query<&CollidingEntities, With<Plate>>,
    door: Single<(Entity, &mut Door, &CollidingEntities, &mut Fill)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let (entity, mut door, in_door, mut fill) = door.into_inner();
    door.seconds_left -= time.delta_secs();
    if plates.iter().any(|on_plate| !on_plate.is_empty()) {
        door.seconds_left = OPEN_SECONDS;
        commands.entity(entity).remove::<Solid>();
        fill.set_if_neq(Fill(DOOR.with_alpha(0.15)));
    } else if door.seconds_left < 0.0 && in_door.is_empty() {
        commands.entity(entity).insert(Solid);
        fill.set_if_neq(Fill(DOOR));
    }
}

fn caption(purse: Res<Purse>, mut text: Single<&mut Text>) {
    let coins = purse.0;
    text.0 = format!("WASD: walk. A plate opens the door. Coins: {coins} of 8");
}
