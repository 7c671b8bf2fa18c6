//! Fire wheels, and what burns.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::{
        burning::Burning,
        fire_wheel::{FireWheel, RADIUS},
    },
    brush::{Brush, palette},
    sparks::Sparks,
};

const SPOKES: usize = 3;
const RADIANS_PER_SECOND: f32 = 22.0;

/// The part of a wheel that rotates.
#[derive(Component)]
struct Spinning;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (draw_wheels, spin, shed_sparks, blaze))
        .add_observer(strike_sparks);
}

fn draw_wheels(wheels: Query<Entity, Added<FireWheel>>, mut brush: Brush, mut commands: Commands) {
    for wheel in &wheels {
        let mut rim = commands.spawn((Spinning, Transform::default(), Visibility::default()));
        rim.with_child(brush.ring(palette::FLAME, Vec3::Z * 0.2, RADIUS));
        for spoke in 0..SPOKES {
            let angle = TAU * spoke as f32 / SPOKES as f32 / 2.0;
            let (mesh, paint, at) =
                brush.rect(palette::GLOW, Vec3::Z * 0.3, Vec2::new(RADIUS * 1.8, 2.0));
            rim.with_child((mesh, paint, at.with_rotation(Quat::from_rotation_z(angle))));
        }
        let rim = rim.id();
        commands
            .entity(wheel)
            .insert(Visibility::default())
            .with_child(brush.disc(palette::HALO, Vec3::Z * -0.2, RADIUS * 2.2))
            .with_child(brush.disc(palette::EMBER, Vec3::Z * 0.1, RADIUS))
            .add_child(rim);
    }
}

fn spin(mut wheels: Query<&mut Transform, With<Spinning>>, time: Res<Time>) {
    for mut wheel in &mut wheels {
        wheel.rotate_z(RADIANS_PER_SECOND * time.delta_secs());
    }
}

fn shed_sparks(
    wheels: Query<(&Transform, &Mover), With<FireWheel>>,
    time: Res<Time>,
    mut sparks: Sparks,
) {
    // Paused.
    if time.delta().is_zero() {
        return;
    }
    for (at, mover) in &wheels {
        sparks.fly(
            at.translation.truncate(),
            mover.velocity * -0.12,
            26.0,
            palette::FLAME,
        );
    }
}

fn blaze(burning: Query<(&Transform, &CircleCollider), With<Burning>>, mut sparks: Sparks) {
    for (at, circle) in &burning {
        if sparks.chance(0.35) {
            let position = at.translation.truncate() + sparks.direction() * circle.radius * 0.8;
            sparks.fly(position, Vec2::new(0.0, 45.0), 18.0, palette::FLAME);
        }
    }
}

/// A wheel strikes sparks at every bounce.
fn strike_sparks(hit: On<MoverHit>, wheels: Query<(), With<FireWheel>>, mut sparks: Sparks) {
    if wheels.contains(hit.entity) {
        for _ in 0..7 {
            sparks.fly(hit.point, hit.normal * 70.0, 90.0, palette::GLOW);
        }
    }
}
