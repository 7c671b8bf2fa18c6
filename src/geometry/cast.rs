use bevy::math::Vec2;

use super::{
    Ray, Shape,
    compound::{cast_pieces, cast_pieces_with_margin},
    distance::{Separation, closest_points, separation},
    minkowski::{CastOutput, Obstacle, SurfacePoint},
    touching_slop,
};

/// Where a moving shape, or a ray, first touches a resting one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct CastHit {
    /// The fraction of the way at which they touch, in 0..=1. Zero, if they overlapped from the start.
    pub fraction: f32,
    /// The outward normal of the resting shape's surface, unit length.
    pub normal: Vec2,
    /// Where they touch, in world units.
    pub point: Vec2,
}

/// Where a ray from `origin` to `origin + displacement` first meets `shape`.
///
/// A ray that starts inside hits at once, with the normal of the nearest side. One that only runs along a side or touches a
/// circle does not hit; one through the very corner of a rectangle does.
///
/// ```
/// use bevy_thud::geometry::{Shape, cast_ray};
/// use bevy::math::Vec2;
///
/// let ball = Shape::circle(Vec2::new(5.0, 0.0), 1.0);
/// let hit = cast_ray(&ball, Vec2::ZERO, Vec2::new(8.0, 0.0)).unwrap();
/// assert_eq!(hit.fraction, 0.5);
/// assert_eq!(hit.normal, Vec2::NEG_X);
/// ```
pub fn cast_ray(shape: &Shape, origin: Vec2, displacement: Vec2) -> Option<CastHit> {
    if !(shape.is_finite() && origin.is_finite() && displacement.is_finite()) {
        return None;
    }
    let ray = Ray {
        origin,
        direction: displacement,
        max_fraction: 1.0,
    };
    let CastOutput {
        fraction, normal, ..
    } = ray.cast(shape)?;
    let hit = if shape.is_convex() {
        let point = Shape::circle(origin, 0.0);
        hit_at(fraction, normal, (&point, displacement, shape))
    } else {
        CastHit {
            fraction: fraction as f32,
            normal,
            point: (origin.as_dvec2() + displacement.as_dvec2() * fraction).as_vec2(),
        }
    };
    hit.point.is_finite().then_some(hit)
}

/// Where `moving`, on its way along `displacement` and without turning, first touches `resting`.
///
/// Shapes that overlap at the start hit at once; shapes that touch at the start hit at once if they move into each other by
/// more than [rounding](super::TOUCHING_SLOP), and not at all otherwise.
pub fn cast_shape(moving: &Shape, displacement: Vec2, resting: &Shape) -> Option<CastHit> {
    let hit = if moving.is_convex() && resting.is_convex() {
        let CastOutput {
            fraction, normal, ..
        } = cast_convex(moving, displacement, resting, 0.0)?;
        Some(hit_at(fraction, normal, (moving, displacement, resting)))
    } else {
        cast_pieces(moving, displacement, resting)
    };
    hit.filter(|hit| hit.point.is_finite())
}

/// That of convex shapes that touch at a fraction of the way.
pub(super) fn hit_at(
    fraction: f64,
    normal: Vec2,
    (moving, displacement, resting): (&Shape, Vec2, &Shape),
) -> CastHit {
    let moved = moving.translated((displacement.as_dvec2() * fraction).as_vec2());
    let (_, point) = closest_points(&moved, resting, -normal);
    CastHit {
        fraction: fraction as f32,
        normal,
        point,
    }
}

/// When `moving` comes nearer to `resting` than `inflation` (world units, negative to let it sink in that far).
pub(crate) fn cast_with_margin(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    inflation: f32,
) -> Option<CastOutput> {
    if moving.is_convex() && resting.is_convex() {
        cast_convex(moving, displacement, resting, inflation)
    } else {
        cast_pieces_with_margin(moving, displacement, resting, inflation)
    }
}

/// The same for convex shapes.
pub(super) fn cast_convex(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    inflation: f32,
) -> Option<CastOutput> {
    if !(moving.is_finite() && resting.is_finite() && displacement.is_finite()) {
        return None;
    }
    let gap = Obstacle::between(moving, resting, 0.0).gap_below(f32::INFINITY)?;
    cast_from(&gap, moving, displacement, resting, inflation)
}

/// How far a shape is from another one, for all that is asked of its motions from there; none, if a number is not finite.
pub(crate) fn surface_point(moving: &Shape, resting: &Shape) -> Option<SurfacePoint> {
    if !(moving.is_finite() && resting.is_finite()) {
        return None;
    }
    if moving.is_convex() && resting.is_convex() {
        return Obstacle::between(moving, resting, 0.0).gap_below(f32::INFINITY);
    }
    let Separation {
        distance, normal, ..
    } = separation(moving, resting);
    Some(SurfacePoint {
        distance,
        normal: -normal,
        is_edge: false,
    })
}

/// The impact of finite shapes between which there is this gap at the start.
pub(crate) fn cast_from(
    gap: &SurfacePoint,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    inflation: f32,
) -> Option<CastOutput> {
    if !(moving.is_convex() && resting.is_convex()) {
        return cast_pieces_with_margin(moving, displacement, resting, inflation);
    }
    let distance = gap.distance - inflation;
    let slop = touching_slop(moving, resting);
    if distance < -slop {
        return Some(CastOutput {
            fraction: 0.0,
            normal: gap.normal,
            is_edge: gap.is_edge,
        });
    }
    // A convex shape lies behind the line through its nearest point; what does not come there misses it.
    if -displacement.dot(gap.normal) <= (distance - slop).max(0.0) {
        return None;
    }
    let entry = if distance > slop {
        Obstacle::between(moving, resting, inflation).ray_entry(displacement.as_dvec2())?
    } else {
        // Touching: on which side of the surface the ray starts is rounding, but behind that it tells whether it moves in.
        let behind = Obstacle::between(moving, resting, gap.distance - slop);
        CastOutput {
            fraction: 0.0,
            ..behind.ray_entry(displacement.as_dvec2())?
        }
    };
    Some(entry)
}
