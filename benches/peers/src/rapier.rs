//! bevy_rapier2d, with what its documentation asks for where overlaps are to be heard of and nothing is to be pushed.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::{
    scenes::{Body, Outline},
    stage::{Engine, Heard},
};

/// Everything is a sensor: on a kinematic body, if it moves, and on a fixed one, if it rests.
pub fn bodies() -> Engine {
    Engine {
        name: "rapier2d bodies",
        install,
        diagnose: |_| {},
        equip: |entity, body| {
            equip_body(entity, body);
            equip_collider(entity, body, !body.solid);
        },
    }
}

/// Everything is a sensor without a body.
pub fn bare() -> Engine {
    Engine {
        name: "rapier2d bare",
        install,
        diagnose: |_| {},
        equip: |entity, body| equip_collider(entity, body, !body.solid),
    }
}

/// Nothing has a body, and only what moves is a sensor, so it looks for no pairs of what rests.
pub fn movers() -> Engine {
    Engine {
        name: "rapier2d movers",
        install,
        diagnose: |_| {},
        equip: |entity, body| equip_collider(entity, body, body.moves()),
    }
}

/// By default it makes one step in each frame, and nothing here feels its gravity.
pub fn install(app: &mut App) {
    app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_systems(Last, count);
}

/// Children belong to the body above them.
fn equip_body(entity: &mut EntityCommands, body: &Body) {
    if body.velocity != Vec2::ZERO {
        entity.insert(RigidBody::KinematicPositionBased);
    } else if !body.moves() {
        entity.insert(RigidBody::Fixed);
    }
}

pub fn equip_collider(entity: &mut EntityCommands, body: &Body, sensor: bool) {
    let Some(outline) = body.outline else {
        return;
    };
    entity.insert(match outline {
        Outline::Circle(radius) => Collider::ball(radius),
        Outline::Rect(size) => Collider::cuboid(size.x / 2.0, size.y / 2.0),
    });
    if sensor {
        entity.insert((
            Sensor,
            ActiveEvents::COLLISION_EVENTS,
            ActiveCollisionTypes::all(),
        ));
    }
}

fn count(mut events: MessageReader<CollisionEvent>, mut heard: ResMut<Heard>) {
    for event in events.read() {
        match event {
            CollisionEvent::Started(..) => heard.starts += 1,
            CollisionEvent::Stopped(..) => heard.ends += 1,
        }
    }
}
