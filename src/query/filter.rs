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
    is_only_solid: bool,
    excluded: Excluded,
    predicate: P,
}

/// Entities that are left out. Mostly it is one, which needs no memory from elsewhere.
#[derive(Clone, Debug, Default)]
struct Excluded {
    first: Option<Entity>,
    others: Vec<Entity>,
    /// With what it carries.
    mover: Option<Entity>,
}

impl Excluded {
    #[inline]
    fn contains(&self, entry: &ColliderEntry) -> bool {
        let is_carried = |mover: Entity| mover == entry.entity || entry.mover() == Some(mover);
        self.first == Some(entry.entity)
            || self.others.contains(&entry.entity)
            || self.mover.is_some_and(is_carried)
    }
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self {
            layers: CollisionLayers::default(),
            is_only_solid: false,
            excluded: Excluded::default(),
            predicate: |_| true,
        }
    }
}

impl QueryFilter {
    /// Without this entity: mostly the one that asks. Its children are not left out: where they have colliders, see
    /// [`excluding_body`](Self::excluding_body).
    pub fn excluding(entity: Entity) -> Self {
        Self::default().and_excluding([entity])
    }

    /// Without this mover and all colliders that it carries: those of its descendants, but for what another mover among them carries.
    /// Which those are the last run tells. Of what has no [`Mover`](crate::Mover) only the entity itself is left out.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// Whether a knight sees something above. Shield and sword are children, and not in the way.
    /// fn look_up(knight: Single<(Entity, &Transform), With<Mover>>, query: SpatialQuery) {
    ///     let (knight, transform) = *knight;
    ///     let ray = Ray2d::new(transform.translation.truncate(), Dir2::Y);
    ///     if let Some(hit) = query.cast_ray(ray, 300.0, &QueryFilter::excluding_body(knight)) {
    ///         info!("there is {}", hit.entity);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(look_up);
    /// ```
    pub fn excluding_body(mover: Entity) -> Self {
        let mut filter = Self::default();
        filter.excluded.mover = Some(mover);
        filter
    }
}

impl<P> QueryFilter<P> {
    /// Without these entities, too.
    #[must_use]
    pub fn and_excluding(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        let Excluded { first, others, .. } = &mut self.excluded;
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

    /// With only those colliders that are [`Solid`](crate::Solid), [`OneWay`](crate::OneWay) ones among them.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// Whether nothing solid is between a guard and another place. Puddles and coins do not hide it.
    /// fn sees(query: &SpatialQuery, guard: Entity, from: Vec2, to: Vec2) -> bool {
    ///     let Ok((direction, distance)) = Dir2::new_and_length(to - from) else {
    ///         return true;
    ///     };
    ///     let solid = QueryFilter::excluding_body(guard).only_solid();
    ///     query.cast_ray(Ray2d::new(from, direction), distance, &solid).is_none()
    /// }
    /// ```
    #[must_use]
    pub fn only_solid(self) -> Self {
        Self {
            is_only_solid: true,
            ..self
        }
    }

    /// With only those entities for which `predicate` holds, in place of an earlier predicate. It decides last: on those that the layers let,
    /// and that are where the question looks.
    #[must_use]
    pub fn with_predicate<Q: Fn(Entity) -> bool>(self, predicate: Q) -> QueryFilter<Q> {
        QueryFilter {
            layers: self.layers,
            is_only_solid: self.is_only_solid,
            excluded: self.excluded,
            predicate,
        }
    }
}

impl<P: Fn(Entity) -> bool> QueryFilter<P> {
    /// Whether a question is about a collider.
    #[inline]
    pub(super) fn allows(&self, entry: &ColliderEntry) -> bool {
        self.layers.interacts_with(entry.role.layers)
            && (!self.is_only_solid || entry.role.is_solid())
            && !self.excluded.contains(entry)
            && (self.predicate)(entry.entity)
    }
}
