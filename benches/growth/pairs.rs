//! Pairs, lists and lookups.

use std::{hint::black_box, time::Instant};

use bevy::{
    ecs::{
        entity::{EntityHashMap, MapEntities},
        system::SystemState,
    },
    prelude::*,
};
use bevy_thud::{CollisionDiagnosticsPlugin, prelude::*};
use fastrand::Rng;

use super::{Measure, Numbered, Scene, rest, shift, spawn_grid};

pub static SCENES: [Scene; 10] = [
    Scene {
        name: "a list of all that start in a zone at once",
        sizes: [4_000, 8_000, 16_000, 32_000],
        spawn: |world, size| {
            spawn_zone(world, size);
            spawn_grid(world, size, ());
        },
        step: rest,
        measure: Measure::First,
    },
    Scene {
        name: "lists of all that start at one position",
        sizes: [150, 300, 600, 1_200],
        spawn: |world, size| {
            for _ in 0..size {
                world.spawn((CircleCollider::new(1.0), CollidingEntities::default()));
            }
        },
        step: rest,
        measure: Measure::First,
    },
    Scene {
        name: "a list of a zone that 100 enter or leave",
        sizes: [1_250, 2_500, 5_000, 10_000],
        spawn: |world, size| {
            spawn_zone(world, size);
            spawn_grid(world, size, ());
        },
        step: |world, size, frame| jump_out_and_in(world, size, frame, 100),
        measure: Measure::Update,
    },
    Scene {
        name: "pairs, 1% move, a tenth of these apart or together",
        sizes: PAIRS,
        spawn: spawn_couples,
        step: shake_one_percent,
        measure: Measure::Update,
    },
    Scene {
        name: "the same, a lookup by two entities",
        sizes: PAIRS,
        spawn: spawn_couples,
        step: shake_one_percent,
        measure: Measure::Call(|world, frame| {
            let couples = world.resource::<Numbered>().0.clone();
            let mut collisions = SystemState::<Collisions>::new(world);
            let collisions = collisions.get(world).expect("the plugin is there");
            let mut rng = Rng::with_seed(frame as u64);
            let numbers = [(); 64].map(|()| 2 * rng.usize(..couples.len() / 2));
            // The first lookup after a detection is another scene.
            black_box(collisions.contains(couples[0], couples[1]));
            let start = Instant::now();
            for number in numbers {
                black_box(collisions.contains(couples[number], couples[number + 1]));
            }
            start.elapsed() / numbers.len() as u32
        }),
    },
    Scene {
        name: "the same, the first `of` after a detection",
        sizes: PAIRS,
        spawn: spawn_couples,
        step: shake_one_percent,
        measure: Measure::Call(|world, frame| {
            let entities = &world.resource::<Numbered>().0;
            let entity = entities[frame % entities.len()];
            let mut collisions = SystemState::<Collisions>::new(world);
            let collisions = collisions.get(world).expect("the plugin is there");
            let start = Instant::now();
            black_box(collisions.of(entity).count());
            start.elapsed()
        }),
    },
    Scene {
        name: "one collider moves among resting pairs",
        sizes: [50_000, 100_000, 200_000, 400_000],
        spawn: spawn_couples,
        step: |world, _, frame| {
            let first = world.resource::<Numbered>().0[0];
            shift(
                world,
                first,
                if frame.is_multiple_of(2) { 0.1 } else { -0.1 },
            );
        },
        measure: Measure::Stage(CollisionDiagnosticsPlugin::DETECT),
    },
    Scene {
        name: "resting zones over 20,000 of which 1% move",
        sizes: [10, 20, 40, 80],
        spawn: |world, size| {
            for _ in 0..size {
                world.spawn(RectCollider::new(4000.0, 4000.0));
            }
            spawn_grid(world, 20_000, ());
        },
        step: |world, _, frame| {
            let entities = world.resource::<Numbered>().0.clone();
            for &entity in entities.iter().step_by(100) {
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
        name: "a ray, with this many entities excluded",
        sizes: [1_000, 2_000, 4_000, 8_000],
        spawn: |world, size| spawn_grid(world, size, ()),
        step: rest,
        measure: Measure::Call(|world, _| {
            let excluded = world.resource::<Numbered>().0.clone();
            let mut query = SystemState::<SpatialQuery>::new(world);
            let query = query.get(world).expect("the plugin is there");
            let start = Instant::now();
            let filter = SpatialQueryFilter::default().exclude_all(excluded);
            black_box(query.cast_ray(Ray2d::new(Vec2::ZERO, Dir2::X), 1e4, &filter));
            start.elapsed()
        }),
    },
    Scene {
        name: "an update after a state of this many pairs was loaded",
        sizes: [12_500, 25_000, 50_000, 100_000],
        spawn: |world, size| {
            spawn_grid(world, 2 * size, ());
            let entities = world.resource::<Numbered>().0.clone();
            for couple in entities.chunks(2) {
                shift(world, couple[0], 9.0);
            }
        },
        step: |world, _, _| {
            let mut state = world.resource_mut::<CollisionState>();
            // To the same entities: as after a load.
            state.map_entities(&mut EntityHashMap::<Entity>::default());
        },
        measure: Measure::Update,
    },
];

/// Numbers of pairs.
const PAIRS: [usize; 4] = [12_500, 25_000, 50_000, 100_000];

/// A zone around [`spawn_grid`], with a list.
fn spawn_zone(world: &mut World, size: usize) {
    let width = 10.0 * (size as f32).sqrt() + 20.0;
    let zone = RectCollider::new(2.0 * width, 2.0 * width);
    world.spawn((zone, CollidingEntities::default()));
}

/// Some circles leave the zone, or return to it.
fn jump_out_and_in(world: &mut World, size: usize, frame: usize, count: usize) {
    let away = if frame.is_multiple_of(2) { 1e4 } else { -1e4 };
    let entities = world.resource::<Numbered>().0.clone();
    for number in 0..count {
        let entity = entities[number * size / count];
        let mut transform = world.get_mut::<Transform>(entity).expect("it was spawned");
        transform.translation.x += away;
    }
}

/// This many pairs of circles, numbered one after the other.
fn spawn_couples(world: &mut World, count: usize) {
    spawn_grid(world, count, ());
    let firsts = std::mem::take(&mut world.resource_mut::<Numbered>().0);
    let couples = firsts.into_iter().flat_map(|first| {
        let mut transform = *world.get::<Transform>(first).expect("it was spawned");
        transform.translation.x += 1.5;
        let second = world.spawn((CircleCollider::new(1.0), transform)).id();
        [first, second]
    });
    let couples = Numbered(couples.collect());
    world.insert_resource(couples);
}

/// Every hundredth couple moves, and a tenth of these apart or together.
fn shake_one_percent(world: &mut World, _: usize, frame: usize) {
    let sign = if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
    let couples = world.resource::<Numbered>().0.clone();
    for (number, couple) in couples.chunks(2).step_by(100).enumerate() {
        let delta = if number.is_multiple_of(10) { 1.0 } else { 0.1 };
        let mut transform = (world.get_mut::<Transform>(couple[1])).expect("it was spawned");
        transform.translation.x += sign * delta;
    }
}
