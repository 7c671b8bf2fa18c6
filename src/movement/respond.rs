//! How a mover responds to what blocks it.

use bevy::math::Vec2;

use super::{
    motion::{Motion, MoverPose, Velocity},
    obstacles::NearObstacle,
    one_way,
    planes::normals,
    sweep::ContactPlane,
    tolerances::{PRESSING_COSINE, SLOP_SKINS},
};
use crate::{
    components::MoverResponse,
    geometry::{Shape, bounce_off, slide_along},
};

/// The velocity of a mover after a surface with this outward normal, the last of its contact
/// planes, blocked it.
pub(super) fn respond(
    motion: &Motion,
    velocity: Velocity,
    normal: Vec2,
    planes: &[ContactPlane],
) -> Velocity {
    match motion.response {
        MoverResponse::Slide => slide(motion.desired, planes),
        MoverResponse::Stop => Velocity::ZERO,
        MoverResponse::Bounce => bounce(velocity, normal, motion.restitution),
        MoverResponse::Pass => velocity,
    }
}

/// Projects the desired velocity onto all planes. Not what is left of it: so a mover rests in a
/// corner, and does not climb one side of it.
fn slide(desired: Velocity, planes: &[ContactPlane]) -> Velocity {
    desired.map(|vector| slide_along(vector, normals(planes)))
}

/// Reflects the velocity.
fn bounce(velocity: Velocity, normal: Vec2, restitution: f32) -> Velocity {
    velocity.map(|vector| bounce_off(vector, normal, restitution))
}

/// Whether a mover moves by so little that a sweep cannot distinguish it from rounding, as happens
/// far from the origin. Such a mover responds to what it touches and presses against.
pub(super) fn is_too_slow_to_sweep(motion: &Motion, pose: &MoverPose) -> bool {
    let length = motion.desired.per_update.length();
    length > SLOP_SKINS * motion.skin && PRESSING_COSINE * length <= pose.slop
}

/// Whether a mover touches an obstacle, presses against it, and is blocked by it.
pub(super) fn presses_against(motion: &Motion, pose: &MoverPose, near: &NearObstacle) -> bool {
    let NearObstacle {
        obstacle, surface, ..
    } = near;
    let desired = motion.desired.per_update;
    let inward = -desired.dot(surface.normal);
    let is_free_side = obstacle.one_way.as_ref().is_some_and(|one_way| {
        !one_way::blocks(one_way, (&obstacle.shape, surface.normal), motion, desired)
    });
    // Where a flush edge begins or ends, the normal at its vertex is rounding.
    let is_vertex = !surface.is_edge && !matches!(obstacle.shape, Shape::Circle { .. });
    inward >= PRESSING_COSINE * desired.length()
        && !is_vertex
        && surface.distance <= motion.skin + pose.slop
        && !is_free_side
}
