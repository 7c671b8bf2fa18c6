//! Which colliders a query considers.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    components::{CollisionLayers, LayerMask, Mover},
    index::ColliderEntry,
};

/// Which colliders a query considers. All by default.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Component)]
/// struct Boss;
///
/// /// A shot upward that ignores bosses.
/// fn shoot(
///     shooter: Single<(Entity, &Transform), With<Mover>>,
///     bosses: Query<(), With<Boss>>,
///     query: SpatialQuery,
/// ) {
///     let (shooter, transform) = *shooter;
///     let filter = SpatialQueryFilter::default()
///         .exclude(shooter)
///         .with_predicate(|other| !bosses.contains(other));
///     let ray = Ray2d::new(transform.translation.truncate(), Dir2::Y);
///     if let Some((entity, hit)) = query.cast_ray(ray, 300.0, &filter) {
///         info!("{entity} is hit at {}", hit.point);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(shoot);
/// ```
#[derive(Clone, Debug)]
pub struct SpatialQueryFilter<P = fn(Entity) -> bool> {
    /// The layers of which a collider has to be in one, if any.
    only: Option<LayerMask>,
    /// Layers with which it has to collide, if any.
    pub(super) collides_with: Option<CollisionLayers>,
    is_only_solid: bool,
    pub(super) skips_starts_inside: bool,
    excluded: Excluded,
    predicate: P,
}

/// Excluded entities. Usually there are one or two, which need no allocation.
#[derive(Clone, Debug, Default)]
struct Excluded {
    /// Sorted.
    entities: SmallVec<[Entity; 2]>,
    /// Movers whose descendants are excluded as well.
    bodies: SmallVec<[Entity; 2]>,
}

impl Excluded {
    #[inline]
    fn contains(&self, entry: &ColliderEntry) -> bool {
        let is_of_body = |&mover: &Entity| entry.belongs_to(mover);
        self.entities.binary_search(&entry.entity).is_ok() || self.bodies.iter().any(is_of_body)
    }
}

impl Default for SpatialQueryFilter {
    fn default() -> Self {
        Self {
            only: None,
            collides_with: None,
            is_only_solid: false,
            skips_starts_inside: false,
            excluded: Excluded::default(),
            predicate: |_| true,
        }
    }
}

impl SpatialQueryFilter {
    /// Considers only colliders in one of these layers, whatever they collide with. Those without
    /// [`CollisionLayers`] are in all layers.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Reflect)] enum Team { Wall, Enemy }
    /// # impl CollisionLayer for Team {}
    /// let walls = SpatialQueryFilter::only(Team::Wall);
    /// let walls_and_enemies = SpatialQueryFilter::only([Team::Wall, Team::Enemy]);
    /// ```
    pub fn only(layers: impl Into<LayerMask>) -> Self {
        Self::default().in_layers(layers)
    }
}

impl<P> SpatialQueryFilter<P> {
    /// Considers only colliders in one of these layers, as [`only`](SpatialQueryFilter::only) does.
    #[must_use]
    pub fn in_layers(self, layers: impl Into<LayerMask>) -> Self {
        Self {
            only: Some(layers.into()),
            ..self
        }
    }

    /// Excludes an entity: often the one that queries. The colliders of its children are not
    /// excluded; for those, see [`exclude_body`](Self::exclude_body).
    #[must_use]
    pub fn exclude(self, entity: Entity) -> Self {
        self.exclude_all([entity])
    }

    /// Excludes several entities.
    #[must_use]
    pub fn exclude_all(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.excluded.entities.extend(entities);
        self.excluded.entities.sort_unstable();
        self
    }

    /// Excludes a mover and the colliders of its descendants, except those below another mover.
    /// Uses the hierarchy as of the last update. For an entity without a [`Mover`](crate::Mover),
    /// only the entity itself is excluded.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// Whether a knight sees something above. Its shield and sword are children, and ignored.
    /// fn look_up(knight: Single<(Entity, &Transform), With<Mover>>, query: SpatialQuery) {
    ///     let (knight, transform) = *knight;
    ///     let ray = Ray2d::new(transform.translation.truncate(), Dir2::Y);
    ///     let filter = SpatialQueryFilter::default().exclude_body(knight);
    ///     if let Some((entity, _)) = query.cast_ray(ray, 300.0, &filter) {
    ///         info!("there is {entity}");
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(look_up);
    /// ```
    #[must_use]
    pub fn exclude_body(mut self, mover: Entity) -> Self {
        self.excluded.bodies.push(mover);
        self
    }

    /// Considers only what a collider with these layers collides with: both have to agree.
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self {
            collides_with: Some(layers),
            ..self
        }
    }

    /// Considers only [`Solid`](crate::Solid) colliders, including [`OneWay`](crate::OneWay) ones.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// Whether a guard sees a point: nothing solid is between, unlike puddles and coins.
    /// fn sees(query: &SpatialQuery, guard: Entity, from: Vec2, to: Vec2) -> bool {
    ///     let Ok((direction, distance)) = Dir2::new_and_length(to - from) else {
    ///         return true;
    ///     };
    ///     let solid = SpatialQueryFilter::default().exclude_body(guard).only_solid();
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

    /// Lets casts of rays and shapes skip the colliders in which they start: a ray from within a
    /// bush hits what is behind it. Other queries are not affected.
    #[must_use]
    pub fn skip_starts_inside(self) -> Self {
        Self {
            skips_starts_inside: true,
            ..self
        }
    }

    /// Considers only entities for which `predicate` returns true. Replaces an earlier predicate.
    /// Called last: only for colliders that are hit and pass the rest of the filter.
    #[must_use]
    pub fn with_predicate<Q: Fn(Entity) -> bool>(self, predicate: Q) -> SpatialQueryFilter<Q> {
        SpatialQueryFilter {
            only: self.only,
            collides_with: self.collides_with,
            is_only_solid: self.is_only_solid,
            skips_starts_inside: self.skips_starts_inside,
            excluded: self.excluded,
            predicate,
        }
    }
}

impl<P: Fn(Entity) -> bool> SpatialQueryFilter<P> {
    /// Whether the query considers a collider.
    #[inline]
    pub(super) fn allows(&self, entry: &ColliderEntry) -> bool {
        let layers = entry.role.layers;
        (self.only).is_none_or(|only| layers.memberships.intersects(only))
            && (self.collides_with).is_none_or(|own| own.interacts_with(layers))
            && (!self.is_only_solid || entry.role.is_solid())
            && !self.excluded.contains(entry)
            && (self.predicate)(entry.entity)
    }

    /// Whether a collider that the query considers blocks a mover, which without layers is in all
    /// of them.
    #[inline]
    pub(super) fn allows_blocker(&self, mover: &Mover, entry: &ColliderEntry) -> bool {
        let layers = self.collides_with.unwrap_or_default();
        entry.blocks_layers(mover.effective_blocked_by())
            && layers.interacts_with(entry.role.layers)
            && self.allows(entry)
    }
}
