//! Colliders of all types.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A type of collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Circle,
    Rect,
    Capsule,
    /// A rectangle that is a polygon.
    Box,
    /// A convex polygon.
    Polygon,
    /// A polygon with a notch in its upper edge.
    Notched,
}

impl Kind {
    pub const ALL: [Self; 5] = [
        Self::Circle,
        Self::Rect,
        Self::Capsule,
        Self::Polygon,
        Self::Notched,
    ];

    pub fn any(rng: &mut fastrand::Rng) -> Self {
        Self::ALL[rng.usize(..Self::ALL.len())]
    }

    /// Adds one of this width to an entity, and of this height if it has one.
    pub fn insert(self, app: &mut App, entity: Entity, size: Vec2) {
        let mut entity = app.world_mut().entity_mut(entity);
        let radius = size.min_element() / 2.0;
        let half = size / 2.0 - radius;
        let polygon = |vertices: &[(f32, f32)]| {
            let vertices = vertices
                .iter()
                .map(|&vertex| Vec2::from(vertex) * size / 2.0);
            PolygonCollider::new(vertices).unwrap()
        };
        match self {
            Self::Circle => entity.insert(CircleCollider::new(size.x / 2.0)),
            Self::Rect => entity.insert(RectCollider::new(size.x, size.y)),
            Self::Capsule => entity.insert(CapsuleCollider::between(-half, half, radius)),
            Self::Box => entity.insert(polygon(&[
                (-1.0, -1.0),
                (1.0, -1.0),
                (1.0, 1.0),
                (-1.0, 1.0),
            ])),
            Self::Polygon => entity.insert(polygon(&[
                (-1.0, -1.0),
                (1.0, -1.0),
                (0.8, 0.6),
                (-0.2, 1.0),
                (-1.0, 0.1),
            ])),
            Self::Notched => entity.insert(polygon(&[
                (-1.0, -1.0),
                (1.0, -1.0),
                (1.0, 1.0),
                (0.4, 1.0),
                (0.1, -0.2),
                (-0.6, 1.0),
                (-1.0, 0.7),
            ])),
        };
    }
}
