//! avian2d's `MoveAndSlide`, with the rules of its example `kinematic_character_2d`.

use avian2d::prelude::*;
use bevy::prelude::*;

use super::{
    WalkingEngine,
    course::{GRAVITY, LENGTH, MAX_SLOPE, Part, PartShape, RADIUS},
    recording::Pace,
};
use crate::{
    avian,
    timer::{start_timer, stop_timer},
};

/// The units of a meter. The walker is half as high as that of the example, so half of the value
/// there. The skin width and the tolerances are multiples of it.
const LENGTH_UNIT: f32 = 10.0;
/// The distance within which the floor counts as below the walker: half of that of the example.
const GROUND_DISTANCE: f32 = 5.0;
/// By how much the shape that looks for the floor is smaller than the walker, as in the example.
const GROUND_INSET: f32 = 0.01;
/// The speed down a slope that counts as slipping, as in the example.
const SLIPPING: f32 = -0.001;

/// The layer of the course, which blocks walkers.
const COURSE: LayerMask = LayerMask(1);
/// The layer of walkers, which do not block each other.
const WALKERS: LayerMask = LayerMask(2);

/// Whether the floor is near, as far as jumps are concerned.
#[derive(Component, Default)]
struct Grounded(bool);

/// Walkers and platforms are kinematic bodies, and the rest of the course are static ones.
pub fn engine() -> WalkingEngine {
    WalkingEngine {
        name: "avian2d",
        install,
        insert_part,
        insert_walker,
        is_on_floor: |walker| walker.get::<Grounded>().is_some_and(|grounded| grounded.0),
    }
}

fn install(app: &mut App) {
    avian::install(app);
    app.insert_resource(PhysicsLengthUnit(LENGTH_UNIT))
        .add_systems(
            Update,
            (
                start_timer,
                update_grounded,
                accelerate,
                move_walkers,
                stop_timer,
            )
                .chain(),
        );
}

fn insert_part(entity: &mut EntityCommands, part: &Part) {
    entity.insert(match &part.shape {
        PartShape::Rect(size) => Collider::rectangle(size.x, size.y),
        PartShape::Convex(points) => {
            Collider::convex_hull(points.clone()).expect("the hull has an area")
        }
        PartShape::Terrain(points) => {
            let closed = points.iter().chain(points.first());
            Collider::polyline(closed.copied().collect(), None)
        }
    });
    let body = if part.path.is_some() {
        RigidBody::Kinematic
    } else {
        RigidBody::Static
    };
    entity.insert((body, CollisionLayers::new(COURSE, WALKERS)));
}

/// Without steps, which the example does not climb.
fn insert_walker(entity: &mut EntityCommands, _step_height: f32) {
    entity.insert((
        RigidBody::Kinematic,
        CustomPositionIntegration,
        SpeculativeMargin(0.0),
        Collider::capsule(RADIUS, LENGTH),
        CollisionLayers::new(WALKERS, COURSE),
        Grounded::default(),
    ));
}

fn update_grounded(
    mut walkers: Query<(&Transform, &mut Grounded)>,
    query: SpatialQuery,
    mut shape: Local<Option<Collider>>,
) {
    let shape = shape.get_or_insert_with(|| Collider::capsule(RADIUS - GROUND_INSET, LENGTH));
    let config = ShapeCastConfig::from_max_distance(GROUND_DISTANCE);
    let filter = SpatialQueryFilter::from_mask(COURSE);
    for (transform, mut grounded) in &mut walkers {
        let center = transform.translation.xy();
        let hit = query.cast_shape(shape, center, 0.0, Dir2::NEG_Y, &config, &filter);
        grounded.0 = hit.is_some_and(|hit| hit.normal1.angle_to(Vec2::Y).abs() <= MAX_SLOPE);
    }
}

fn accelerate(mut walkers: Query<(&mut LinearVelocity, &Pace)>, time: Res<Time>) {
    for (mut velocity, pace) in &mut walkers {
        velocity.x = pace.0;
        velocity.y -= GRAVITY * time.delta_secs();
    }
}

fn move_walkers(
    mut walkers: Query<(&mut Transform, &mut LinearVelocity, &Collider), With<Pace>>,
    move_and_slide: MoveAndSlide,
    time: Res<Time>,
) {
    let config = MoveAndSlideConfig::default();
    let filter = SpatialQueryFilter::from_mask(COURSE);
    for (mut transform, mut velocity, collider) in &mut walkers {
        let mut is_on_floor_or_ceiling = false;
        let moved = move_and_slide.move_and_slide(
            collider,
            transform.translation.xy(),
            0.0,
            velocity.0,
            time.delta(),
            &config,
            &filter,
            |hit| {
                let slope = Vec2::Y.angle_to(**hit.normal).abs();
                is_on_floor_or_ceiling |= slope.min(std::f32::consts::PI - slope) <= MAX_SLOPE;
                *hit.velocity = allowed_velocity(*hit.velocity, velocity.0, **hit.normal);
                MoveAndSlideHitResponse::Accept
            },
        );
        transform.translation = moved.position.extend(0.0);
        if is_on_floor_or_ceiling {
            velocity.y = moved.projected_velocity.y;
        }
    }
}

/// What a hit leaves of a velocity: nothing along a floor down which only gravity pulls the walker,
/// and nothing up a slope that is too steep, unless the walker rises. `desired` is the velocity at
/// the start of the frame.
fn allowed_velocity(velocity: Vec2, desired: Vec2, normal: Vec2) -> Vec2 {
    let tangent = velocity - velocity.project_onto(normal);
    let walked = Vec2::X * desired.x;
    let walked_tangent = walked - walked.project_onto(normal);
    let is_floor = Vec2::Y.angle_to(normal).abs() <= MAX_SLOPE;
    let slips = tangent.y < SLIPPING && walked_tangent.y >= SLIPPING;
    let climbs = tangent.y > 0.0 && desired.y <= 0.0;
    if (is_floor && slips) || (!is_floor && climbs) {
        velocity - tangent
    } else {
        velocity
    }
}
