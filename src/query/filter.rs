use bevy::prelude::*;

use crate::{collider::CollisionLayers, index::ColliderEntry};

/// Which colliders a question is about. All by default.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Component)]
/// struct Boss;
///
/// /// Whom a shot upwards hits that bosses let pass.
/// fn shoot(shooter: Single<(Entity, &Transform), With<Mover>>, bosses: Query<(), With<Boss>>, query: SpatialQuery) {
///     let (shooter, transform) = *shooter;
///     let filter = QueryFilter::excluding(shooter).with_predicate(|other| !bosses.contains(other));
///     let ray = Ray2d::new(transform.translation.truncate(), Dir2::Y);
///     if let Some(hit) = query.cast_ray(ray, 300.0, &filter) {
///         info!("{} is hit at {}", hit.entity, hit.point);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(shoot);
/// ```
#[derive(Clone, Debug)]
pub struct QueryFilter<P = fn(Entity) -> bool> {
    /// The layers of what asks. Both sides have to agree, as between colliders.
    pub layers: CollisionLayers,
    excluded: Excluded,
    predicate: P,
}

/// Entities that are left out. Mostly it is one, which needs no memory from elsewhere.
#[derive(Clone, Debug, Default)]
struct Excluded {
    first: Option<Entity>,
    others: Vec<Entity>,
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self {
            layers: CollisionLayers::default(),
            excluded: Excluded::default(),
            predicate: |_| true,
        }
    }
}

impl QueryFilter {
    /// Without this entity: mostly the one that asks.
    pub fn excluding(entity: Entity) -> Self {
        Self::default().and_excluding([entity])
    }
}

impl<P> QueryFilter<P> {
    /// Without these entities, too.
    #[must_use]
    pub fn and_excluding(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        let Excluded { first, others } = &mut self.excluded;
        let mut entities = entities.into_iter();
        *first = first.or_else(|| entities.next());
        others.extend(entities);
        self
    }

    /// With these layers.
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
    }

    /// With only those entities for which `predicate` holds, in place of an earlier predicate. It decides last: on those that the layers let,
    /// and that are where the question looks.
    #[must_use]
    pub fn with_predicate<Q: Fn(Entity) -> bool>(self, predicate: Q) -> QueryFilter<Q> {
        QueryFilter {
            layers: self.layers,
            excluded: self.excluded,
            predicate,
        }
    }
}

impl<P: Fn(Entity) -> bool> QueryFilter<P> {
    /// Whether a question is about a collider.
    #[inline]
    pub(super) fn allows(&self, entry: &ColliderEntry) -> bool {
        let Excluded { first, others } = &self.excluded;
        self.layers.interacts_with(entry.role.layers)
            && *first != Some(entry.entity)
            && !others.contains(&entry.entity)
            && (self.predicate)(entry.entity)
    }
}
