//! bevy_rapier2d's `KinematicCharacterController`.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::recording::{self, Steering};
use crate::{rapier, runner::Engine, scenes::Body};

/// Movers are kinematic bodies, and walls are colliders without a body.
pub fn engine() -> Engine {
    Engine {
        name: "rapier2d",
        install,
        install_diagnostics: |_| {},
        insert_components,
    }
}

fn install(app: &mut App) {
    recording::install(app);
    rapier::install_movement(app);
    app.add_systems(Update, apply_steering);
}

fn insert_components(entity: &mut EntityCommands, body: &Body) {
    rapier::insert_collider(entity, body, false);
    if body.moves() {
        entity.insert((RigidBody::KinematicPositionBased, controller()));
    }
}

/// A controller for a top-down world, without ground and slopes: with the defaults, movers stop at
/// half of the walls. The nudge equals the offset from walls: the default, meant for meters, lets
/// movers penetrate walls, and is slower.
fn controller() -> KinematicCharacterController {
    KinematicCharacterController {
        snap_to_ground: None,
        max_slope_climb_angle: PI,
        min_slope_slide_angle: -PI,
        normal_nudge_factor: 0.1,
        apply_impulse_to_dynamic_bodies: false,
        filter_flags: QueryFilterFlags::ONLY_FIXED,
        ..default()
    }
}

fn apply_steering(
    mut movers: Query<(&mut KinematicCharacterController, &Steering)>,
    time: Res<Time>,
) {
    let seconds = time.delta_secs();
    for (mut controller, steering) in &mut movers {
        controller.translation = Some(steering.velocity * seconds);
    }
}
