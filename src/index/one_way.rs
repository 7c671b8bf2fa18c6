//! Walls that block from one side only.

use bevy::{ecs::entity::Entity, math::Vec2};

use crate::geometry::{RigidMotion, Shape, separation, touching_slop};

/// A wall that blocks from one side only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneWayWall {
    pub entity: Entity,
    /// The direction that is free, in world space, unit length. Zero if the wall is scaled to
    /// nothing.
    pub direction: Vec2,
    /// Its motion since the last update as the mover sees it.
    pub motion: RigidMotion,
}

/// A surface blocks if the cosine of the angle between its normal and the free direction is larger.
const FACING: f32 = 0.01;

/// Whether a surface with this outward normal blocks.
pub(crate) fn faces(wall: &OneWayWall, normal: Vec2) -> bool {
    normal.dot(wall.direction) > FACING
}

/// On which side of a one-way wall a mover was when the update began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// In front of the surface that blocks.
    Blocking,
    /// In front of another surface.
    Free,
    Inside,
}

/// On which side of a wall a mover that started as `start` was.
pub(crate) fn side_of(wall: &OneWayWall, shape: &Shape, start: &Shape) -> Side {
    let before = wall.motion.before(shape);
    let separation = separation(start, &before);
    if !(separation.distance >= -touching_slop(start, &before)) {
        Side::Inside
    } else if faces(wall, -separation.normal) {
        Side::Blocking
    } else {
        Side::Free
    }
}
