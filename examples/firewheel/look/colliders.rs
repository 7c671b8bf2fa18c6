//! C toggles the outlines of the colliders.

use bevy::prelude::*;
use bevy_thud::{CollisionDebugPlugin, CollisionGizmos};

pub fn plugin(app: &mut App) {
    app.add_plugins(CollisionDebugPlugin)
        .add_systems(Startup, hide)
        .add_systems(Update, toggle);
}

fn hide(mut gizmos: ResMut<GizmoConfigStore>) {
    gizmos.config_mut::<CollisionGizmos>().0.enabled = false;
}

fn toggle(keys: Res<ButtonInput<KeyCode>>, mut gizmos: ResMut<GizmoConfigStore>) {
    if keys.any_just_pressed([KeyCode::KeyC, KeyCode::F1]) {
        gizmos.config_mut::<CollisionGizmos>().0.enabled ^= true;
    }
}
