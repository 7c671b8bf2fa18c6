//! The `Walker`s of this crate.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    WalkingEngine,
    course::{GRAVITY, LENGTH, Part, PartShape, RADIUS},
    recording::Pace,
};
use crate::ours;

/// With the defaults, but for the step height.
pub fn engine() -> WalkingEngine {
    WalkingEngine {
        name: "bevy_thud",
        install,
        insert_part,
        insert_walker,
        is_on_floor: |walker| walker.get::<Ground>().is_some_and(Ground::is_on_floor),
    }
}

fn install(app: &mut App) {
    ours::install_movement(app);
    app.add_systems(Update, walk);
}

/// Also for other engines that use the colliders of this crate.
pub fn insert_part(entity: &mut EntityCommands, part: &Part) {
    entity.insert(Solid);
    match &part.shape {
        PartShape::Rect(size) => entity.insert(RectCollider::new(size.x, size.y)),
        PartShape::Convex(points) | PartShape::Terrain(points) => {
            let polygon = PolygonCollider::new(points.iter().copied());
            entity.insert(polygon.expect("the outlines are simple"))
        }
    };
}

fn insert_walker(entity: &mut EntityCommands, step_height: f32) {
    entity.insert((
        CapsuleCollider::new(RADIUS, LENGTH),
        Mover::default(),
        Walker {
            step_height,
            ..default()
        },
    ));
}

fn walk(mut walkers: Query<(&mut Mover, &Pace)>, time: Res<Time>) {
    for (mut mover, pace) in &mut walkers {
        mover.velocity.x = pace.0;
        mover.velocity.y -= GRAVITY * time.delta_secs();
    }
}
