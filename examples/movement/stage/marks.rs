//! Draws what the outlines do not show: what blocks a mover, the free direction of one-way walls,
//! and where something happened.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::paint::palette;

const NORMAL_LENGTH: f32 = 16.0;
const RING_SECONDS: f32 = 0.4;
const RING_RADIUS: f32 = 26.0;

/// A ring that grows and fades where something happened.
#[derive(Component)]
pub struct Ring {
    position: Vec2,
    color: Color,
    age: f32,
}

impl Ring {
    pub fn new(position: Vec2, color: Color) -> Self {
        let age = 0.0;
        Self {
            position,
            color,
            age,
        }
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (draw_normals, draw_ways, draw_rings).after(CollisionSystems::Report),
    );
}

/// An arrow from each wall that blocks a mover.
fn draw_normals(
    movers: Query<&MoverHits>,
    walls: Query<(), (With<Solid>, Without<Mover>)>,
    mut gizmos: Gizmos,
) {
    let hits = movers.iter().flat_map(|hits| hits.iter());
    for hit in hits.filter(|hit| walls.contains(hit.blocker)) {
        let tip = hit.point + hit.normal * NORMAL_LENGTH;
        let arrow = gizmos.arrow_2d(hit.point, tip, palette::GLOW);
        arrow.with_tip_length(5.0);
    }
}

/// Arrows through the one-way walls.
fn draw_ways(walls: Query<(&Transform, &RectCollider, &OneWay)>, mut gizmos: Gizmos) {
    for (transform, collider, way) in &walls {
        let along = way.0.perp() * collider.size.max_element() / 3.0;
        for position in [-along, Vec2::ZERO, along] {
            let [from, to] = [-9.0, 13.0].map(|at| {
                let point = position + *way.0 * at;
                transform.transform_point(point.extend(0.0)).truncate()
            });
            let arrow = gizmos.arrow_2d(from, to, Color::srgb(0.35, 0.90, 0.90));
            arrow.with_tip_length(6.0);
        }
    }
}

fn draw_rings(
    time: Res<Time>,
    mut rings: Query<(Entity, &mut Ring)>,
    mut gizmos: Gizmos,
    mut commands: Commands,
) {
    for (entity, mut ring) in &mut rings {
        ring.age += time.delta_secs() / RING_SECONDS;
        if ring.age > 1.0 {
            commands.entity(entity).despawn();
            continue;
        }
        let color = ring.color.with_alpha(1.0 - ring.age);
        gizmos.circle_2d(ring.position, RING_RADIUS * ring.age, color);
    }
}
