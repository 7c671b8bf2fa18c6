//! The results of spatial queries.

use std::cmp::Ordering;

use bevy::{
    ecs::entity::Entity,
    math::{UVec2, Vec2},
};

use crate::components::EntityOrder;

/// Where a ray hits a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The entity of the collider.
    pub entity: Entity,
    /// The distance from the origin of the ray, in world units. 0 if the ray starts inside.
    pub distance: f32,
    /// The point of the hit, in world units.
    pub point: Vec2,
    /// The outward normal of the collider's surface, unit length. If the ray starts inside, that of
    /// the nearest edge.
    pub normal: Vec2,
    /// Whether the ray starts inside. At a distance of 0 it may also start at the surface.
    pub starts_inside: bool,
    /// The cell that was hit, if the collider is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
    pub(super) order: EntityOrder,
}

/// Where a moving shape first touches a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeHit {
    /// The entity of the collider.
    pub entity: Entity,
    /// The fraction of the displacement at which they touch, in 0..=1. 0 if they overlap at the
    /// start.
    pub fraction: f32,
    /// Whether they overlap at the start, by more than rounding. At a fraction of 0 they may also
    /// just touch.
    pub starts_inside: bool,
    /// The distance that the shape moves until then, in world units.
    pub distance: f32,
    /// The point where they touch, in world units.
    pub point: Vec2,
    /// The outward normal of the collider's surface, unit length.
    pub normal: Vec2,
    /// The cell that was hit, if the collider is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
    pub(super) order: EntityOrder,
}

/// The collider nearest to a point, with the closest point of its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointProjection {
    /// The entity of the collider.
    pub entity: Entity,
    /// The distance between the point and the surface, in world units. Negative inside.
    pub distance: f32,
    /// The closest point of the surface, in world units.
    pub point: Vec2,
    /// The outward normal of the surface at that point, unit length.
    pub normal: Vec2,
    /// The cell of that point, if the collider is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

impl PointProjection {
    /// Whether the point is inside the collider.
    pub fn is_inside(&self) -> bool {
        self.distance < 0.0
    }
}

/// Compares two distances. Both zeros are equal, so that the entities decide.
pub(super) fn compare(a: f32, b: f32) -> Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}
