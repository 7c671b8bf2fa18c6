//! Ray casts and shape casts.

use std::cmp::Ordering;

use bevy::prelude::*;

use super::{RayHit, ShapeHit, SpatialQuery, SpatialQueryFilter, hits::compare};
use crate::{
    broad_phase::Sweep,
    geometry::{Ray, Shape, cast_shape, contains_point},
    parallel,
};

/// This many rays are cast by one thread at a time.
const RAYS_PER_PIECE: usize = 128;

/// The work of casting one ray, in items of [`parallel::threads_for`].
const WORK_PER_RAY: usize = 8;

impl SpatialQuery<'_, '_> {
    /// Returns the first collider that a ray hits within `max_distance` (world units; infinity for
    /// no limit), or `None` if it hits none. Ties go to the least entity.
    ///
    /// A ray that starts inside a collider hits it at distance 0. Grazing a surface is not a hit,
    /// as for [`geometry::cast_ray`]. Returns `None` if an input is NaN or `max_distance` is
    /// negative.
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
    #[doc(alias("raycast", "linecast"))]
    pub fn cast_ray(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        self.visit_ray_hits(ray, max_distance, filter, |hit, max| {
            if first.is_none_or(|first| by_distance(&hit, &first).is_lt()) {
                *max = hit.distance;
                first = Some(hit);
            }
        });
        first
    }

    /// Returns all colliders that a ray hits within `max_distance`, each where the ray enters it;
    /// sorted by distance, then by entity. Otherwise like [`cast_ray`](Self::cast_ray).
    #[doc(alias = "RaycastAll")]
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

    /// Like [`ray_hits`](Self::ray_hits), but replaces the content of `hits`, which avoids
    /// allocations.
    pub fn ray_hits_into(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        hits: &mut Vec<RayHit>,
    ) {
        hits.clear();
        if filter.most == 0 {
            return;
        }
        self.visit_ray_hits(ray, max_distance, filter, |hit, max| {
            hits.push(hit);
            if let Some(last) = last_of_first(hits, filter.most, by_distance) {
                *max = last.distance;
            }
        });
        keep_first(hits, filter.most, by_distance);
    }

    /// Casts many rays, as [`cast_ray`](Self::cast_ray) does, on all threads if there are more than
    /// 500. Returns the first hit of each, in the order of the rays.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// What a guard sees: a thousand rays around it.
    /// fn look_around(guard: Single<&Transform, With<Mover>>, query: SpatialQuery) {
    ///     let eye = guard.translation.truncate();
    ///     let angles = (0..1000).map(|number| std::f32::consts::TAU * number as f32 / 1000.0);
    ///     let rays: Vec<_> = angles
    ///         .map(|angle| Ray2d::new(eye, Rot2::radians(angle) * Dir2::X))
    ///         .collect();
    ///     let walls = SpatialQueryFilter::default().only_solid();
    ///     for hit in query.cast_rays(&rays, 300.0, &walls).iter().flatten() {
    ///         info!("there is a wall at {}", hit.point);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(look_around);
    /// ```
    pub fn cast_rays(
        &self,
        rays: &[Ray2d],
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool + Sync>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = Vec::new();
        self.cast_rays_into(rays, max_distance, filter, &mut hits);
        hits
    }

    /// Like [`cast_rays`](Self::cast_rays), but replaces the content of `hits`, which avoids
    /// allocations.
    pub fn cast_rays_into(
        &self,
        rays: &[Ray2d],
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool + Sync>,
        hits: &mut Vec<Option<RayHit>>,
    ) {
        hits.clear();
        hits.resize(rays.len(), None);
        let pieces = rays.chunks(RAYS_PER_PIECE);
        let pieces = pieces.zip(hits.chunks_mut(RAYS_PER_PIECE));
        parallel::for_each(rays.len() * WORK_PER_RAY, pieces, |(rays, hits)| {
            for (ray, hit) in rays.iter().zip(hits) {
                *hit = self.cast_ray(*ray, max_distance, filter);
            }
        });
    }

