//! bevy_rapier2d's `KinematicCharacterController`.

use bevy::prelude::*;
use bevy_rapier2d::{
    plugin::{RapierTransformPropagateSet, systems::update_character_controls},
    prelude::*,
};

use super::{
    WalkingEngine,
    course::{GRAVITY, LENGTH, MAX_SLOPE, Part, PartShape, RADIUS},
    recording::{Pace, start_timer, stop_timer},
};
use crate::rapier;

/// A part of the translation that gets a walker off what it touches, in world units. With the
/// default of 0.0001, meant for meters, a walker that falls in every frame sticks at stairs; with
/// 0.1, no walker stands by its own account.
const NUDGE: f32 = 0.001;

/// The downward velocity of a walker, which the game keeps.
#[derive(Component, Default)]
struct FallSpeed(f32);

/// The walkers' layer and that of the course: walkers ignore each other.
const WALKERS: CollisionGroups = CollisionGroups::new(Group::GROUP_1, Group::GROUP_2);
const COURSE: CollisionGroups = CollisionGroups::new(Group::GROUP_2, Group::GROUP_1);

/// A walker that stands does not fall, as in the example `character_controller3` of bevy_rapier.
/// The parts of the course are colliders without a body, but platforms are kinematic bodies.
pub fn engine() -> WalkingEngine {
    WalkingEngine {
        name: "rapier2d",
        install: |app| {
            install(app);
            app.add_systems(Update, walk);
        },
        insert_part,
        insert_walker,
        is_on_floor: |walker| {
            let output = walker.get::<KinematicCharacterControllerOutput>();
            output.is_some_and(|output| output.grounded)
        },
    }
}

/// A walker falls in every frame, so that it touches its platform, which then carries it.
pub fn falling() -> WalkingEngine {
    WalkingEngine {
        name: "rapier2d falling",
        install: |app| {
            install(app);
            app.add_systems(Update, walk_and_fall);
        },
        ..engine()
    }
}

fn install(app: &mut App) {
    rapier::install(app);
    app.add_systems(
        PostUpdate,
        (
            start_timer.before(PhysicsSet::SyncBackend),
            stop_timer
                .after(update_character_controls)
                .before(RapierTransformPropagateSet),
        ),
    );
}

fn insert_part(entity: &mut EntityCommands, part: &Part) {
    entity.insert(match &part.shape {
        PartShape::Rect(size) => Collider::cuboid(size.x / 2.0, size.y / 2.0),
        PartShape::Convex(points) => Collider::convex_hull(points).expect("the hull has an area"),
        PartShape::Terrain(points) => {
            let closed = points.iter().chain(points.first());
            Collider::polyline(closed.copied().collect(), None)
        }
    });
    entity.insert(COURSE);
    if part.path.is_some() {
        entity.insert(RigidBody::KinematicPositionBased);
    }
}

/// With the defaults, but for the nudge and the steepest floor, which is that of all engines.
fn insert_walker(entity: &mut EntityCommands, step_height: f32) {
    entity.insert((
        RigidBody::KinematicPositionBased,
        Collider::capsule_y(LENGTH / 2.0, RADIUS),
        WALKERS,
        FallSpeed::default(),
        KinematicCharacterController {
            max_slope_climb_angle: MAX_SLOPE,
            min_slope_slide_angle: MAX_SLOPE,
            normal_nudge_factor: NUDGE,
            autostep: (step_height > 0.0).then(|| CharacterAutostep {
                max_height: CharacterLength::Absolute(step_height),
                ..default()
            }),
            filter_groups: Some(WALKERS),
            ..default()
        },
    ));
}

type WalkerData = (
    &'static mut KinematicCharacterController,
    &'static mut FallSpeed,
    &'static Pace,
    Option<&'static KinematicCharacterControllerOutput>,
);

/// The controller knows no gravity: the game adds the fall to the translation.
fn walk(mut walkers: Query<WalkerData>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut controller, mut fall, pace, output) in &mut walkers {
        if output.is_some_and(|output| output.grounded) {
            fall.0 = 0.0;
        }
        controller.translation = Some(Vec2::new(pace.0, -fall.0) * seconds);
        fall.0 += GRAVITY * seconds;
    }
}

fn walk_and_fall(mut walkers: Query<WalkerData>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (mut controller, mut fall, pace, output) in &mut walkers {
        if output.is_some_and(|output| output.grounded) {
            fall.0 = 0.0;
        }
        fall.0 += GRAVITY * seconds;
        controller.translation = Some(Vec2::new(pace.0, -fall.0) * seconds);
    }
}
