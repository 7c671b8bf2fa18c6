//! Overlap queries, and the collider nearest to a point.

use std::cell::Cell;

use bevy::prelude::*;

use super::{PointProjection, SpatialQuery, SpatialQueryFilter, hits::compare};
use crate::{
    aabb::{Aabb2d, grow, half_size},
    components::EntityOrder,
    geometry::{
        Contact, Separation, Shape, TOUCHING_SLOP, contact, contains_point, overlaps, separation,
    },
    index::ColliderEntry,
};

thread_local! {
    /// A buffer that consecutive calls reuse. A call takes it, so that a nested call from a
    /// filter's predicate gets another one.
    static FOUND: Cell<Vec<EntityOrder>> = Cell::default();
}

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
    ) -> Vec<Entity> {
        let mut entities = Vec::new();
        self.shape_intersections_into(shape, filter, &mut entities);
        entities
    }

    /// Like [`shape_intersections`](Self::shape_intersections), but replaces the content of
    /// `entities`, which avoids allocations.
    pub fn shape_intersections_into(
        &self,
        shape: &Shape,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        entities: &mut Vec<Entity>,
    ) {
        let fits = |other: &Shape| overlaps(shape, other);
        self.list_overlapping(&shape.aabb(), fits, filter, entities);
    }

    /// Returns all colliders that overlap `shape` (in world space), sorted by entity, each with the
    /// contact as seen from the shape: its normal points from the collider to the shape. Touching
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
    ///             mover.displacement -= contact.normal * contact.depth;
    ///         }
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(blow);
    /// ```
    pub fn shape_contacts(
        &self,
        shape: &Shape,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Vec<(Entity, Contact)> {
        let mut found = Vec::new();
        self.index.visit_overlapping(&shape.aabb(), |entry| {
            if let Some(contact) = contact(shape, entry.shape)
                && filter.allows(&entry)
            {
                found.push((entry.order(), contact));
            }
        });
        found.sort_unstable_by_key(|(order, _)| *order);
        let contacts = found.into_iter().take(filter.most);
        contacts
            .map(|(order, contact)| (order.entity, contact))
            .collect()
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
    ) -> Vec<Entity> {
        let mut entities = Vec::new();
        self.point_intersections_into(point, filter, &mut entities);
        entities
    }

    /// Like [`point_intersections`](Self::point_intersections), but replaces the content of
    /// `entities`, which avoids allocations.
    pub fn point_intersections_into(
        &self,
        point: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        entities: &mut Vec<Entity>,
    ) {
        let area = Aabb2d {
            min: point,
            max: point,
        };
        // Rounding may let a shape reach out of its bounding box by this much.
        let area = grow(&area, 2.0 * TOUCHING_SLOP * point.abs().max_element());
        let contains = |shape: &Shape| contains_point(shape, point);
        self.list_overlapping(&area, contains, filter, entities);
    }

    /// Returns the collider nearest to `point` with the closest point of its surface, or `None` if
    /// there is none within `max_distance` (world units; infinity for no limit), if that is
    /// negative or NaN, or if `point` is not finite.
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
    ///     if let Some(nearest) = query.project_point(Vec2::ZERO, 100.0, &walls) {
    ///         info!("{} units to {} at {}", nearest.distance, nearest.entity, nearest.point);
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
    ) -> Option<PointProjection> {
        self.project_shape(&Shape::circle(point, 0.0), max_distance, filter)
    }

    /// Returns the collider nearest to `shape` (in world space), with the point of its surface that
    /// is nearest to the shape. Otherwise like [`project_point`](Self::project_point): of several
    /// that overlap the shape, the nearest is the one that it is deepest inside.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// The gap between a boulder and what is next to it.
    /// fn gap(boulder: Single<Entity, With<Mover>>, query: SpatialQuery) {
    ///     let others = SpatialQueryFilter::default().exclude_body(*boulder);
    ///     let Some(boulder) = query.of(*boulder) else { return };
    ///     if let Some(nearest) = query.project_shape(boulder.shape(), 100.0, &others) {
    ///         info!("{} units to {}", nearest.distance, nearest.entity);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(gap);
    /// ```
    pub fn project_shape(
        &self,
        shape: &Shape,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<PointProjection> {
        if !(max_distance >= 0.0 && shape.is_finite()) {
            return None;
        }
        let aabb = shape.aabb();
        let center = aabb.min.midpoint(aabb.max);
        // What is near any of the shape is farther from its center by at most this.
        let radius = half_size(&aabb).length() * (1.0 + TOUCHING_SLOP);
        let mut limit = max_distance;
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
        let (entry, separation) = nearest?;
        Some(PointProjection {
            entity: entry.entity,
            distance: separation.distance,
            point: separation.point_b,
            normal: -separation.normal,
            cell: entry.shape.cell_near(separation.point_b),
        })
    }

    /// Lists the entities of the colliders in `area` whose shapes `fits` accepts.
    fn list_overlapping(
        &self,
        area: &Aabb2d,
        fits: impl Fn(&Shape) -> bool,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        entities: &mut Vec<Entity>,
    ) {
        let mut found = FOUND.take();
        self.index.visit_overlapping(area, |entry: ColliderEntry| {
            if fits(entry.shape) && filter.allows(&entry) {
                found.push(entry.order());
            }
        });
        found.sort_unstable();
        entities.clear();
        let first = found.drain(..).take(filter.most);
        entities.extend(first.map(|order| order.entity));
        FOUND.set(found);
    }
}
