//! The broad phase and the index.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use super::{Measure, Numbered, Scene, shift, spawn_grid};

/// The frame of the warm-up in which many are spawned, or most are despawned.
const PEAK_FRAME: usize = 5;

pub static SCENES: [Scene; 6] = [
    Scene {
        name: "a tenth jumps in each frame",
        sizes: [12_500, 25_000, 50_000, 100_000],
        spawn: |world, size| spawn_grid(world, size, ()),
        step: |world, size, frame| {
            let mut rng = Rng::with_seed(frame as u64);
            let width = 10.0 * (size as f32).sqrt();
            let entities = world.resource::<Numbered>().0.clone();
            for &entity in entities.iter().skip(frame % 10).step_by(10) {
                let mut transform = world.get_mut::<Transform>(entity).expect("it was spawned");
                transform.translation = Vec3::new(rng.f32(), rng.f32(), 0.0) * width;
            }
        },
        measure: Measure::Update,
    },
    Scene {
        name: "one is spawned in each frame",
        sizes: [12_500, 25_000, 50_000, 100_000],
        spawn: |world, size| spawn_grid(world, size, ()),
        // Nearly as many as are sorted in at once are new already.
        step: |world, size, frame| {
            spawn_at_random(world, size, if frame == PEAK_FRAME { size / 10 } else { 1 });
        },
        measure: Measure::Update,
    },
    Scene {
        name: "1,000 are left after a peak, and one is replaced in each frame",
        sizes: [50_000, 100_000, 200_000, 400_000],
        spawn: |world, size| spawn_grid(world, size, ()),
        step: |world, _, frame| {
            let mut entities = std::mem::take(&mut world.resource_mut::<Numbered>().0);
            if frame == PEAK_FRAME {
                let rest = entities.drain(1000..);
                rest.for_each(|entity| _ = world.despawn(entity));
            }
            if let Some(entity) = entities.pop() {
                world.despawn(entity);
            }
            entities.insert(
                0,
                world
                    .spawn((CircleCollider::new(1.0), Transform::default()))
                    .id(),
            );
            world.resource_mut::<Numbered>().0 = entities;
        },
        measure: Measure::Update,
    },
    Scene {
        name: "100 move among 100,000 at rest, some of them large, in percent",
        sizes: [1, 10, 25, 40],
        spawn: |world, percent| {
            spawn_grid(world, 100_000, ());
            let entities = world.resource::<Numbered>().0.clone();
            for (number, &entity) in entities.iter().enumerate() {
                if number % 100 < percent && number % 1000 != 999 {
                    world
                        .entity_mut(entity)
                        .insert((CircleCollider::new(20.0), Solid));
                }
            }
        },
        step: |world, _, frame| {
            let entities = world.resource::<Numbered>().0.clone();
            for &entity in entities.iter().skip(999).step_by(1000) {
                shift(
                    world,
                    entity,
                    if frame.is_multiple_of(2) { 1.0 } else { -1.0 },
                );
            }
        },
        measure: Measure::Update,
    },
    Scene {
        name: "500 bullets fly diagonally, by this distance in a frame",
        sizes: [40, 80, 160, 320],
        spawn: |world, _| {
            spawn_grid(world, 10_000, ());
            let mut rng = Rng::with_seed(1);
            let bullets = (0..500).map(|_| {
                let position = Vec3::new(rng.f32(), rng.f32(), 0.0) * 1000.0;
                let transform = Transform::from_translation(position);
                world
                    .spawn((CircleCollider::new(1.0), Swept, transform))
                    .id()
            });
            let bullets = Numbered(bullets.collect());
            world.insert_resource(bullets);
        },
        step: |world, size, frame| {
            let sign = if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
            let delta = Vec2::ONE.normalize() * size as f32 * sign;
            for bullet in world.resource::<Numbered>().0.clone() {
                let mut transform = world.get_mut::<Transform>(bullet).expect("it was spawned");
                transform.translation += delta.extend(0.0);
            }
        },
        measure: Measure::Update,
    },
    Scene {
        name: "2,000 polygons rest while 4,000 circles move, by vertices",
        sizes: [32, 64, 128, 256],
        spawn: |world, vertices| {
            for number in 0..2000u16 {
                let [x, y] = [number % 45, number / 45].map(|index| f32::from(index) * 30.0);
                let outline = (0..vertices)
                    .map(|vertex| Vec2::from_angle(vertex as f32 / vertices as f32 * TAU) * 10.0);
                let polygon = PolygonCollider::new(outline).expect("no edges cross");
                world.spawn((polygon, Transform::from_xyz(x, y, 0.0)));
            }
            spawn_grid(world, 4000, ());
        },
        step: |world, _, frame| {
            for entity in world.resource::<Numbered>().0.clone() {
                shift(
                    world,
                    entity,
                    if frame.is_multiple_of(2) { 1.0 } else { -1.0 },
                );
            }
        },
        measure: Measure::Stage(bevy_thud::CollisionDiagnosticsPlugin::SYNC),
    },
];

/// Circles at random positions in the square of [`spawn_grid`].
fn spawn_at_random(world: &mut World, size: usize, count: usize) {
    let mut rng = Rng::with_seed(world.entities().len().into());
    let width = 10.0 * (size as f32).sqrt();
    for _ in 0..count {
        let position = Vec3::new(rng.f32(), rng.f32(), 0.0) * width;
        world.spawn((
            CircleCollider::new(1.0),
            Transform::from_translation(position),
        ));
    }
}
