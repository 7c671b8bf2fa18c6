use bevy::{
    ecs::entity::Entity,
    math::{UVec2, Vec2},
};

/// Where a ray meets a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// Whose collider it is.
    pub entity: Entity,
    /// How far it is from the ray's origin, in world units. Zero, if the ray starts inside.
    pub distance: f32,
    /// Where on the ray that is, in world units.
    pub point: Vec2,
    /// The outward normal of the collider's surface, unit length; that of the nearest side, if the ray starts inside.
    pub normal: Vec2,
    /// The cell of the grid that was hit, if the collider is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

/// Where a moving shape touches a collider first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeHit {
    /// Whose collider it is.
    pub entity: Entity,
    /// The fraction of the way at which they touch, in 0..=1. Zero, if they overlapped from the start.
    pub fraction: f32,
    /// The length of the way until then, in world units.
    pub distance: f32,
    /// Where they touch, in world units.
    pub point: Vec2,
    /// The outward normal of the collider's surface, unit length.
    pub normal: Vec2,
    /// The cell of the grid that was hit, if the collider is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

/// The collider that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointProjection {
    /// Whose collider it is.
    pub entity: Entity,
    /// How far the point is from its surface, in world units. Negative inside.
    pub distance: f32,
    /// The point of its surface that is closest, in world units.
    pub point: Vec2,
    /// The outward normal of the surface there, unit length.
    pub normal: Vec2,
    /// The cell of the grid with that point, if the collider is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

impl PointProjection {
    /// Whether the point is inside of the collider.
    pub fn is_inside(&self) -> bool {
        self.distance < 0.0
    }
}
