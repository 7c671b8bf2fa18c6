//! What is where a shape or a point is, or near it.

use bevy::{math::bounding::Aabb2d, prelude::*};

use super::{PointProjection, SpatialQuery, SpatialQueryFilter};
use crate::{
    aabb::grow,
    geometry::{Separation, Shape, TOUCHING_SLOP, contact, contains_point, separation},
    index::ColliderEntry,
};

impl SpatialQuery<'_> {
    /// All colliders that overlap a shape in world space, sorted. Touching is not overlapping.
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

    /// Like [`shape_intersections`](Self::shape_intersections), but writes over a list that you keep, so that asking often allocates
    /// nothing.
    pub fn shape_intersections_into(
        &self,
        shape: &Shape,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        entities: &mut Vec<Entity>,
    ) {
        let overlaps = |other: &Shape| contact(shape, other).is_some();
        self.list_overlapping(&shape.aabb(), overlaps, filter, entities);
    }

    /// All colliders that a point is inside of, sorted. Their edges do not belong to them.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Resource)] struct Cursor { world_position: Vec2 }
    /// fn under_the_mouse(cursor: Res<Cursor>, query: SpatialQuery) {
    ///     for entity in query.point_intersections(cursor.world_position, &SpatialQueryFilter::default()) {
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

    /// Like [`point_intersections`](Self::point_intersections), but writes over a list that you keep, so that asking often allocates
    /// nothing.
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
        // By so much a shape may reach out of its box by rounding.
        let area = grow(&area, 2.0 * TOUCHING_SLOP * point.abs().max_element());
        let contains = |shape: &Shape| contains_point(shape, point);
        self.list_overlapping(&area, contains, filter, entities);
    }

    /// The collider that is nearest to a point, if one is within `max_distance` (world units; infinity for no limit), with the closest
    /// point of its surface. The distance is signed: of those that the point is inside of, the one that it is deepest in is nearest. Of
    /// several at the same distance, it is the one with the least entity.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// const WALLS: LayerMask = LayerMask::layer(0);
    ///
    /// /// How near the next wall is.
    /// fn feel(query: SpatialQuery) {
    ///     let walls = SpatialQueryFilter::default().with_layers(CollisionLayers::new(LayerMask::ALL, WALLS));
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
        self.index.visit_near(point, max_distance, |entry, reach| {
            let separation = separation(&as_shape, entry.shape);
            if separation.distance <= *reach
                && nearest.is_none_or(|(known, nearest)| {
                    (separation.distance.total_cmp(&nearest.distance))
                        .then(entry.entity.cmp(&known.entity))
                        .is_lt()
                })
                && filter.allows(&entry)
            {
                // How deep the point is in others their boxes do not tell.
                *reach = separation.distance.max(0.0);
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

    /// Lists the entities of those colliders with a box in `area` whose shapes fit.
    fn list_overlapping(
        &self,
        area: &Aabb2d,
        fits: impl Fn(&Shape) -> bool,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        entities: &mut Vec<Entity>,
    ) {
        entities.clear();
        self.index.visit_overlapping(area, |entry: ColliderEntry| {
            if fits(entry.shape) && filter.allows(&entry) {
                entities.push(entry.entity);
            }
        });
        entities.sort_unstable();
    }
}
