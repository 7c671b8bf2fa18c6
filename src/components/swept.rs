//! Fast colliders that the plugin does not move.

use bevy::prelude::*;

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
