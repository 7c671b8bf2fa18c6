//! Casts of shapes and rays.

use bevy::math::Vec2;

use super::{
    cast_pieces::{Cast, FirstHit},
    contact::overlaps,
    contains::contains_point,
    convex::{CastOutput, ConvexCast, MinkowskiDifference, Separation, SurfacePoint},
    ray::Ray,
    separation::{closest_points, separation, separation_of_compound},
    shape::{Shape, touching_slop},
};

/// Where a moving shape, or a ray, first touches a resting one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct CastHit {
    /// The fraction of the displacement at which they touch, in 0..=1. Zero if they overlap at the
    /// start.
    pub fraction: f32,
    /// The outward normal of the resting shape's surface, unit length.
    pub normal: Vec2,
    /// Where they touch, in world units.
    pub point: Vec2,
    /// Whether they overlap at the start, by more than rounding. At a fraction of zero they may
    /// also just touch, and move into each other.
    pub starts_inside: bool,
}

/// Returns where `moving`, when it moves by `displacement` without rotating, first touches
/// `resting`, or `None` if it does not or if a number is not finite.
///
/// Shapes that overlap at the start hit at once. Shapes that touch at the start hit at once if they
/// move into each other by more than [rounding](super::TOUCHING_SLOP), and otherwise do not hit.
#[doc(alias = "shapecast")]
pub fn cast_shape(moving: &Shape, displacement: Vec2, resting: &Shape) -> Option<CastHit> {
    let cast = Cast {
        moving,
        displacement,
        resting,
        margin: 0.0,
    };
    let hit = if moving.is_convex() && resting.is_convex() {
        let output = cast.cast_convex()?;
        Some(hit_at(&output, moving, displacement, resting))
    } else {
        cast_compound(&cast)
    };
    let hit = hit.filter(|hit| hit.point.is_finite())?;
    Some(CastHit {
        starts_inside: hit.fraction == 0.0 && overlaps(moving, resting),
        ..hit
    })
}

/// Returns where a ray from `origin` to `origin + displacement` first hits `shape`, or `None` if it
/// does not or if a number is not finite.
///
/// A ray that starts inside hits at once, with the normal of the nearest edge. Grazing a circle, or
/// running along an edge, is not a hit; going through a vertex of a rectangle is one.
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
#[doc(alias("raycast", "linecast"))]
pub fn cast_ray(shape: &Shape, origin: Vec2, displacement: Vec2) -> Option<CastHit> {
    if !(shape.is_finite() && origin.is_finite() && displacement.is_finite()) {
        return None;
    }
    let ray = Ray {
        origin,
        direction: displacement,
        max_fraction: 1.0,
    };
    let output = ray.cast(shape)?;
    let hit = if shape.is_convex() {
        let point = Shape::circle(origin, 0.0);
        hit_at(&output, &point, displacement, shape)
    } else {
        CastHit {
            fraction: output.fraction as f32,
            normal: output.normal,
            point: (origin.as_dvec2() + displacement.as_dvec2() * output.fraction).as_vec2(),
            starts_inside: false,
        }
    };
    hit.point.is_finite().then_some(CastHit {
        starts_inside: hit.fraction == 0.0 && contains_point(shape, origin),
        ..hit
    })
}

/// The hit of two shapes, at least one of them not convex.
fn cast_compound(cast: &Cast) -> Option<CastHit> {
    let FirstHit { output, pieces } = cast.first_hit()?;
    let hit = hit_at(&output, &pieces[0], cast.displacement, &pieces[1]);
    if output.fraction > 0.0 {
        return Some(hit);
    }
    let overlap = overlap_at_start(cast);
    Some(overlap.map_or(hit, |overlap| CastHit {
        normal: -overlap.normal,
        point: overlap.point_b,
        ..hit
    }))
}

/// The separation of two shapes that overlap at the start, at least one of them not convex.
fn overlap_at_start(cast: &Cast) -> Option<Separation> {
    let Cast {
        moving, resting, ..
    } = cast;
    separation_of_compound(moving, resting, -touching_slop(moving, resting))
}

/// The hit of convex shapes that touch as `output` says.
pub(super) fn hit_at(
    output: &CastOutput,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
) -> CastHit {
    let moved = moving.translated((displacement.as_dvec2() * output.fraction).as_vec2());
    let (_, point) = closest_points(&moved, resting, -output.normal);
    CastHit {
        fraction: output.fraction as f32,
        normal: output.normal,
        point,
        starts_inside: false,
    }
}

/// Returns where `moving` comes nearer to `resting` than `margin` (world units, negative to let it
/// sink in that far).
pub(crate) fn cast_with_margin(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    margin: f32,
) -> Option<CastOutput> {
    let cast = Cast {
        moving,
        displacement,
        resting,
        margin,
    };
    if moving.is_convex() && resting.is_convex() {
        return cast.cast_convex();
    }
    let FirstHit { output, .. } = cast.first_hit()?;
    if output.fraction > 0.0 {
        return Some(output);
    }
    let overlap = overlap_at_start(&cast);
    Some(overlap.map_or(output, |overlap| CastOutput {
        normal: -overlap.normal,
        ..output
    }))
}

/// Returns the point of the surface of `resting` that is nearest to `moving`, or `None` if a number
/// is not finite. Any number of casts can start from it.
pub(crate) fn surface_point(moving: &Shape, resting: &Shape) -> Option<SurfacePoint> {
    if !(moving.is_finite() && resting.is_finite()) {
        return None;
    }
    if let (Some(p), Some(q)) = (moving.as_convex(), resting.as_convex()) {
        return MinkowskiDifference::between(&p, &q, 0.0).surface_point(f32::INFINITY);
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

/// Like [`cast_with_margin`], for finite shapes, given the surface point at the start.
pub(crate) fn cast_from(
    start: &SurfacePoint,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    margin: f32,
) -> Option<CastOutput> {
    let (Some(p), Some(q)) = (moving.as_convex(), resting.as_convex()) else {
        return cast_with_margin(moving, displacement, resting, margin);
    };
    let cast = ConvexCast {
        moving: p,
        displacement,
        resting: q,
        margin,
        slop: touching_slop(moving, resting),
    };
    cast.run_from(start)
}
