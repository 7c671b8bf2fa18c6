//! This crate.

use bevy::{diagnostic::DiagnosticsStore, prelude::*};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};

use crate::{
    scenes::{Body, Outline},
    stage::{Engine, Heard},
};

pub fn engine() -> Engine {
    Engine {
        name: "bevy_thud",
        install,
        equip,
    }
}

fn install(app: &mut App) {
    app.add_plugins((CollisionPlugin::default(), CollisionDiagnosticsPlugin::default()))
        .init_resource::<DiagnosticsStore>()
        .add_systems(Last, count);
}

fn equip(entity: &mut EntityCommands, body: &Body) {
    match body.outline {
        Outline::Circle(radius) => entity.insert(CircleCollider::new(radius)),
        Outline::Rect(size) => entity.insert(RectCollider::new(size.x, size.y)),
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
