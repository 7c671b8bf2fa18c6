//! Ray casts and shape casts.

use bevy::prelude::*;

use super::{
    SpatialQuery, SpatialQueryFilter, SpatialQueryIter,
    results::{Found, compare},
};
use crate::{
    broad_phase::Sweep,
    components::EntityOrder,
    geometry::{CastHit, Ray, Shape, cast_shape},
};

impl SpatialQuery<'_, '_> {
    /// Returns the first collider that a ray hits within `max_distance` (world units; infinity for
    /// no limit), or `None` if it hits none. Ties go to the least entity.
    ///
    /// A ray that starts inside a collider hits it at distance 0. Grazing a surface is not a hit,
    /// as for [`geometry::cast_ray`]. The fraction of the hit is that of `max_distance`, 0 if that
    /// is infinite. Returns `None` if an input is NaN or `max_distance` is negative.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// fn look_right(query: SpatialQuery) {
    ///     let ray = Ray2d::new(Vec2::ZERO, Dir2::X);
    ///     let first = query.cast_ray(ray, 500.0, &SpatialQueryFilter::default());
    ///     if let Some((entity, hit)) = first {
    ///         info!("{entity} is {} away", hit.distance);
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
    ) -> Option<(Entity, CastHit)> {
        self.first_hit(&CastInput::ray(ray, max_distance), filter)
    }

    /// Returns all colliders that a ray hits within `max_distance`, each where the ray enters it;
    /// sorted by distance, then by entity. Otherwise like [`cast_ray`](Self::cast_ray).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// A shot goes through two foes and ends in the third.
    /// fn pierce(query: SpatialQuery) {
    ///     let ray = Ray2d::new(Vec2::ZERO, Dir2::X);
    ///     let hits = query.ray_hits(ray, 800.0, &SpatialQueryFilter::default());
    ///     for (entity, hit) in hits.take(3) {
    ///         info!("{entity} is hit at {}", hit.point);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(pierce);
    /// ```
    #[doc(alias = "RaycastAll")]
    pub fn ray_hits(
        &self,
        ray: Ray2d,
        max_distance: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> SpatialQueryIter<(Entity, CastHit)> {
        self.all_hits(&CastInput::ray(ray, max_distance), filter)
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
    ///     let distance = hit.map_or(400.0, |(_, hit)| hit.distance);
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
    ) -> Option<(Entity, CastHit)> {
        let cast = CastInput::Shape {
            shape,
            displacement,
        };
        self.first_hit(&cast, filter)
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
    ///     for (entity, _) in hits.take_while(|(entity, _)| !walls.contains(*entity)) {
    ///         info!("{entity} burns");
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(fire);
    /// ```
    pub fn shape_hits(
        &self,
        shape: &Shape,
        displacement: Vec2,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> SpatialQueryIter<(Entity, CastHit)> {
        let cast = CastInput::Shape {
            shape,
            displacement,
        };
        self.all_hits(&cast, filter)
    }

    fn first_hit(
        &self,
        cast: &CastInput,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> Option<(Entity, CastHit)> {
        let mut first: Option<(EntityOrder, (f32, CastHit))> = None;
        self.visit_hits(cast, filter, |order, (path, hit), max| {
            let is_first = first.is_none_or(|(known, (shortest, _))| {
                compare(path, shortest).then(order.cmp(&known)).is_lt()
            });
            if is_first {
                *max = path;
                first = Some((order, (path, hit)));
            }
        });
        first.map(|(order, (_, hit))| (order.entity, hit))
    }

    fn all_hits(
        &self,
        cast: &CastInput,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> SpatialQueryIter<(Entity, CastHit)> {
        let mut found = Found::new();
        self.visit_hits(cast, filter, |order, hit, _| found.push((order, hit)));
        found.sort_unstable_by(|(p, (p_path, _)), (q, (q_path, _))| {
            compare(*p_path, *q_path).then(p.cmp(q))
        });
        SpatialQueryIter::in_order(found, |entity, (_, hit)| (entity, hit))
    }

    /// Visits the hits in no particular order, each with the path until then. The visitor may
    /// shorten the path.
    fn visit_hits(
        &self,
        cast: &CastInput,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
        mut visit: impl FnMut(EntityOrder, (f32, CastHit), &mut f32),
    ) {
        self.index.visit_along(&cast.sweep(), |entry, max| {
            if let Some((path, hit)) = cast.hit(entry.shape, *max)
                && !(filter.skips_starts_inside && hit.starts_inside)
                && filter.allows(&entry)
            {
                visit(entry.order(), (path, hit), max);
            }
        });
    }
}

/// What is cast. Its path is measured in distances for a ray, and in fractions of the displacement
/// for a shape.
enum CastInput<'a> {
    /// Its direction has unit length.
    Ray(Ray),
    Shape {
        shape: &'a Shape,
        displacement: Vec2,
    },
}

impl CastInput<'_> {
    fn ray(ray: Ray2d, max_distance: f32) -> Self {
        Self::Ray(Ray {
            origin: ray.origin,
            direction: *ray.direction,
            max_fraction: max_distance,
        })
    }

    fn sweep(&self) -> Sweep {
        match *self {
            Self::Ray(Ray {
                origin,
                direction,
                max_fraction,
            }) => Sweep::of_point(origin, direction, max_fraction),
            Self::Shape {
                shape,
                displacement,
            } => Sweep {
                start: shape.aabb(),
                direction: displacement,
                length: 1.0,
            },
        }
    }

    /// Returns the hit of a shape on a path of at most `max`, and the path until then.
    #[inline]
    fn hit(&self, target: &Shape, max: f32) -> Option<(f32, CastHit)> {
        match *self {
            Self::Ray(ray) => {
                let output = ray.cast(target)?;
                let path = output.fraction as f32;
                (path <= max).then(|| (path, ray.hit(target, &output, 1.0)))
            }
            Self::Shape {
                shape,
                displacement,
            } => {
                let hit = cast_shape(shape, displacement, target)?;
                (hit.fraction <= max).then_some((hit.fraction, hit))
            }
        }
    }
}
