//! Movers in walls, along walls, and in each other.

use std::{f32::consts::TAU, hint::black_box, time::Instant};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};
use fastrand::Rng;

use super::{Measure, Scene, rest};

pub static SCENES: [Scene; 8] = [
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
        name: "a mover in porous ground, by radius in cells, the worst frame",
        sizes: [2, 4, 8, 16],
        spawn: |world, radius| {
            let mut rng = Rng::with_seed(1);
            let cells = (0..128 * 128).map(|_| rng.u8(..) < 230);
            world.spawn((TileCollider::from_cells(128, cells, Vec2::ONE), Solid));
            let mover = Mover::with_velocity(Vec2::X * 10.0);
            world.spawn((CircleCollider::new(radius as f32), mover));
        },
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
    Scene {
        name: "64 walkers that stand on each other, towers of this height",
        sizes: [4, 8, 16, 32],
        spawn: |world, size| {
            let floor = RectCollider::new(1e4, 10.0);
            world.spawn((floor, Solid, Transform::from_xyz(0.0, -5.0, 0.0)));
            for number in 0..64 {
                let [tower, level] = [number / size, number % size];
                let position = Vec3::new(30.0 * tower as f32, 5.0 + 10.1 * level as f32, 0.0);
                let walker = (Mover::with_velocity(-Vec2::Y), Walker::default(), Solid);
                let square = RectCollider::new(10.0, 10.0);
                world.spawn((square, walker, Transform::from_translation(position)));
            }
        },
        step: |world, _, _| {
            for mut mover in world.query::<&mut Mover>().iter_mut(world) {
                mover.velocity.y -= 10.0;
            }
        },
        measure: Measure::Update,
    },
    Scene {
        name: "movers at one position that are not solid",
        sizes: [125, 250, 500, 1_000],
        spawn: |world, size| {
            let wall = (RectCollider::new(1e3, 10.0), Solid);
            world.spawn((wall, Transform::from_xyz(0.0, -20.0, 0.0)));
            for _ in 0..size {
                world.spawn((CircleCollider::new(5.0), Mover::with_velocity(Vec2::ZERO)));
            }
        },
        step: |world, _, frame| {
            let sign = if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
            for mut mover in world.query::<&mut Mover>().iter_mut(world) {
                mover.velocity = Vec2::X * sign * 10.0;
            }
        },
        measure: Measure::Stage(bevy_thud::CollisionDiagnosticsPlugin::MOVE),
    },
    Scene {
        name: "movers along a thin wall as long as the map, as a polygon",
        sizes: [125, 250, 500, 1_000],
        spawn: |world, size| {
            let width = 20.0 * size as f32;
            let corners = [[0.0, -1.0], [width, 99.0], [width, 100.0], [0.0, 0.0]];
            let wall = PolygonCollider::new(corners.map(Vec2::from)).expect("no edges cross");
            world.spawn((wall, Solid));
            for number in 0..size {
                let x = 20.0 * number as f32;
                let transform = Transform::from_xyz(x, 5.1 + x * 100.0 / width, 0.0);
                let mover = Mover::with_velocity(Vec2::ZERO);
                world.spawn((CircleCollider::new(5.0), mover, transform));
            }
        },
        step: |world, _, frame| {
            let sign = if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
            for mut mover in world.query::<&mut Mover>().iter_mut(world) {
                mover.velocity = Vec2::new(sign * 60.0, -60.0);
            }
        },
        measure: Measure::Update,
    },
    Scene {
        name: "a slide around a bowl of this many vertices",
        sizes: [50, 100, 200, 400],
        spawn: |world, size| {
            // The upper half is open.
            let point = |number, radius| {
                Vec2::from_angle(number as f32 / size as f32 * TAU / -2.0) * radius
            };
            let inner = (0..=size).map(|number| point(number, 100.0));
            let outer = (0..=size).rev().map(|number| point(number, 110.0));
            let bowl = PolygonCollider::new(inner.chain(outer)).expect("no edges cross");
            world.spawn((bowl, Solid));
        },
        step: rest,
        measure: Measure::Call(|world, _| {
            let mut query = SystemState::<SpatialQuery>::new(world);
            let query = query.get(world).expect("the plugin is there");
            let shape = Shape::circle(Vec2::new(-90.0, -1.0), 5.0);
            let mover = Mover::with_velocity(Vec2::new(0.0, -400.0));
            let start = Instant::now();
            for _ in 0..4 {
                let filter = SpatialQueryFilter::default();
                black_box(query.move_and_slide(&shape, &mover, 1.0, &filter));
            }
            start.elapsed() / 4
        }),
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
