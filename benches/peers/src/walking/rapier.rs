//! bevy_rapier2d's `KinematicCharacterController`.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::{
    WalkingEngine,
    course::{GRAVITY, LENGTH, MAX_SLOPE, Part, PartShape, RADIUS},
    recording::Pace,
};
use crate::rapier;

/// By how much a walker is moved off what it touches, in world units. With the
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
/// Colliders of the course have no body, but platforms are kinematic bodies.
pub fn engine() -> WalkingEngine {
    WalkingEngine {
        name: "rapier2d",
        install: install::<false>,
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
        install: install::<true>,
        ..engine()
    }
}

fn install<const FALLS_AT_REST: bool>(app: &mut App) {
    rapier::install_movement(app);
    app.add_systems(Update, walk::<FALLS_AT_REST>);
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

/// The controller knows no gravity: the game adds the fall to the translation.
fn walk<const FALLS_AT_REST: bool>(
    mut walkers: Query<(
        &mut KinematicCharacterController,
        &mut FallSpeed,
        &Pace,
        Option<&KinematicCharacterControllerOutput>,
    )>,
    time: Res<Time>,
) {
    let seconds = time.delta_secs();
    let gained = GRAVITY * seconds;
    let at_rest = if FALLS_AT_REST { gained } else { 0.0 };
    for (mut controller, mut fall, pace, output) in &mut walkers {
        let is_grounded = output.is_some_and(|output| output.grounded);
        fall.0 = if is_grounded {
            at_rest
        } else {
            fall.0 + gained
        };
        controller.translation = Some(Vec2::new(pace.0, -fall.0) * seconds);
    }
}
