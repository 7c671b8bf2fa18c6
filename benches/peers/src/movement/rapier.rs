//! bevy_rapier2d's `KinematicCharacterController`.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_rapier2d::{
    plugin::{RapierTransformPropagateSet, systems::update_character_controls},
    prelude::*,
};

use super::walk::{self, Aim, start, stop};
use crate::{rapier, scenes::Body, stage::Engine};

/// Movers are kinematic bodies, and walls are colliders without a body.
pub fn engine() -> Engine {
    Engine {
        name: "rapier2d",
        install,
        diagnose: |_| {},
        equip,
    }
}

fn install(app: &mut App) {
    walk::install(app);
    rapier::install(app);
    app.add_systems(Update, steer).add_systems(
        PostUpdate,
        (
            start.before(PhysicsSet::SyncBackend),
            stop.after(update_character_controls)
                .before(RapierTransformPropagateSet),
        ),
    );
}

fn equip(entity: &mut EntityCommands, body: &Body) {
    rapier::equip_collider(entity, body, false);
    if body.moves() {
        entity.insert((RigidBody::KinematicPositionBased, controller()));
    }
}

/// Seen from above there is no ground to keep to, and no slope is too steep: with its defaults it would stop at half of the walls.
/// It is nudged by as much as it keeps away from walls; by its default, which is meant for metres, it would get into them, and be
/// slower.
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

fn steer(mut movers: Query<(&mut KinematicCharacterController, &Aim)>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut controller, aim) in &mut movers {
        controller.translation = Some(aim.velocity * seconds);
    }
}
