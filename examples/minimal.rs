//! The shortest complete program: a ball that walks with the arrow keys, a wall that blocks it, and
//! a log of its collisions.

use bevy::prelude::*;
use bevy_thud::{CollisionDebugPlugin, prelude::*};

pub(crate) fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins,
            CollisionPlugin::default(),
            CollisionDebugPlugin,
        ))
        .add_systems(Startup, spawn)
        .add_systems(Update, (walk, listen))
        .run();
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn((CircleCollider::new(30.0), Mover::default()));
    let turned = Transform::from_xyz(0.0, 120.0, 0.0).with_rotation(Quat::from_rotation_z(0.3));
    commands.spawn((RectCollider::new(400.0, 40.0), Solid, turned));
    commands.spawn((
        RectCollider::new(80.0, 80.0),
        Transform::from_xyz(200.0, -80.0, 0.0),
    ));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut ball: Single<&mut Mover>) {
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    ball.velocity = Vec2::new(x, y).normalize_or_zero() * 300.0;
}

fn listen(mut events: MessageReader<CollisionEvent>) {
    for event in events.read() {
        info!("{event:?}");
    }
}
