use bevy::prelude::*;

use super::{Collider, LocalShape};
use crate::geometry::Shape;

/// A circle around an entity.
///
/// Under a [`Transform`] with different scales along its axes it stays a circle, of the longer one. A negative radius counts
/// as zero, which makes a point.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[require(Transform, LocalShape)]
pub struct CircleCollider {
    /// Radius, in world units before scale.
    pub radius: f32,
    /// Where the center is, in the frame of the entity.
    pub offset: Vec2,
}

impl CircleCollider {
    /// A circle centered on its entity.
    pub const fn new(radius: f32) -> Self {
        Self {
            radius,
            offset: Vec2::ZERO,
        }
    }

    /// The same circle with its center at `offset` from the entity.
    #[must_use]
    pub const fn with_offset(self, offset: Vec2) -> Self {
        Self { offset, ..self }
    }
}

impl Collider for CircleCollider {
    fn shape(&self) -> Shape {
        Shape::circle(self.offset, self.radius)
    }
}

/// A rectangle around an entity, turned and scaled with its [`Transform`]. A negative size counts as zero, which makes a
/// segment or a point.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[require(Transform, LocalShape)]
pub struct RectCollider {
    /// Full width and height, in world units before scale.
    pub size: Vec2,
    /// Where the center is, in the frame of the entity.
    pub offset: Vec2,
}

impl RectCollider {
    /// A rectangle of this full width and height, centered on its entity.
    pub const fn new(width: f32, height: f32) -> Self {
        Self {
            size: Vec2::new(width, height),
            offset: Vec2::ZERO,
        }
    }

    /// A rectangle given by its corners in the frame of the entity.
    pub fn from_rect(rect: Rect) -> Self {
        Self {
            size: rect.size(),
            offset: rect.center(),
        }
    }

    /// The same rectangle with its center at `offset` from the entity.
    #[must_use]
    pub const fn with_offset(self, offset: Vec2) -> Self {
        Self { offset, ..self }
    }
}

impl Collider for RectCollider {
    fn shape(&self) -> Shape {
        Shape::rect(self.offset, self.size, Rot2::IDENTITY)
    }
}