    /// Visits the hits in no particular order. The visitor may reduce the maximum distance.
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
        self.index.visit_along(&sweep, |entry, max| {
            if let Some(output) = ray.cast(entry.shape)
                && output.fraction as f32 <= *max
                && filter.allows(&entry)
            {
                let point = (origin.as_dvec2() + direction.as_dvec2() * output.fraction).as_vec2();
                let hit = RayHit {
                    entity: entry.entity,
                    distance: output.fraction as f32,
                    point,
                    normal: output.normal,
                    starts_inside: output.fraction == 0.0 && contains_point(entry.shape, origin),
                    cell: entry.shape.cell_near(point),
                    order: entry.order(),
                };
                if !(filter.skips_starts_inside && hit.starts_inside) {
                    visit(hit, max);
                }
            }
        });
    }

    /// Returns the first collider that `shape`, in world space, touches when it moves by
    /// `displacement` without rotating, or `None` if it touches none. Ties go to the least entity.
    ///
    /// Colliders that the shape overlaps at the start are hit at fraction 0, and so are those that
    /// it only touches if it moves into them, as for
    /// [`geometry::cast_shape`](crate::geometry::cast_shape). Returns `None` if an input is NaN or
    /// infinite.
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
    #[doc(alias("shapecast", "test_move"))]
    pub fn cast_shape(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<ShapeHit> {
        let mut first: Option<ShapeHit> = None;
        self.visit_shape_hits(shape, displacement, filter, |hit, max| {
            if first.is_none_or(|first| by_fraction(&hit, &first).is_lt()) {
                *max = hit.fraction;
                first = Some(hit);
            }
        });
        first
    }

    /// Returns all colliders that `shape`, in world space, touches when it moves by `displacement`
    /// without rotating; sorted by the fraction at which it first touches each, then by entity.
    /// Otherwise like [`cast_shape`](Self::cast_shape).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::{geometry::Shape, prelude::*};
    /// /// A laser, 8 units wide, burns everything before the first wall.
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

    /// Like [`shape_hits`](Self::shape_hits), but replaces the content of `hits`, which avoids
    /// allocations.
    pub fn shape_hits_into(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        hits: &mut Vec<ShapeHit>,
    ) {
        hits.clear();
        if filter.most == 0 {
            return;
        }
        self.visit_shape_hits(shape, displacement, filter, |hit, max| {
            hits.push(hit);
            if let Some(last) = last_of_first(hits, filter.most, by_fraction) {
                *max = last.fraction;
            }
        });
        keep_first(hits, filter.most, by_fraction);
    }

    /// Visits the hits in no particular order. The visitor may reduce the maximum fraction.
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
        // As an `f32` it could be infinite.
        let length = displacement.as_dvec2().length();
        self.index.visit_along(&sweep, |entry, max| {
            if let Some(hit) = cast_shape(shape, displacement, entry.shape)
                && hit.fraction <= *max
                && !(filter.skips_starts_inside && hit.starts_inside)
                && filter.allows(&entry)
            {
                let hit = ShapeHit {
                    entity: entry.entity,
                    fraction: hit.fraction,
                    starts_inside: hit.starts_inside,
                    distance: (f64::from(hit.fraction) * length) as f32,
                    point: hit.point,
                    normal: hit.normal,
                    cell: entry.shape.cell_near(hit.point),
                    order: entry.order(),
                };
                visit(hit, max);
            }
        });
    }
}

/// Sorts a list, and keeps the first `most` of it.
fn keep_first<H>(hits: &mut Vec<H>, most: usize, order: impl Fn(&H, &H) -> Ordering) {
    hits.sort_unstable_by(order);
    hits.truncate(most);
}

/// When a list has become as long as it may be, and whenever it is twice as long, keeps the first
/// `most` of it, and returns the last one: nothing behind it counts any more.
fn last_of_first<H>(
    hits: &mut Vec<H>,
    most: usize,
    order: impl Fn(&H, &H) -> Ordering,
) -> Option<&H> {
    if hits.len() != most && hits.len() < most.saturating_mul(2) {
        return None;
    }
    keep_first(hits, most, order);
    hits.last()
}

fn by_distance(a: &RayHit, b: &RayHit) -> Ordering {
    compare(a.distance, b.distance).then(a.order.cmp(&b.order))
}

fn by_fraction(a: &ShapeHit, b: &ShapeHit) -> Ordering {
    compare(a.fraction, b.fraction).then(a.order.cmp(&b.order))
}
