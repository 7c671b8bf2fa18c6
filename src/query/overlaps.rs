//! Overlap queries, and the collider nearest to a point.

use std::cell::Cell;

use bevy::prelude::*;

use super::{PointProjection, SpatialQuery, SpatialQueryFilter, hits::compare};
use crate::{
    aabb::{Aabb2d, grow},
    components::EntityOrder,
    geometry::{Separation, Shape, TOUCHING_SLOP, contains_point, overlaps, separation},
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
    ///     let layers = CollisionLayers::new(LayerMask::ALL, WALLS);
    ///     let walls = SpatialQueryFilter::default().with_layers(layers);
    ///     if let Some(nearest) = query.project_point(Vec2::ZERO, 100.0, &walls) {
    ///         info!("{} units to {} at {}", nearest.distance, nearest.entity, nearest.point);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(feel);
    /// ```
    pub fn project_point(
        &self,
        point: Vec2,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<PointProjection> {
        let as_shape = Shape::circle(point, 0.0);
        let mut nearest: Option<(ColliderEntry, Separation)> = None;
        self.index.visit_near(point, max_distance, |entry, max| {
            let separation = separation(&as_shape, entry.shape);
            if separation.distance <= *max
                && nearest.is_none_or(|(known, nearest)| {
                    compare(separation.distance, nearest.distance)
                        .then(entry.order().cmp(&known.order()))
                        .is_lt()
                })
                && filter.allows(&entry)
            {
                // A collider's box does not bound how deep the point is inside of it, so keep
                // looking.
                *max = separation.distance.max(0.0);
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
        entities.extend(found.drain(..).map(|order| order.entity));
        FOUND.set(found);
    }
}
