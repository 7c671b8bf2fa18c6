//! An order of entities that is the same on every machine.

use bevy::prelude::*;

/// A sort key that replaces the entity's id wherever collisions are sorted or ties are broken: in
/// events, hits, lists, queries, and where movers separate.
///
/// Two machines, or one after a rollback, may give different ids to the same entities. If each
/// collider and each mover has a unique key, all results are the same on both. Entities without a
/// key come after those with one; equal keys are sorted by entity. The key [`u64::MAX`] counts as
/// none.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// #[derive(Resource)]
/// struct NextKey(u64);
///
/// fn fire(mut commands: Commands, mut next: ResMut<NextKey>) {
///     commands.spawn((CircleCollider::new(2.0), Mover::default(), StableKey(next.0)));
///     next.0 += 1;
/// }
/// # bevy::ecs::system::assert_is_system(fire);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct StableKey(pub u64);

/// An entity with its sort order: by its [`StableKey`], then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EntityOrder {
    /// [`NO_KEY`](Self::NO_KEY) if it has none.
    pub key: u64,
    pub entity: Entity,
}

impl EntityOrder {
    /// The key of entities without one.
    pub const NO_KEY: u64 = u64::MAX;

    /// The order of an entity that may have a key.
    pub fn of(entity: Entity, key: Option<&StableKey>) -> Self {
        let key = key.map_or(Self::NO_KEY, |key| key.0);
        Self { key, entity }
    }
}
