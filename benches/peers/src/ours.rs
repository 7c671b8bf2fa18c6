//! This crate.

use bevy::{diagnostic::DiagnosticsStore, prelude::*};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};

use crate::{
    scenes::{Body, Outline},
    stage::{Engine, Heard},
};

/// A collider is all it needs.
pub fn engine() -> Engine {
    Engine {
        name: "bevy_thud",
        install,
        diagnose,
        equip,
    }
}

fn install(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Last, count);
}

fn diagnose(app: &mut App) {
    app.add_plugins(CollisionDiagnosticsPlugin::default())
        .init_resource::<DiagnosticsStore>();
}

pub fn equip(entity: &mut EntityCommands, body: &Body) {
    if body.solid {
        entity.insert(Solid);
    }
    match body.outline {
        Some(Outline::Circle(radius)) => entity.insert(CircleCollider::new(radius)),
        Some(Outline::Rect(size)) => entity.insert(RectCollider::new(size.x, size.y)),
        None => entity,
    };
}

fn count(mut events: MessageReader<CollisionEvent>, mut heard: ResMut<Heard>) {
    for event in events.read() {
        match event {
            CollisionEvent::Started { .. } => heard.starts += 1,
            CollisionEvent::Ended { .. } => heard.ends += 1,
        }
    }
}
