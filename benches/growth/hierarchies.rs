//! Children.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{Measure, Numbered, Scene, rest, spawn_grid};

pub static SCENES: [Scene; 3] = [
    Scene {
        name: "colliders nested one in the other, at rest",
        sizes: [250, 500, 1_000, 2_000],
        spawn: |world, size| {
            let mut parent = None;
            for _ in 0..size {
                let circle = (CircleCollider::new(1.0), Transform::from_xyz(3.0, 0.0, 0.0));
                let mut entity = world.spawn(circle);
                if let Some(parent) = parent {
                    entity.insert(ChildOf(parent));
                }
                parent = Some(entity.id());
            }
        },
        step: rest,
        measure: Measure::Update,
    },
    Scene {
        name: "children at rest",
        sizes: CHILDREN,
        spawn: |world, size| spawn_children(world, size, ()),
        step: rest,
        measure: Measure::Update,
    },
    Scene {
        name: "swept children at rest",
        sizes: CHILDREN,
        spawn: |world, size| spawn_children(world, size, Swept),
        step: rest,
        measure: Measure::Update,
    },
];

/// Numbers of children.
const CHILDREN: [usize; 4] = [1_000, 2_000, 4_000, 8_000];

/// Circles below 10 parents.
fn spawn_children(world: &mut World, count: usize, bundle: impl Bundle + Clone) {
    spawn_grid(world, count, bundle);
    let parents = [(); 10].map(|()| world.spawn(Transform::default()).id());
    for (number, entity) in world
        .resource::<Numbered>()
        .0
        .clone()
        .into_iter()
        .enumerate()
    {
        let parent = parents[number % parents.len()];
        world.entity_mut(entity).insert(ChildOf(parent));
    }
}
