//! Turnstiles, presses and saws.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::{
        hazard::Hazard,
        press::{self, Press},
        saw::{self, Saw},
    },
    brush::{Brush, palette},
    sparks::Sparks,
};

const TEETH: usize = 10;
const RADIANS_PER_SECOND: f32 = 25.0;
/// The length and the width of the arrows of a turnstile, and the distance between them.
const ARROW: Vec2 = Vec2::new(8.0, 20.0);
const ARROW_GAP: f32 = 29.0;
/// The distance between two stripes of a press.
const STRIPE_GAP: f32 = 16.0;
/// The distance between two sparks behind a saw.
const SPARK_GAP: f32 = 12.0;

/// The frame around the area of a hazard.
#[derive(Component)]
struct WarningLight(Entity);

/// The part of a saw that rotates.
#[derive(Component)]
struct Blade;

/// Where a saw was in the last frame.
#[derive(Component)]
struct DrawnAt(Vec2);

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            draw_turnstiles,
            draw_presses,
            draw_saws,
            draw_hazards,
            light_hazards,
            spin,
            trail_sparks,
        ),
    );
}

fn draw_turnstiles(
    turnstiles: Query<(Entity, &RectCollider), Added<OneWay>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (turnstile, rect) in &turnstiles {
        let Vec2 {
            x: length,
            y: thickness,
        } = rect.size;
        let bar = Vec3::new(0.0, thickness / 2.0 - 1.0, -4.7);
        commands
            .entity(turnstile)
            .insert(Visibility::default())
            .with_child(brush.rect(palette::TURNSTILE, Vec3::Z * -5.0, rect.size))
            .with_child(brush.rect(palette::ARROW, bar, Vec2::new(length, 2.0)));
        let arrows = (length / ARROW_GAP) as i32;
        for number in 0..arrows {
            let x = (number as f32 - (arrows - 1) as f32 / 2.0) * ARROW_GAP;
            let tip = Vec2::new(x, thickness / 2.0 - 2.0);
            let mut draw = |color, recess: f32, z| {
                let position = (tip - Vec2::Y * (ARROW.x + recess)).extend(z);
                let (mesh, paint, at) = brush.triangle(color, position, ARROW);
                let upwards = at.with_rotation(Quat::from_rotation_z(FRAC_PI_2));
                commands
                    .entity(turnstile)
                    .with_child((mesh, paint, upwards));
            };
            draw(palette::ARROW, 0.0, -4.9);
            draw(palette::TURNSTILE, 3.5, -4.8);
        }
    }
}

/// Stripes along the edge that crushes.
fn draw_presses(
    presses: Query<(Entity, &Press), Added<Press>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, press) in &presses {
        let face = -press.side * (press::BLOCK.x / 2.0 - 5.0);
        let mut draw = |color, y, z, height| {
            let size = Vec2::new(10.0, height);
            let drawing = brush.rect(color, Vec3::new(face, y, z), size);
            commands.entity(entity).with_child(drawing);
        };
        draw(palette::RIM, 0.0, 4.2, press::BLOCK.y);
        let stripes = (press::BLOCK.y / STRIPE_GAP) as i32;
        for number in 0..stripes {
            let y = (number as f32 - (stripes - 1) as f32 / 2.0) * STRIPE_GAP;
            draw(palette::DOOR_TOP, y, 4.3, STRIPE_GAP / 2.0);
        }
    }
}

fn draw_saws(
    saws: Query<(Entity, &Transform), Added<Saw>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (saw, at) in &saws {
        let mut blade = commands.spawn((Blade, Transform::default(), Visibility::default()));
        for tooth in 0..TEETH {
            let angle = Vec2::from_angle(TAU * tooth as f32 / TEETH as f32);
            let root = angle * saw::RADIUS * 0.7;
            let (mesh, paint, at) =
                brush.triangle(palette::STEEL, root.extend(0.0), Vec2::new(6.0, 8.0));
            let outwards = at.with_rotation(Quat::from_rotation_z(angle.to_angle() + 0.6));
            blade.with_child((mesh, paint, outwards));
        }
        blade.with_child(brush.disc(palette::STEEL, Vec3::Z * 0.1, saw::RADIUS * 0.8));
        blade.with_child(brush.rect(palette::IRON, Vec3::Z * 0.2, Vec2::new(14.0, 3.0)));
        let blade = blade.id();
        commands
            .entity(saw)
            .insert((Visibility::default(), DrawnAt(at.translation.truncate())))
            .with_child(brush.disc(palette::RIM, Vec3::Z * -0.1, saw::RADIUS + 2.0))
            .with_child(brush.disc(palette::CROSS, Vec3::Z * 0.4, saw::RADIUS * 0.25))
            .add_child(blade);
    }
}

/// A frame on the floor.
fn draw_hazards(
    hazards: Query<(Entity, &Hazard), Added<Hazard>>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, hazard) in &hazards {
        let (center, size) = (hazard.area.center(), hazard.area.size());
        let frame = brush.rect(palette::HAZARD, center.extend(-7.0), size);
        commands.spawn((WarningLight(entity), frame));
        commands.spawn(brush.rect(palette::HAZARD_FLOOR, center.extend(-6.9), size - 6.0));
    }
}

fn light_hazards(
    lights: Query<(Entity, &WarningLight, &MeshMaterial2d<ColorMaterial>)>,
    hazards: Query<&Hazard>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, light, paint) in &lights {
        let is_live = hazards.get(light.0).is_ok_and(|hazard| hazard.is_live);
        let wanted = brush.paint(if is_live {
            palette::HAZARD_LIVE
        } else {
            palette::HAZARD
        });
        if *paint != wanted {
            commands.entity(entity).insert(wanted);
        }
    }
}

/// Saws spin faster when they are about to start.
fn spin(
    saws: Query<(&Hazard, &Children), With<Saw>>,
    mut blades: Query<&mut Transform, With<Blade>>,
    time: Res<Time>,
) {
    for (hazard, children) in &saws {
        let haste = if hazard.is_live { 1.0 } else { 0.2 };
        for &child in children {
            if let Ok(mut blade) = blades.get_mut(child) {
                blade.rotate_z(-RADIANS_PER_SECOND * haste * time.delta_secs());
            }
        }
    }
}

/// A saw is too fast to be seen, but its sparks are not.
fn trail_sparks(mut saws: Query<(&Transform, &mut DrawnAt)>, mut sparks: Sparks) {
    for (at, mut former) in &mut saws {
        let position = at.translation.truncate();
        let displacement = position - former.0;
        let count = (displacement.length() / SPARK_GAP) as usize;
        for number in 0..count {
            let spot = former.0 + displacement * (number as f32 / count as f32);
            sparks.fly(spot, displacement * 0.4, 60.0, palette::STEEL);
        }
        former.0 = position;
    }
}
