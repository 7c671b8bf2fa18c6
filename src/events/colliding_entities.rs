//! The entities that an entity overlaps.

use std::{ops::Deref, slice};

use bevy::{ecs::entity::MapEntities, prelude::*};

/// The entities that this one overlaps, sorted by their [`StableKey`](crate::StableKey)s if they
/// have any, then by entity.
///
/// Add it to an entity with a collider at any time. [`CollisionSystems::Report`] keeps it up to
/// date, even while the entity is hidden from queries.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Health(f32);
/// /// Heals everyone near it, for as long as they stay.
/// #[derive(Component)]
/// #[require(CollidingEntities)]
/// struct Campfire;
///
/// fn heal(
///     campfires: Query<&CollidingEntities, With<Campfire>>,
///     mut healths: Query<&mut Health>,
///     time: Res<Time>,
/// ) {
///     for &entity in campfires.iter().flat_map(|near| near.iter()) {
///         if let Ok(mut health) = healths.get_mut(entity) {
///             health.0 += 5.0 * time.delta_secs();
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(heal);
/// ```
///
/// [`CollisionSystems::Report`]: crate::CollisionSystems::Report
#[doc(alias("OnTriggerStay", "get_overlapping_bodies"))]
#[derive(Component, MapEntities, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[component(map_entities)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollidingEntities(#[entities] Vec<Entity>);

impl Deref for CollidingEntities {
    type Target = [Entity];

    fn deref(&self) -> &[Entity] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a CollidingEntities {
    type Item = &'a Entity;
    type IntoIter = slice::Iter<'a, Entity>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl CollidingEntities {
    /// Replaces the list if it differs from `others`, so that change detection reports only
    /// changes.
    pub(crate) fn set(list: &mut Mut<Self>, others: impl Iterator<Item = Entity> + Clone) {
        if !list.iter().copied().eq(others.clone()) {
            list.0.clear();
            list.0.extend(others);
        }
    }
}
