//! What a user puts on an entity to make it collide.

mod layers;
mod local_shape;
mod polygon;
mod shapes;
mod tiles;

pub use layers::{CollisionLayers, LayerMask};
pub use local_shape::ColliderAppExt;
pub(crate) use local_shape::{ColliderKinds, LocalShape};
pub use polygon::PolygonCollider;
pub use shapes::{CapsuleCollider, CircleCollider, RectCollider};
pub use tiles::TileCollider;

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

/// For a fast collider whose [`Transform`] you write: it meets what is on its way, a straight line from where it was in the last run.
///
/// If it is [`Solid`], like a lift, a piston or a sliding door, it pushes the movers that are in its way when the run begins, however fast and
/// thin it is. They slide along other walls then, and are [`Crushed`](crate::Crushed) where there is no room. Without this a wall that went
/// further than it is thick is put down behind them, or on top of them; so is a door that turns, with this too. It pushes nothing that has the
/// same topmost ancestor, or does not move because no time passes.
///
/// How it came to where it is does not count in the run after it was spawned, enabled, given
/// another parent or [teleported](Self::teleport), and its turning never does. A
/// [`Mover`](crate::Mover) is swept by itself and does not need it. Its descendants do: a sword
/// that is a child of a mover and `Swept` meets what is on the way that the mover takes it, bounces
/// and slides included, together with the straight line that it goes by itself.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Blade;
/// fn jump(mut blades: Query<(&mut Transform, &mut Swept), With<Blade>>) {
///     for (mut transform, mut swept) in &mut blades {
///         transform.translation.x += 1000.0;
///         Swept::teleport(&mut swept);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(jump);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Swept;

impl Swept {
    /// Skips sweeping in the next update: the collider starts at its current position.
    pub fn teleport(swept: &mut Mut<Self>) {
        // Its change is what the next update looks for.
        swept.set_changed();
    }
}

/// The collider of this entity is not there while this is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct ColliderDisabled;
