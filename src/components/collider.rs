//! What makes an entity collide, and what switches that off.

use bevy::prelude::*;

use crate::geometry::Shape;

/// A component that gives its entity a shape to collide with.
///
/// The crate's own colliders are of this kind, and so is any component of yours after
/// [`add_collider`](ColliderAppExt::add_collider). If an entity has several, the one that was added to the app first counts,
/// and a warning names the entity.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::{geometry::Shape, prelude::*};
///
/// /// As wide as the hull of its class.
/// #[derive(Component)]
/// enum Ship { Fighter, Freighter }
///
/// impl Collider for Ship {
///     fn shape(&self) -> Shape {
///         match self {
///             Ship::Fighter => Shape::circle(Vec2::ZERO, 8.0),
///             Ship::Freighter => Shape::rect(Vec2::ZERO, Vec2::new(40.0, 16.0), Rot2::IDENTITY),
///         }
///     }
/// }
///
/// App::new()
///     .add_plugins(CollisionPlugin::default())
///     .add_collider::<Ship>();
/// ```
pub trait Collider: Component {
    /// The shape in the frame of the entity, before its [`Transform`]. It is read again whenever
    /// the component changes. A negative size counts as zero.
    fn shape(&self) -> Shape;
}

/// Disables the entity's collider: collisions, movement and queries ignore it until this component
/// is removed.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct ColliderDisabled;
