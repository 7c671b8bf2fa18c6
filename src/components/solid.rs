//! What blocks movers.

use bevy::prelude::*;

/// Movers are blocked by this collider. Without it a collider only reports. It counts on the entity
/// of the collider alone, not for the colliders of its children, and it does not block movers among
/// its descendants.
///
/// Two solid colliders that nothing moves make no pair: walls do not hear walls
/// (see [`CollisionSettings::solid_pairs`](crate::CollisionSettings::solid_pairs)).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Solid;

/// On a [`Solid`], without which it does nothing: blocks only what moves against this direction, as
/// platforms do that one jumps through from below.
///
/// The direction is in the frame of the entity, and turns with it. What counts is how a mover moves relative to the wall, and only
/// surfaces that face the direction block. What overlapped the wall when the motion began passes, so nothing is caught in it. Its ends
/// do not block either: where they should not be a way in, let them reach into other walls.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((RectCollider::new(120.0, 10.0), Solid, OneWay(Dir2::Y)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct OneWay(
    /// The direction that is free.
    #[cfg_attr(
        feature = "serialize",
        serde(deserialize_with = "crate::checked::direction")
    )]
    pub Dir2,
);

impl Default for OneWay {
    /// Upwards.
    fn default() -> Self {
        Self(Dir2::Y)
    }
}
