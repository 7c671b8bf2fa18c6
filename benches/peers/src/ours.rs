//! This crate.

use bevy::{diagnostic::DiagnosticsStore, prelude::*};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};

use crate::{
    runner::{Engine, EventCounts},
    scenes::{Body, ColliderShape},
    timer::{start_timer, stop_timer},
};

/// Bodies with a collider, `Solid` if they are walls.
pub fn engine() -> Engine {
    Engine {
        name: "bevy_thud",
        install,
        install_diagnostics,
        insert_components: insert_collider,
    }
}

fn install(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Last, count_events);
}

fn install_diagnostics(app: &mut App) {
    app.add_plugins(CollisionDiagnosticsPlugin::default())
        .init_resource::<DiagnosticsStore>();
}

/// Measures the same as `CollisionDiagnosticsPlugin::MOVE`.
pub fn install_movement(app: &mut App) {
    app.add_plugins(CollisionPlugin::default()).add_systems(
        PostUpdate,
        (
            start_timer
                .after(CollisionSystems::Sync)
                .before(CollisionSystems::Move),
            stop_timer
                .after(CollisionSystems::Move)
                .before(CollisionSystems::Detect),
        ),
    );
}

pub fn insert_collider(entity: &mut EntityCommands, body: &Body) {
    if body.solid {
        entity.insert(Solid);
    }
    match body.shape {
        Some(ColliderShape::Circle(radius)) => entity.insert(CircleCollider::new(radius)),
        Some(ColliderShape::Rect(size)) => entity.insert(RectCollider::new(size.x, size.y)),
        None => entity,
    };
}

fn count_events(mut events: MessageReader<CollisionEvent>, mut counts: ResMut<EventCounts>) {
    for event in events.read() {
        match event {
            CollisionEvent::Started { .. } => counts.starts += 1,
            CollisionEvent::Ended { .. } => counts.ends += 1,
        }
    }
}
