//! avian2d, with what its documentation asks for where overlaps are to be heard of and nothing is to be pushed.

use avian2d::{
    dynamics::{
        ccd::CcdPlugin,
        integrator::IntegratorPlugin,
        solver::{
            SolverPlugin,
            islands::{IslandPlugin, IslandSleepingPlugin},
            solver_body::SolverBodyPlugin,
        },
    },
    prelude::*,
};
use bevy::prelude::*;

use crate::{
    scenes::{Body, Outline},
    stage::{Engine, Heard},
};

/// Everything is a sensor: on a kinematic body, if it moves, and on a static one, if it rests.
pub fn all() -> Engine {
    Engine {
        name: "avian2d",
        install,
        diagnose: |_| {},
        equip: |entity, body| equip(entity, body, !body.solid),
    }
}

/// Only what moves is a sensor, so it looks for no pairs of what rests.
pub fn movers() -> Engine {
    Engine {
        name: "avian2d movers",
        install,
        diagnose: |_| {},
        equip: |entity, body| equip(entity, body, body.moves()),
    }
}

/// Runs once in each frame, without the plugins for what it does not have to do.
pub fn install(app: &mut App) {
    let plugins = PhysicsPlugins::new(PostUpdate)
        .build()
        .disable::<MassPropertyPlugin>()
        .disable::<ForcePlugin>()
        .disable::<SolverBodyPlugin>()
        .disable::<IntegratorPlugin>()
        .disable::<SolverPlugin>()
        .disable::<CcdPlugin>()
        .disable::<IslandPlugin>()
        .disable::<IslandSleepingPlugin>()
        .disable::<JointPlugin>()
        .disable::<SpatialQueryPlugin>()
        .disable::<PhysicsInterpolationPlugin>();
    app.add_plugins(plugins)
        .insert_resource(SubstepCount(1))
        .insert_resource(ColliderTreeOptimization {
            optimize_in_place: true,
            ..default()
        })
        .add_systems(Last, count);
}

/// Children belong to the body above them. Two colliders without any body would not be paired.
pub fn equip(entity: &mut EntityCommands, body: &Body, sensor: bool) {
    if body.velocity != Vec2::ZERO {
        entity.insert(RigidBody::Kinematic);
    } else if !body.moves() {
        entity.insert(RigidBody::Static);
    }
    let Some(outline) = body.outline else {
        return;
    };
    if sensor {
        entity.insert((Sensor, CollisionEventsEnabled));
    }
    entity.insert(match outline {
        Outline::Circle(radius) => Collider::circle(radius),
        Outline::Rect(size) => Collider::rectangle(size.x, size.y),
    });
}

fn count(
    mut starts: MessageReader<CollisionStart>,
    mut ends: MessageReader<CollisionEnd>,
    mut heard: ResMut<Heard>,
) {
    heard.starts += starts.read().count() as u64;
    heard.ends += ends.read().count() as u64;
}
