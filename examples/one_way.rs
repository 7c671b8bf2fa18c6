//! One-way platforms in a platformer: jump through from below, stand on top, drop down. A and D or
//! the arrow keys walk, W or Space jumps, S drops down.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

const SPEED: f32 = 300.0;
/// The rate of an exponential, per second.
const AGILITY: f32 = 15.0;
/// In world units per second squared.
const GRAVITY: f32 = 2200.0;
const JUMP_SPEED: f32 = 830.0;
const FALL_SPEED: f32 = 1000.0;
/// Of what is left of a jump when the key is released.
const SHORT_JUMP: f32 = 0.45;
/// A jump counts if the key was pressed this long before landing, or after leaving the ground.
const LENIENCY_SECONDS: f32 = 0.1;
const JUMP_KEYS: [KeyCode; 3] = [KeyCode::KeyW, KeyCode::ArrowUp, KeyCode::Space];
const DROP_KEYS: [KeyCode; 2] = [KeyCode::KeyS, KeyCode::ArrowDown];

/// How long ago the key for a jump was pressed that is still wanted, in seconds.
#[derive(Component)]
struct Pressed(f32);

pub(crate) fn main() -> AppExit {
    App::new().add_plugins((kit::show("One-way"), game)).run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, (walk, jump, fall, drop_down).chain());
}

fn spawn(mut commands: Commands) {
    commands.spawn_batch(kit::room());
    commands.spawn(kit::wall([420.0, -260.0, 80.0, 120.0]));
    for [x, y, width] in [
        [-360.0, -200.0, 260.0],
        [-40.0, -200.0, 200.0],
        [-40.0, -80.0, 200.0],
        [-40.0, 40.0, 200.0],
        [-40.0, 160.0, 200.0],
        [300.0, -20.0, 240.0],
        [-380.0, 100.0, 240.0],
    ] {
        let platform = (RectCollider::new(width, 14.0), Solid, OneWay(Dir2::Y));
        let look = (Transform::from_xyz(x, y, 0.0), Fill(tailwind::TEAL_600));
        commands.spawn((platform, look));
    }
    let player = (
        Pressed(f32::MAX),
        CapsuleCollider::new(16.0, 20.0),
        Walker::default(),
    );
    let look = (
        Transform::from_xyz(-500.0, -280.0, 1.0),
        Fill(tailwind::LIME_400),
    );
    commands.spawn((player, look));
    commands.spawn(Text::new(
        "A, D: walk. W or Space: jump, even through platforms. S: drop down",
    ));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut player: Single<&mut Mover>) {
    let fraction = 1.0 - (-AGILITY * time.delta_secs()).exp();
    let wanted = kit::axes(&keys).x * SPEED;
    player.velocity.x = player.velocity.x.lerp(wanted, fraction);
}

fn jump(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    player: Single<(&mut Pressed, &mut Mover, &Ground)>,
) {
    let (mut pressed, mut mover, ground) = player.into_inner();
    pressed.0 += time.delta_secs();
    if keys.any_just_pressed(JUMP_KEYS) {
        pressed.0 = 0.0;
    }
    let rises = mover.velocity.y > 0.0;
    if pressed.0 < LENIENCY_SECONDS && ground.air_seconds() < LENIENCY_SECONDS && !rises {
        mover.velocity.y = JUMP_SPEED;
        pressed.0 = f32::MAX;
    } else if keys.any_just_released(JUMP_KEYS) && rises {
        mover.velocity.y *= SHORT_JUMP;
    }
}

fn fall(time: Res<Time>, mut player: Single<&mut Mover>) {
    let velocity = player.velocity.y - GRAVITY * time.delta_secs();
    player.velocity.y = velocity.max(-FALL_SPEED);
}

/// The player falls through the platform on which it stands, and onto the next one.
fn drop_down(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Ground>) {
    if keys.any_just_pressed(DROP_KEYS) {
        player.drop_through();
    }
}
