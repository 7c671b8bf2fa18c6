//! avian2d as a collision detector: sensors with events, as its documentation shows.

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
    runner::{Engine, EventCounts},
    scenes::{Body, ColliderShape},
};

/// All colliders are sensors: on a kinematic body if they move, on a static body otherwise.
pub fn all() -> Engine {
    Engine {
        name: "avian2d",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| insert_collider(entity, body, !body.solid),
    }
}

/// Only moving colliders are sensors, so pairs of resting ones are not searched for.
pub fn movers() -> Engine {
    Engine {
        name: "avian2d movers",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| insert_collider(entity, body, body.moves()),
    }
}

/// Runs once in each frame, without the plugins that are not needed.
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
        .add_systems(Last, count_events);
}

/// Children belong to the nearest body among their ancestors. Resting colliders need a body, too:
/// avian does not pair two colliders without any body.
pub fn insert_collider(entity: &mut EntityCommands, body: &Body, sensor: bool) {
    if body.velocity != Vec2::ZERO {
        entity.insert(RigidBody::Kinematic);
    } else if !body.moves() {
        entity.insert(RigidBody::Static);
    }
    let Some(shape) = body.shape else {
        return;
    };
    if sensor {
        entity.insert((Sensor, CollisionEventsEnabled));
    }
    entity.insert(match shape {
        ColliderShape::Circle(radius) => Collider::circle(radius),
        ColliderShape::Rect(size) => Collider::rectangle(size.x, size.y),
    });
}

fn count_events(
    mut starts: MessageReader<CollisionStart>,
    mut ends: MessageReader<CollisionEnd>,
    mut counts: ResMut<EventCounts>,
) {
    counts.starts += starts.read().count() as u64;
    counts.ends += ends.read().count() as u64;
}
