//! Circle, rectangle and capsule colliders.

use bevy::prelude::*;

use super::Collider;
use crate::geometry::Shape;

/// A circle collider.
///
/// Under a [`Transform`] with a non-uniform scale it stays a circle, and uses the larger scale
/// factor. A negative radius counts as zero, which makes it a point.
///
/// It does not take its size from a `Sprite`. The radius is half of the width of a round sprite:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn spawn_ball(mut commands: Commands, assets: Res<AssetServer>) {
///     let radius = 16.0;
///     let sprite = Sprite {
///         image: assets.load("ball.png"),
///         custom_size: Some(Vec2::splat(2.0 * radius)),
///         ..default()
///     };
///     commands.spawn((sprite, CircleCollider::new(radius)));
/// }
/// # bevy::ecs::system::assert_is_system(spawn_ball);
/// ```
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
    /// The center in the local space of the entity.
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

    /// Returns the circle with its center at `offset` in the local space of the entity.
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

/// A rectangle collider, rotated and scaled with its [`Transform`].
///
/// A negative size counts as zero, which makes it a segment or a point.
///
/// It does not take its size from a `Sprite`. Its size is the full width and height, as the
/// `custom_size` of a sprite, or the size of its image in pixels if it has none. The scale of the
/// [`Transform`] multiplies both. A sprite whose `Anchor` is not its center needs an
/// [`offset`](Self::offset).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn spawn_crate(mut commands: Commands) {
///     let size = Vec2::new(64.0, 32.0);
///     let sprite = Sprite::from_color(Color::srgb(0.6, 0.4, 0.2), size);
///     commands.spawn((sprite, RectCollider::new(size.x, size.y)));
/// }
/// # bevy::ecs::system::assert_is_system(spawn_crate);
/// ```
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
    /// The center in the local space of the entity.
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

    /// A rectangle of this full width and height, centered on its entity.
    pub const fn from_size(size: Vec2) -> Self {
        Self::new(size.x, size.y)
    }

    /// A square of this width and height, centered on its entity.
    pub const fn from_length(length: f32) -> Self {
        Self::new(length, length)
    }

    /// A rectangle between two opposite corners in the local space of the entity.
    pub fn from_corners(first: Vec2, second: Vec2) -> Self {
        Self::from_rect(Rect::from_corners(first, second))
    }

    /// A rectangle with these corners in the local space of the entity.
    pub fn from_rect(rect: Rect) -> Self {
        Self {
            size: rect.size(),
            offset: rect.center(),
        }
    }

    /// Returns the rectangle with its center at `offset` in the local space of the entity.
    #[must_use]
    pub const fn with_offset(self, offset: Vec2) -> Self {
        Self { offset, ..self }
    }
}

/// Centered on its entity.
impl From<Rectangle> for RectCollider {
    fn from(rectangle: Rectangle) -> Self {
        Self::from_size(rectangle.size())
    }
}

impl From<Rect> for RectCollider {
    fn from(rect: Rect) -> Self {
        Self::from_rect(rect)
    }
}

impl Collider for RectCollider {
    fn shape(&self) -> Shape {
        Shape::rect(self.offset, self.size, Rot2::IDENTITY)
    }
}

/// A capsule collider, also known as a stadium: all points closer to a segment than a radius. It
/// rotates with its [`Transform`].
///
/// Under a [`Transform`] with a non-uniform scale, its width scales with the factor across the
/// segment, and its length, round ends included, with the factor along it, but never becomes
/// shorter than the width. A negative radius counts as zero, which makes it a segment.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// // For a sprite of 12 by 24 units: the segment of 12 units, and a round end of 6 on each side.
/// let capsule = CapsuleCollider::new(6.0, 12.0);
/// assert_eq!(capsule.shape().aabb().max, Vec2::new(6.0, 12.0));
/// ```
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
    /// The start of the segment, in the local space of the entity.
    pub start: Vec2,
    /// The end of the segment, in the local space of the entity.
    pub end: Vec2,
    /// Radius, in world units before scale.
    pub radius: f32,
}

impl CapsuleCollider {
    /// An upright capsule, centered on its entity, around a segment of this length. Its total
    /// height is `length + 2 * radius`, as that of Bevy's [`Capsule2d`].
    pub const fn new(radius: f32, length: f32) -> Self {
        Self {
            start: Vec2::new(0.0, -length / 2.0),
            end: Vec2::new(0.0, length / 2.0),
            radius,
        }
    }

    /// A capsule around the segment between two points in the local space of the entity.
    pub const fn between(start: Vec2, end: Vec2, radius: f32) -> Self {
        Self { start, end, radius }
    }
}

/// Upright and centered on its entity, as Bevy renders it.
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
