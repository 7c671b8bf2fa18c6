//! A top-down character controller: acceleration, walls to slide along, a dash and knockback.
//! WASD or the arrow keys walk, Space dashes.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

const SPEED: f32 = 320.0;
/// How fast the player takes up another velocity: the rate of an exponential, per second.
const AGILITY: f32 = 14.0;
const DASH_SPEED: f32 = 1300.0;
const DASH_SECONDS: f32 = 0.12;
const DASH_COOLDOWN_SECONDS: f32 = 0.6;
const KNOCKBACK_SPEED: f32 = 750.0;
const KNOCKBACK_SECONDS: f32 = 0.15;

#[derive(Component, Default)]
struct Player {
    /// The direction of the next dash.
    ahead: Vec2,
    /// For this long no key steers: during a dash, and after a knock.
    adrift_seconds: f32,
    cooldown_seconds: f32,
}

pub(crate) fn main() -> AppExit {
    let mut app = App::new();
    app.add_plugins((kit::show("Top-down"), game)).run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, control);
}

fn spawn(mut commands: Commands) {
    commands.spawn_batch(kit::room());
    commands.spawn(kit::wall([330.0, 0.0, 30.0, 280.0]));
    commands.spawn(kit::wall([330.0, 0.0, 280.0, 30.0]));
    for (wall, degrees) in [
        ([-320.0, 130.0, 260.0, 30.0], 30.0),
        ([-320.0, -130.0, 260.0, 30.0], -30.0),
        ([0.0, 340.0, 240.0, 240.0], 45.0),
    ] {
        let mut wall = commands.spawn(kit::wall(wall));
        wall.entry::<Transform>().and_modify(move |mut transform| {
            transform.rotate_z(f32::to_radians(degrees));
        });
    }
    for [x, y] in [
        [-60.0, -160.0],
        [100.0, -230.0],
        [160.0, 120.0],
        [500.0, 180.0],
        [480.0, -180.0],
    ] {
        let look = (Transform::from_xyz(x, y, 0.0), Fill(tailwind::ROSE_500));
        let bumper = (CircleCollider::new(36.0), Solid, look);
        commands.spawn(bumper).observe(knock_back);
    }
    let ahead = Vec2::X;
    let player = (
        Player { ahead, ..default() },
        CircleCollider::new(20.0),
        Mover::default(),
    );
    commands.spawn((player, Fill(tailwind::LIME_400)));
    commands.spawn(Text::new(
        "WASD: walk. Space: dash. What is round knocks you back",
    ));
}

/// Sets the velocity. Where it leads into a wall, the plugin takes that part of it away, and the
/// player slides along the wall.
fn control(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    player: Single<(&mut Player, &mut Mover, &mut Fill)>,
) {
    let (mut player, mut mover, mut fill) = player.into_inner();
    let direction = kit::axes(&keys).normalize_or_zero();
    player.ahead = direction.normalize_or(player.ahead);
    player.adrift_seconds -= time.delta_secs();
    player.cooldown_seconds -= time.delta_secs();
    let is_ready = player.cooldown_seconds <= 0.0;
    if is_ready && keys.just_pressed(KeyCode::Space) {
        mover.velocity = player.ahead * DASH_SPEED;
        player.adrift_seconds = DASH_SECONDS;
        player.cooldown_seconds = DASH_COOLDOWN_SECONDS;
    } else if player.adrift_seconds <= 0.0 {
        let fraction = 1.0 - (-AGILITY * time.delta_secs()).exp();
        mover.velocity = mover.velocity.lerp(direction * SPEED, fraction);
    }
    let color = [tailwind::LIME_700, tailwind::LIME_400][usize::from(is_ready)];
    fill.set_if_neq(Fill(color));
}

/// Runs when something touches a bumper. The normal of the contact points away from the bumper.
fn knock_back(start: On<CollisionStart>, mut players: Query<(&mut Player, &mut Mover)>) {
    if let Ok((mut player, mut mover)) = players.get_mut(start.other) {
        mover.velocity = start.contact.normal * KNOCKBACK_SPEED;
        player.adrift_seconds = KNOCKBACK_SECONDS;
    }
}
