//! A small platformer: a walker on a slope, stairs, a lift and a conveyor. A and D or the arrow
//! keys walk, W or Space jumps, S drops through the plank.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

const SPEED: f32 = 300.0;
/// In world units per second squared.
const GRAVITY: f32 = 2200.0;
const JUMP_SPEED: f32 = 830.0;
/// After walking off an edge, in seconds ("coyote time").
const LATEST_JUMP: f32 = 0.1;

#[derive(Component)]
struct Lift;

pub(crate) fn main() -> AppExit {
    App::new().add_plugins((kit::show("Walker"), game)).run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, (move_lift, walk));
}

fn spawn(mut commands: Commands) {
    commands.spawn_batch(kit::room());
    // A slope of 27° up to a hill, and stairs down from it.
    let slope = Transform::from_xyz(-250.0, -330.0, 0.0)
        .with_rotation(Quat::from_rotation_z(0.5f32.atan()));
    commands.spawn((
        RectCollider::new(300.0, 100.0),
        Solid,
        slope,
        Fill(tailwind::SLATE_600),
    ));
    for step in 0..5 {
        let height = 20.0 * step as f32 + 20.0;
        commands.spawn(kit::wall([
            30.0 - 40.0 * step as f32,
            height / 2.0 - 320.0,
            40.0,
            height,
        ]));
    }
    commands.spawn((
        kit::wall([220.0, -310.0, 240.0, 20.0]),
        Conveyor(Vec2::new(-120.0, 0.0)),
    ));
    commands.spawn((kit::wall([420.0, -250.0, 120.0, 20.0]), Lift));
    commands.spawn((kit::wall([150.0, 0.0, 300.0, 14.0]), OneWay(Dir2::Y)));
    let walker = Walker {
        step_height: 22.0,
        ..default()
    };
    commands.spawn((
        CapsuleCollider::new(16.0, 20.0),
        Mover::default(),
        walker,
        Transform::from_xyz(-500.0, -280.0, 1.0),
        Fill(tailwind::LIME_400),
    ));
    commands.spawn(Text::new(
        "A, D: walk. W or Space: jump, also through the plank. S: drop through it",
    ));
}

/// Whatever moves a floor carries those who stand on it.
fn move_lift(time: Res<Time>, mut lift: Single<&mut Transform, With<Lift>>) {
    lift.translation.y = -120.0 - 130.0 * time.elapsed_secs().cos();
}

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    walker: Single<(&mut Mover, &mut Ground)>,
) {
    let (mut mover, mut ground) = walker.into_inner();
    mover.velocity.x = kit::axes(&keys).x * SPEED;
    mover.velocity.y -= GRAVITY * time.delta_secs();
    let jumps = keys.any_just_pressed([KeyCode::KeyW, KeyCode::ArrowUp, KeyCode::Space]);
    if jumps && ground.air_seconds() < LATEST_JUMP && mover.velocity.y <= 0.0 {
        mover.velocity.y = JUMP_SPEED;
    }
    if keys.any_just_pressed([KeyCode::KeyS, KeyCode::ArrowDown]) {
        ground.drop_through();
    }
}
