//! Colliders that block movers.

use bevy::prelude::*;

/// Makes the entity's collider block movers. Without it a collider is a sensor: it only reports
/// overlaps.
///
/// It only affects the collider of its own entity, not those of children, and does not block movers
/// among its descendants.
///
/// Static walls do not collide with each other: two `Solid` colliders are never reported as a pair
/// unless one is [`Swept`](crate::Swept), a [`Mover`](crate::Mover) or a descendant of one, or
/// [`CollisionSettings::solid_pairs`](crate::CollisionSettings::solid_pairs) is set.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // The wall blocks the hero. The pit only reports that the hero is in it.
///     let at = |x| Transform::from_xyz(x, 0.0, 0.0);
///     commands.spawn((CircleCollider::new(8.0), Mover::with_velocity(Vec2::X * 100.0)));
///     commands.spawn((RectCollider::new(40.0, 40.0), at(50.0)));
///     commands.spawn((RectCollider::new(10.0, 100.0), Solid, at(100.0)));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[doc(alias("wall", "static", "StaticBody2D"))]
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Solid;

/// Makes a [`Solid`] collider block only from the side to which this direction points, such as a
/// platform that can be jumped through from below. Has no effect without [`Solid`].
///
/// The direction is in the local space of the entity, and rotates with it. Only surfaces that face
/// it block, and only motion into them: a ramp is walked up like any other. At vertices, and where
/// the wall is round, only motion against the direction is blocked. A wall that moves into a mover
/// in front of it moves the mover out. A mover that overlaps the wall when the update begins
/// passes, so that it is not caught inside. The ends of the wall do not block either: let them
/// overlap other walls to close them.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((RectCollider::new(120.0, 10.0), Solid, OneWay(Dir2::Y)));
/// # }
/// ```
#[doc(alias = "semisolid")]
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct OneWay(
    /// The direction in which movers pass.
    #[cfg_attr(
        feature = "serialize",
        serde(deserialize_with = "crate::serde_checks::direction")
    )]
    pub Dir2,
);

impl Default for OneWay {
    /// Movers pass upward.
    fn default() -> Self {
        Self(Dir2::Y)
    }
}
