//! Continuous collision detection for colliders that the plugin does not move.

use bevy::prelude::*;

/// Continuous collision detection (CCD) for a fast collider whose [`Transform`] you write: it is
/// swept along the straight line from its position in the last update, and collides with everything
/// on it.
///
/// If it is also [`Solid`](crate::Solid), like a lift, a piston or a sliding door, it pushes the
/// movers on its path, however fast and thin it is. They slide along other walls, and are
/// [`Crushed`](crate::Crushed) where there is no room. Without `Swept`, a wall that moves farther
/// than its own thickness in one update may end up on top of a mover or beyond it. It pushes
/// nothing while no time passes, or if a mover is among its ancestors.
///
/// A wall that turns, such as a flipper or a revolving door, pushes along an arc: about the one
/// point that its motion leaves in place, by the smaller angle. It does so in up to 64 steps, each
/// of which takes the surface at the mover no farther than a quarter of the mover's shorter side; a
/// faster one may get past it. Overlaps are found along the straight line only.
///
/// The nearest ancestor of both the collider and another one, such as a level or a ship, counts as
/// at rest: who rides along is neither pushed nor hit.
///
/// The collider is not swept in the update after it was spawned, given another parent or
/// [teleported](crate::CollisionState::teleport), nor if it was disabled in the update before. A
/// [`Mover`](crate::Mover) is always swept and does not need the component, but its descendants do:
/// a `Swept` sword that is a child of a mover is swept along the path of the mover, bounces and
/// slides included, combined with the straight line of its own motion.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// #[derive(Component)]
/// struct Piston;
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Piston, RectCollider::new(4.0, 60.0), Solid, Swept));
/// }
///
/// /// Strikes by 50 units in a single update. Movers in between are pushed, not passed.
/// fn strike(keys: Res<ButtonInput<KeyCode>>, mut piston: Single<&mut Transform, With<Piston>>) {
///     piston.translation.x = if keys.pressed(KeyCode::Space) { 50.0 } else { 0.0 };
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// # bevy::ecs::system::assert_is_system(strike);
/// ```
#[doc(alias("ccd", "bullet", "AnimatableBody2D"))]
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Swept;
