//! bevy_rapier2d as a collision detector: sensors with events, as its documentation shows.

use bevy::prelude::*;
use bevy_rapier2d::{
    plugin::{RapierTransformPropagateSet, systems::update_character_controls},
    prelude::*,
};

use crate::{
    runner::{Engine, EventCounts},
    scenes::{Body, ColliderShape},
    timer::{start_timer, stop_timer},
};

/// All colliders are sensors: on a kinematic body if they move, on a fixed body otherwise.
pub fn bodies() -> Engine {
    Engine {
        name: "rapier2d bodies",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| {
            insert_body(entity, body);
            insert_collider(entity, body, !body.solid);
        },
    }
}

/// All colliders are sensors without a body.
pub fn bare() -> Engine {
    Engine {
        name: "rapier2d bare",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| insert_collider(entity, body, !body.solid),
    }
}

/// No collider has a body, and only moving ones are sensors, so pairs of resting ones are not
/// searched for.
pub fn movers() -> Engine {
    Engine {
        name: "rapier2d movers",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| insert_collider(entity, body, body.moves()),
    }
}

/// With the defaults: one step in each frame. Gravity affects no body here.
pub fn install(app: &mut App) {
    app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_systems(Last, count_events);
}

/// Measures the system of the character controllers.
pub fn install_movement(app: &mut App) {
    install(app);
    app.add_systems(
        PostUpdate,
        (
            start_timer.before(PhysicsSet::SyncBackend),
            stop_timer
                .after(update_character_controls)
                .before(RapierTransformPropagateSet),
        ),
    );
}

/// Children belong to the nearest body among their ancestors.
fn insert_body(entity: &mut EntityCommands, body: &Body) {
    if body.velocity != Vec2::ZERO {
        entity.insert(RigidBody::KinematicPositionBased);
    } else if !body.moves() {
        entity.insert(RigidBody::Fixed);
    }
}

pub fn insert_collider(entity: &mut EntityCommands, body: &Body, sensor: bool) {
    let Some(shape) = body.shape else {
        return;
    };
    entity.insert(match shape {
        ColliderShape::Circle(radius) => Collider::ball(radius),
        ColliderShape::Rect(size) => Collider::cuboid(size.x / 2.0, size.y / 2.0),
    });
    if sensor {
        entity.insert((
            Sensor,
            ActiveEvents::COLLISION_EVENTS,
            ActiveCollisionTypes::all(),
        ));
    }
}

fn count_events(mut events: MessageReader<CollisionEvent>, mut counts: ResMut<EventCounts>) {
    for event in events.read() {
        match event {
            CollisionEvent::Started(..) => counts.starts += 1,
            CollisionEvent::Stopped(..) => counts.ends += 1,
        }
    }
}
