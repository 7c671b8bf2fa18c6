//! Health bars above players and monsters that are hurt.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::health::Health,
    brush::{Brush, palette},
};

const HEIGHT: f32 = 4.0;

/// The part of a bar that shrinks.
#[derive(Component)]
struct Filling {
    width: f32,
}

/// The entity has a bar.
#[derive(Component)]
struct Gauge;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (draw_gauges, fill_gauges).chain());
}

fn draw_gauges(
    hurt: Query<(Entity, &Health, &CircleCollider), (Changed<Health>, Without<Gauge>)>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, health, circle) in &hurt {
        if health.now == health.full {
            continue;
        }
        let width = circle.radius * 2.0;
        let position = Vec3::new(0.0, circle.radius + 9.0, 2.0);
        let size = Vec2::new(width, HEIGHT);
        commands
            .entity(entity)
            .try_insert(Gauge)
            .with_child(brush.rect(palette::RIM, position, size + 2.0))
            .with_child((
                Filling { width },
                brush.rect(palette::HEALTHY, position + Vec3::Z * 0.1, size),
            ));
    }
}

fn fill_gauges(
    healths: Query<(&Health, &Children), Changed<Health>>,
    mut fillings: Query<(&Filling, &mut Transform)>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (health, children) in &healths {
        for &child in children {
            let Ok((filling, mut at)) = fillings.get_mut(child) else {
                continue;
            };
            let part = health.fraction();
            at.scale.x = filling.width * part;
            at.translation.x = filling.width * (part - 1.0) / 2.0;
            let color = if part > 0.35 {
                palette::HEALTHY
            } else {
                palette::DYING
            };
            commands.entity(child).try_insert(brush.paint(color));
        }
    }
}
