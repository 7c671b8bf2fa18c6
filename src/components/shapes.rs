use bevy::prelude::*;

use super::Collider;
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
#[require(Transform)]
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

/// Centered on its entity.
impl From<Circle> for CircleCollider {
    fn from(circle: Circle) -> Self {
        Self::new(circle.radius)
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
#[require(Transform)]
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

/// Centered on its entity.
impl From<Rectangle> for RectCollider {
    fn from(rectangle: Rectangle) -> Self {
        let size = rectangle.size();
        Self::new(size.x, size.y)
    }
}

impl Collider for RectCollider {
    fn shape(&self) -> Shape {
        Shape::rect(self.offset, self.size, Rot2::IDENTITY)
    }
}

/// A capsule, also known as a stadium: everything that is nearer than a radius to a segment. It turns with its [`Transform`].
///
/// Under a [`Transform`] with different scales it is as wide as the scale across says, and as long as the one along it, its round
/// ends included; but never shorter than wide. A negative radius counts as zero, which makes a segment.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
#[require(Transform)]
pub struct CapsuleCollider {
    /// Where the segment starts, in the frame of the entity.
    pub start: Vec2,
    /// Where it ends.
    pub end: Vec2,
    /// Radius, in world units before scale.
    pub radius: f32,
}

impl CapsuleCollider {
    /// An upright capsule, centered on its entity, around a segment of this length: with its round ends it is `length + 2 * radius`
    /// high, as Bevy's [`Capsule2d`] is.
    pub const fn new(radius: f32, length: f32) -> Self {
        Self {
            start: Vec2::new(0.0, -length / 2.0),
            end: Vec2::new(0.0, length / 2.0),
            radius,
        }
    }

    /// A capsule around the segment between two points in the frame of the entity.
    pub const fn between(start: Vec2, end: Vec2, radius: f32) -> Self {
        Self { start, end, radius }
    }
}

/// Upright and centered on its entity, as Bevy draws it.
impl From<Capsule2d> for CapsuleCollider {
    fn from(capsule: Capsule2d) -> Self {
        Self::new(capsule.radius, 2.0 * capsule.half_length)
    }
}

impl Collider for CapsuleCollider {
    fn shape(&self) -> Shape {
        Shape::capsule(self.start, self.end, self.radius)
    }
}
