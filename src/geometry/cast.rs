//! Casts of shapes and rays.

use bevy::math::{UVec2, Vec2};

use super::{
    cast_pieces::{Cast, FirstHit},
    contact::contact,
    contains::contains_point,
    convex::{CastOutput, ConvexCast, MinkowskiDifference, Separation, SurfacePoint},
    ray::Ray,
    separation::{closest_points, separation, separation_of_compound},
    shape::{Shape, touching_slop},
};

/// Where a moving shape, or a ray, first touches a resting one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CastHit {
    /// The fraction of the displacement at which they touch, in 0..=1. 0 if they overlap at the
    /// start.
    pub fraction: f32,
    /// The distance until then, in world units. 0 if they overlap at the start.
    pub distance: f32,
    /// Where they touch, in world units. It is on the ray, if a ray is cast.
    pub point: Vec2,
    /// The outward normal of the resting shape's surface, unit length. If a ray starts inside, that
    /// of the nearest edge.
    pub normal: Vec2,
    /// Whether they overlap at the start, by more than rounding. At a fraction of 0 they may also
    /// just touch, and move into each other.
    pub starts_inside: bool,
    /// The cell that is hit, if the resting shape is a grid, as column and row like those of
    /// [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
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
    let (output, point) = if moving.is_convex() && resting.is_convex() {
        let output = cast.cast_convex()?;
        (
            output,
            touching_point(&output, moving, displacement, resting),
        )
    } else {
        cast_compound(&cast)?
    };
    point.is_finite().then(|| CastHit {
        fraction: output.fraction as f32,
        // The length could be infinite as an `f32`.
        distance: (output.fraction * displacement.as_dvec2().length()) as f32,
        point,
        normal: output.normal,
        starts_inside: output.fraction as f32 == 0.0 && contact(moving, resting).is_some(),
        cell: resting.cell_near(point),
    })
}

/// Returns where a ray from `origin` to `origin + displacement` first hits `shape`, or `None` if it
/// does not or if a number is not finite.
///
/// A ray that starts inside hits at once, with the normal of the nearest edge. Grazing a circle, or
/// running along an edge, is not a hit; going through a vertex of a rectangle is one. Between two
/// cells of a grid, or two shapes of a compound, it hits where there is something on both sides.
///
/// ```
/// use bevy_thud::geometry::{Shape, cast_ray};
/// use bevy::math::Vec2;
///
/// let ball = Shape::circle(Vec2::new(5.0, 0.0), 1.0);
/// let hit = cast_ray(&ball, Vec2::ZERO, Vec2::new(8.0, 0.0)).unwrap();
/// assert_eq!((hit.fraction, hit.distance), (0.5, 4.0));
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
    let hit = ray.hit(shape, &output, displacement.as_dvec2().length());
    hit.point.is_finite().then_some(hit)
}

impl Ray {
    /// The hit of a cast at a shape with this output. `length` is that of the direction.
    pub fn hit(&self, shape: &Shape, output: &CastOutput, length: f64) -> CastHit {
        let [origin, direction] = [self.origin, self.direction].map(|it| it.as_dvec2());
        let point = (origin + direction * output.fraction).as_vec2();
        let is_at_start = output.fraction == 0.0;
        CastHit {
            fraction: if is_at_start {
                0.0
            } else {
                (output.fraction / f64::from(self.max_fraction)) as f32
            },
            distance: (output.fraction * length) as f32,
            point,
            normal: output.normal,
            starts_inside: is_at_start && contains_point(shape, self.origin),
            cell: shape.cell_near(point),
        }
    }
}

/// The output of a cast where a shape is not convex, and the point where the two touch.
fn cast_compound(cast: &Cast) -> Option<(CastOutput, Vec2)> {
    let FirstHit { output, pieces } = cast.first_hit()?;
    let Cast {
        moving, resting, ..
    } = cast;
    if output.fraction == 0.0 {
        let slop = touching_slop(moving, resting);
        if let Some(overlap) = separation_of_compound(moving, resting, -slop) {
            let normal = -overlap.normal;
            return Some((CastOutput { normal, ..output }, overlap.point_b));
        }
    }
    let point = touching_point(&output, &pieces[0], cast.displacement, &pieces[1]);
    Some((output, point))
}

/// Where convex shapes touch in a cast with this output.
fn touching_point(
    output: &CastOutput,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
) -> Vec2 {
    let moved = moving.translated((displacement.as_dvec2() * output.fraction).as_vec2());
    closest_points(&moved, resting, -output.normal).1
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
    cast_compound(&cast).map(|(output, _)| output)
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
