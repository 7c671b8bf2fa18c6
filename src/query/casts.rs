//! What rays and moving shapes hit.

use std::cmp::Ordering;

use bevy::prelude::*;

use super::{RayHit, ShapeHit, SpatialQuery, SpatialQueryFilter};
use crate::{
    broad_phase::Sweep,
    geometry::{Ray, Shape, cast_shape},
};

impl SpatialQuery<'_> {
    /// The first collider that a ray meets within `max_distance` (world units; infinity for no limit). Of several at the same distance, the
    /// one with the least entity.
    ///
    /// What the ray starts in is met at once. What it only runs along or touches is not met, as for [`geometry::cast_ray`]. With a number
    /// that is no number, or a negative distance, nothing is.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// fn look_right(query: SpatialQuery) {
    ///     let ray = Ray2d::new(Vec2::ZERO, Dir2::X);
    ///     if let Some(hit) = query.cast_ray(ray, 500.0, &SpatialQueryFilter::default()) {
    ///         info!("{} is {} away", hit.entity, hit.distance);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(look_right);
    /// ```
    ///
    /// [`geometry::cast_ray`]: crate::geometry::cast_ray
    pub fn cast_ray(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        self.visit_ray_hits(ray, max_distance, filter, |hit, reach| {
            if first.is_none_or(|first| by_distance(&hit, &first).is_lt()) {
                *reach = hit.distance;
                first = Some(hit);
            }
        });
        first
    }

    /// All colliders that a ray meets within `max_distance`, where it enters each; sorted by distance, then by entity. It goes through
    /// them; all else is as for [`cast_ray`](Self::cast_ray).
    pub fn ray_hits(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.ray_hits_into(ray, max_distance, filter, &mut hits);
        hits
    }

    /// Like [`ray_hits`](Self::ray_hits), but writes over a list that you keep, so that asking often allocates nothing.
    pub fn ray_hits_into(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        hits: &mut Vec<RayHit>,
    ) {
        hits.clear();
        self.visit_ray_hits(ray, max_distance, filter, |hit, _| hits.push(hit));
        hits.sort_unstable_by(by_distance);
    }

    /// The visitor may lessen how far the ray goes.
    fn visit_ray_hits(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        mut visit: impl FnMut(RayHit, &mut f32),
    ) {
        let (origin, direction) = (ray.origin, *ray.direction);
        let sweep = Sweep::of_point(origin, direction, max_distance);
        let ray = Ray {
            origin,
            direction,
            max_fraction: max_distance,
        };
        self.index.visit_along(&sweep, |entry, reach| {
            if let Some(output) = ray.cast(entry.shape)
                && output.fraction as f32 <= *reach
                && filter.allows(&entry)
            {
                let point = (origin.as_dvec2() + direction.as_dvec2() * output.fraction).as_vec2();
                let hit = RayHit {
                    entity: entry.entity,
                    distance: output.fraction as f32,
                    point,
                    normal: output.normal,
                    cell: entry.shape.cell_near(point),
                };
                visit(hit, reach);
            }
        });
    }

    /// The first collider that a shape in world space touches on its way along `displacement`, without turning. Of several at the same
    /// time, the one with the least entity.
    ///
    /// What the shape overlaps at the start is hit at once; what it only touches, if it moves into it, as for
    /// [`geometry::cast_shape`](crate::geometry::cast_shape). Where a number is not finite, nothing is hit.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::{geometry::Shape, prelude::*};
    /// /// How far a boulder may roll.
    /// fn roll(query: SpatialQuery) {
    ///     let boulder = Shape::circle(Vec2::ZERO, 30.0);
    ///     let hit = query.cast_shape(&boulder, Vec2::X * 400.0, &SpatialQueryFilter::default());
    ///     let distance = hit.map_or(400.0, |hit| hit.distance);
    ///     info!("it may roll {distance} units");
    /// }
    /// # bevy::ecs::system::assert_is_system(roll);
    /// ```
    pub fn cast_shape(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<ShapeHit> {
        let mut first: Option<ShapeHit> = None;
        self.visit_shape_hits(shape, displacement, filter, |hit, reach| {
            if first.is_none_or(|first| by_fraction(&hit, &first).is_lt()) {
                *reach = hit.fraction;
                first = Some(hit);
            }
        });
        first
    }

    /// All colliders that a shape in world space touches on its way along `displacement`, without turning; sorted by the fraction of the
    /// way at which it touches each first, then by entity. It goes through them; all else is as for [`cast_shape`](Self::cast_shape).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::{geometry::Shape, prelude::*};
    /// /// A laser of 8 units across burns all before the first wall.
    /// fn fire(query: SpatialQuery, walls: Query<(), With<Solid>>) {
    ///     let end = Shape::circle(Vec2::ZERO, 4.0);
    ///     let hits = query.shape_hits(&end, Vec2::X * 500.0, &SpatialQueryFilter::default());
    ///     for hit in hits.iter().take_while(|hit| !walls.contains(hit.entity)) {
    ///         info!("{} burns", hit.entity);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(fire);
    /// ```
    pub fn shape_hits(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Vec<ShapeHit> {
        let mut hits = Vec::new();
        self.shape_hits_into(shape, displacement, filter, &mut hits);
        hits
    }

    /// Like [`shape_hits`](Self::shape_hits), but writes over a list that you keep, so that asking often allocates nothing.
    pub fn shape_hits_into(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        hits: &mut Vec<ShapeHit>,
    ) {
        hits.clear();
        self.visit_shape_hits(shape, displacement, filter, |hit, _| hits.push(hit));
        hits.sort_unstable_by(by_fraction);
    }

    /// The visitor may lessen how far the shape goes, as a fraction of the way.
    fn visit_shape_hits(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        mut visit: impl FnMut(ShapeHit, &mut f32),
    ) {
        let sweep = Sweep {
            start: shape.aabb(),
            direction: displacement,
            length: 1.0,
        };
        self.index.visit_along(&sweep, |entry, reach| {
            if let Some(hit) = cast_shape(shape, displacement, entry.shape)
                && hit.fraction <= *reach
                && filter.allows(&entry)
            {
                let hit = ShapeHit {
                    entity: entry.entity,
                    fraction: hit.fraction,
                    distance: hit.fraction * displacement.length(),
                    point: hit.point,
                    normal: hit.normal,
                    cell: entry.shape.cell_near(hit.point),
                };
                visit(hit, reach);
            }
        });
    }
}

fn by_distance(a: &RayHit, b: &RayHit) -> Ordering {
    (a.distance.total_cmp(&b.distance)).then(a.entity.cmp(&b.entity))
}

fn by_fraction(a: &ShapeHit, b: &ShapeHit) -> Ordering {
    (a.fraction.total_cmp(&b.fraction)).then(a.entity.cmp(&b.entity))
}
