//! Pairs that ignore each other.

use bevy::{ecs::entity::MapEntities, prelude::*};

/// Lets a collider and another entity ignore each other: they neither collide nor block each other.
/// For a shot that starts inside its shooter, or a grenade and its thrower.
///
/// If one of the two is a [`Mover`](crate::Mover), this includes the colliders of its descendants,
/// such as a shield or a spear's tip, up to the next mover below it. It makes no difference which
/// of the two has the component.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// /// A shot that hits its shooter only if it bounces back.
/// fn shoot(shooter: Single<(Entity, &Transform), With<Mover>>, mut commands: Commands) {
///     let (shooter, &transform) = *shooter;
///     let mut mover = Mover::with_velocity(Vec2::X * 400.0);
///     mover.response = MoverResponse::Bounce;
///     let ignores = Ignores::until_apart(shooter);
///     commands.spawn((CircleCollider::new(4.0), mover, transform, ignores));
/// }
/// # bevy::ecs::system::assert_is_system(shoot);
/// ```
#[derive(Component, MapEntities, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[component(map_entities)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Ignores {
    /// The other entity.
    #[entities]
    pub entity: Entity,
    /// Whether the plugin removes this component at the end of the first update in which the two
    /// are apart: at a distance at which they would not count as a pair, nor block each other, with
    /// the [parts](crate::MoverPart) of the one and all descendants of the other.
    pub until_apart: bool,
}

impl Ignores {
    /// Ignores an entity as long as both exist.
    pub const fn always(entity: Entity) -> Self {
        Self {
            entity,
            until_apart: false,
        }
    }

    /// Ignores an entity until the two are apart after an update.
    pub const fn until_apart(entity: Entity) -> Self {
        Self {
            entity,
            until_apart: true,
        }
    }
}
