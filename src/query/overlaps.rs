//! Overlap queries, and the collider nearest to a point.

use bevy::prelude::*;

use super::{
    SpatialQuery, SpatialQueryFilter, SpatialQueryIter,
    results::{Found, compare},
};
use crate::{
    aabb::{Aabb2d, grow, half_size},
    geometry::{Contact, Separation, Shape, TOUCHING_SLOP, contact, contains_point, separation},
    index::ColliderEntry,
};

impl SpatialQuery<'_, '_> {
    /// Returns all colliders that overlap `shape` (in world space), sorted by entity. Touching is
    /// not overlapping. Returns none if the shape is not finite.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::{geometry::Shape, prelude::*};
    /// fn explode(query: SpatialQuery, mut commands: Commands) {
    ///     let blast = Shape::circle(Vec2::new(100.0, 50.0), 40.0);
    ///     for entity in query.shape_intersections(&blast, &SpatialQueryFilter::default()) {
    ///         commands.entity(entity).despawn();
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(explode);
    /// ```
    #[doc(alias = "overlap")]
    pub fn shape_intersections(
        &self,
        shape: &Shape,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> SpatialQueryIter<Entity> {
        let test = |other: &Shape| contact(shape, other).map(|_| ());
        self.overlapping(&shape.aabb(), test, filter, |entity, ()| entity)
    }

    /// Returns all colliders that overlap `shape` (in world space), sorted by entity, each with the
    /// contact as seen from the shape: its normal points from the shape into the collider. Touching
    /// is not overlapping. Returns none if the shape is not finite.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// Pushes everything out of a blast.
    /// fn blow(query: SpatialQuery, mut movers: Query<&mut Mover>) {
    ///     let blast = Shape::circle(Vec2::ZERO, 40.0);
    ///     for (entity, contact) in query.shape_contacts(&blast, &SpatialQueryFilter::default()) {
    ///         if let Ok(mut mover) = movers.get_mut(entity) {
    ///             mover.displacement += contact.normal * contact.depth;
    ///         }
    ///     }
    /// }
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// # let at = Transform::from_xyz(30.0, 0.0, 0.0);
    /// # let ball = app.world_mut().spawn((CircleCollider::new(5.0), Mover::default(), at)).id();
    /// # app.finish();
    /// # app.update();
    /// # bevy::ecs::system::RunSystemOnce::run_system_once(app.world_mut(), blow).unwrap();
    /// # app.update();
    /// # let x = app.world().get::<Transform>(ball).unwrap().translation.x;
    /// # assert!((x - 45.0).abs() < 0.01, "{x}");
    /// ```
    pub fn shape_contacts(
        &self,
        shape: &Shape,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> SpatialQueryIter<(Entity, Contact)> {
        let test = |other: &Shape| contact(shape, other);
        self.overlapping(&shape.aabb(), test, filter, |entity, contact| {
            (entity, contact)
        })
    }

    /// Returns all colliders that contain `point` (in world space), sorted by entity. A point on an
    /// edge is not contained. Returns none if the point is not finite.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Resource)] struct Cursor { world_position: Vec2 }
    /// fn under_the_mouse(cursor: Res<Cursor>, query: SpatialQuery) {
    ///     let filter = SpatialQueryFilter::default();
    ///     for entity in query.point_intersections(cursor.world_position, &filter) {
    ///         info!("the mouse is over {entity}");
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(under_the_mouse);
    /// ```
    pub fn point_intersections(
        &self,
        point: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> SpatialQueryIter<Entity> {
        let area = Aabb2d {
            min: point,
            max: point,
        };
        // Rounding may let a shape reach out of its bounding box by this much.
        let area = grow(&area, 2.0 * TOUCHING_SLOP * point.abs().max_element());
        let test = |shape: &Shape| contains_point(shape, point).then_some(());
        self.overlapping(&area, test, filter, |entity, ()| entity)
    }

    /// Returns the collider nearest to `point` with its [`Separation`] from there, whose `point_b`
    /// is the closest point of its surface. Returns `None` if there is none within `max_distance`
    /// (world units; infinity for no limit), if that is negative or NaN, or if `point` is not
    /// finite.
    ///
    /// Distances are signed: if several colliders contain the point, the nearest is the one it is
    /// deepest inside. Ties go to the least entity.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// const WALLS: LayerMask = LayerMask::layer(0);
    ///
    /// /// The distance to the nearest wall.
    /// fn feel(query: SpatialQuery) {
    ///     let walls = SpatialQueryFilter::only(WALLS);
    ///     if let Some((wall, nearest)) = query.project_point(Vec2::ZERO, 100.0, &walls) {
    ///         info!("{} units to {wall} at {}", nearest.distance, nearest.point_b);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(feel);
    /// ```
    #[doc(alias("closest", "nearest"))]
    pub fn project_point(
        &self,
        point: Vec2,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<(Entity, Separation)> {
        self.project_shape(&Shape::circle(point, 0.0), max_distance, filter)
    }

    /// Returns the collider nearest to `shape` (in world space), with its [`Separation`] from the
    /// shape. Otherwise like [`project_point`](Self::project_point): of several that overlap the
    /// shape, the nearest is the one that it is deepest inside.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// The gap between a boulder and what is next to it.
    /// fn gap(boulder: Single<Entity, With<Mover>>, query: SpatialQuery) {
    ///     let others = SpatialQueryFilter::default().exclude_body(*boulder);
    ///     let Some(boulder) = query.of(*boulder) else { return };
    ///     let nearest = query.project_shape(boulder.shape(), 100.0, &others);
    ///     if let Some((entity, separation)) = nearest {
    ///         info!("{} units to {entity}", separation.distance);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(gap);
    /// ```
    pub fn project_shape(
        &self,
        shape: &Shape,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<(Entity, Separation)> {
        if !(max_distance >= 0.0 && shape.is_finite()) {
            return None;
        }
        let aabb = shape.aabb();
        let center = aabb.min.midpoint(aabb.max);
        // What is near any of the shape is farther from its center by at most this.
        let radius = half_size(&aabb).length() * (1.0 + TOUCHING_SLOP);
        // A grid without a solid cell is infinitely far away.
        let mut limit = max_distance.min(f32::MAX);
        let mut nearest: Option<(ColliderEntry, Separation)> = None;
        (self.index).visit_near(center, max_distance + radius, |entry, max| {
            let separation = separation(shape, entry.shape);
            if separation.distance <= limit
                && nearest.is_none_or(|(known, nearest)| {
                    compare(separation.distance, nearest.distance)
                        .then(entry.order().cmp(&known.order()))
                        .is_lt()
                })
                && filter.allows(&entry)
            {
                // A collider's box does not bound how deep the shape is inside of it, so keep
                // looking.
                limit = separation.distance.max(0.0);
                *max = limit + radius;
                nearest = Some((entry, separation));
            }
        });
        nearest.map(|(entry, separation)| (entry.entity, separation))
    }

    /// Returns the results of the colliders in `area` for which `test` returns a value, sorted by
    /// entity.
    fn overlapping<T, U>(
        &self,
        area: &Aabb2d,
        test: impl Fn(&Shape) -> Option<T>,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        result: impl Fn(Entity, T) -> U,
    ) -> SpatialQueryIter<U> {
        let mut found = Found::new();
        self.index.visit_overlapping(area, |entry| {
            if let Some(value) = test(entry.shape)
                && filter.allows(&entry)
            {
                found.push((entry.order(), value));
            }
        });
        SpatialQueryIter::sorted_by_entity(found, result)
    }
}
