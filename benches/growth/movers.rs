//! Movers in walls, and in each other.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use super::{Measure, Scene, rest};

pub static SCENES: [Scene; 3] = [
    Scene {
        name: "movers that are stuck in walls of tile entities",
        sizes: [125, 250, 500, 1_000],
        spawn: spawn_stuck_movers,
        step: rest,
        measure: Measure::Update,
    },
    Scene {
        name: "the same, the worst frame",
        sizes: [125, 250, 500, 1_000],
        spawn: spawn_stuck_movers,
        step: rest,
        measure: Measure::Worst,
    },
    Scene {
        name: "solid movers spawned within a tenth of a radius, the worst frame",
        sizes: [100, 200, 400, 800],
        spawn: |world, size| {
            let mut rng = Rng::with_seed(1);
            for _ in 0..size {
                let position = Vec3::new(rng.f32(), rng.f32(), 0.0) * 0.6;
                let velocity = Vec2::from_angle(rng.f32() * TAU) * 60.0;
                let mover = (
                    CircleCollider::new(6.0),
                    Mover::with_velocity(velocity),
                    Solid,
                );
                world.spawn((mover, Transform::from_translation(position)));
            }
        },
        step: rest,
        measure: Measure::Worst,
    },
];

/// Movers in a solid level of tiles, each of which is an entity.
fn spawn_stuck_movers(world: &mut World, size: usize) {
    let columns = (size as f32).sqrt() as usize + 1;
    for cell in 0..9 * columns * columns {
        let [x, y] = [cell % (3 * columns), cell / (3 * columns)].map(|index| index as f32);
        let tile = RectCollider::new(16.0, 16.0);
        world.spawn((tile, Solid, Transform::from_xyz(16.0 * x, 16.0 * y, 0.0)));
    }
    for number in 0..size {
        let [x, y] = [number % columns, number / columns].map(|index| 48.0 * index as f32);
        let mover = Mover::with_velocity(Vec2::X * 10.0);
        let transform = Transform::from_xyz(x + 16.0, y + 16.0, 0.0);
        world.spawn((CircleCollider::new(6.0), mover, transform));
    }
}
