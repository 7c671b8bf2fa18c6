//! The trait of collider components, and a component that disables them.

use bevy::prelude::*;

use crate::geometry::Shape;

/// A component that defines the shape with which its entity collides.
///
/// All colliders of this crate implement it. Register colliders of your own with
/// [`add_collider`](crate::ColliderAppExt::add_collider). If an entity has several colliders, the
/// type that was registered first is used, and a warning names the entity.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::{geometry::Shape, prelude::*};
///
/// /// The collider is as large as the hull of its class.
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
#[doc(alias("sensor", "trigger", "hitbox", "hurtbox", "Area2D"))]
pub trait Collider: Component {
    /// The shape in the local space of the entity, before its [`Transform`] is applied. Called
    /// again whenever the component changes. A negative size counts as zero; a collider whose shape
    /// is NaN or infinite is ignored, with a warning.
    fn shape(&self) -> Shape;
}

/// Disables the entity's collider: collisions, movement and queries ignore it until this component
/// is removed. Nothing blocks a [`Mover`](crate::Mover) without a collider.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// #[derive(Component)]
/// struct Door;
///
/// /// A key opens the door, and closes it again.
/// fn toggle(
///     keys: Res<ButtonInput<KeyCode>>,
///     door: Single<(Entity, Has<ColliderDisabled>), With<Door>>,
///     mut commands: Commands,
/// ) {
///     let (door, is_open) = *door;
///     if keys.just_pressed(KeyCode::KeyE) && is_open {
///         commands.entity(door).remove::<ColliderDisabled>();
///     } else if keys.just_pressed(KeyCode::KeyE) {
///         commands.entity(door).insert(ColliderDisabled);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(toggle);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct ColliderDisabled;
