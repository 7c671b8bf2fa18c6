//! The keyboard, for the window.

use bevy::{input::InputSystems, prelude::*};
use bevy_thud::{CollisionDebugPlugin, CollisionGizmos};

use super::game::{Restart, hero::Intent};

const LEFT: [KeyCode; 2] = [KeyCode::ArrowLeft, KeyCode::KeyA];
const RIGHT: [KeyCode; 2] = [KeyCode::ArrowRight, KeyCode::KeyD];
const DOWN: [KeyCode; 2] = [KeyCode::ArrowDown, KeyCode::KeyS];
const JUMP: [KeyCode; 3] = [KeyCode::Space, KeyCode::ArrowUp, KeyCode::KeyW];

/// Restarting, and showing the colliders.
pub fn plugin(app: &mut App) {
    app.add_plugins(CollisionDebugPlugin)
        .add_systems(Startup, hide_colliders)
        .add_systems(PreUpdate, (restart, show_colliders).after(InputSystems));
}

/// Walking, jumping and dropping.
pub fn steering(app: &mut App) {
    app.add_systems(PreUpdate, read_keys.after(InputSystems));
}

/// Runs in each frame. A press lasts one frame, which may have no step of the game: it is kept
/// until a step takes it.
fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut intent: Single<&mut Intent>) {
    let is_pressed = |keys_of| f32::from(u8::from(keys.any_pressed(keys_of)));
    intent.walk = is_pressed(RIGHT) - is_pressed(LEFT);
    intent.jump |= keys.any_just_pressed(JUMP);
    intent.holds_jump = keys.any_pressed(JUMP);
    intent.drop |= keys.any_just_pressed(DOWN);
}

fn restart(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) {
    if keys.just_pressed(KeyCode::KeyR) {
        commands.trigger(Restart);
    }
}

fn hide_colliders(mut gizmos: ResMut<GizmoConfigStore>) {
    gizmos.config_mut::<CollisionGizmos>().0.enabled = false;
}

fn show_colliders(keys: Res<ButtonInput<KeyCode>>, mut gizmos: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::KeyC) {
        gizmos.config_mut::<CollisionGizmos>().0.enabled ^= true;
    }
}
