//! Rays against single shapes.
//!
//! A ray is the cast of a point, and the general cast works for any shape. But few rays start at
//! the surface of the circles and rectangles that they are tested against, and all others need few
//! operations.

mod polygon;
mod primitives;
mod tiles;

use bevy::math::Vec2;

use super::{
    cast::{CastHit, cast_from, hit_at, surface_point},
    contains::{contains_point, point_penetration},
    convex::CastOutput,
    shape::Shape,
    tolerances::TOUCHING_SLOP,
};

/// A segment or a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub origin: Vec2,
    /// Of any length. Fractions along the ray are multiples of it.
    pub direction: Vec2,
    /// The fraction at which the ray ends. It may be infinite.
    pub max_fraction: f32,
}

/// The output of a function that handles the frequent cases of a cast.
enum FastPath {
    Hit(CastOutput),
    Miss,
    /// The case is not one of these, and the general function has to decide.
    Undecided,
}

impl Ray {
    /// Returns where the ray first hits a shape. Both have to be finite, except for `max_fraction`.
    #[inline(always)]
    pub fn cast(&self, shape: &Shape) -> Option<CastOutput> {
        let output = if let Shape::Circle { center, radius } = *shape {
            self.cast_at_circle(center, radius, self.slop(shape))
        } else if let Shape::Rect {
            center,
            half_size,
            rotation,
        } = *shape
        {
            self.cast_at_rect((center, half_size, rotation), self.slop(shape))
        } else {
            FastPath::Undecided
        };
        match output {
            FastPath::Hit(output) => Some(output),
            FastPath::Miss => None,
            FastPath::Undecided if shape.is_convex() => self.cast_at_convex(shape),
            FastPath::Undecided => self.cast_at_compound(shape),
        }
    }

    /// The distance up to which the origin counts as touching a shape, in world units.
    #[inline(always)]
    fn slop(&self, shape: &Shape) -> f32 {
        TOUCHING_SLOP * (self.origin.abs().max_element()).max(shape.largest_coordinate())
    }

    /// Casts the ray against a shape that is not convex.
    #[inline(never)]
    fn cast_at_compound(&self, shape: &Shape) -> Option<CastOutput> {
        if contains_point(shape, self.origin)
            && let Some(depth) = point_penetration(self.origin, shape)
        {
            // A ray that starts at the surface of a polygon may leave it.
            let is_grid = matches!(shape, Shape::Tiles { .. });
            if is_grid || depth.distance < -self.slop(shape) {
                return Some(hit_at_start(-depth.normal, true));
            }
        }
        match shape {
            Shape::Tiles { tiles, placement } => self.cast_at_tiles(shape, (tiles, placement)),
            Shape::Polygon { polygon, placement } => self.cast_at_edges(polygon, placement),
            _ => None,
        }
    }

    /// Casts the ray against a convex shape, from any start.
    #[inline(never)]
    fn cast_at_convex(&self, shape: &Shape) -> Option<CastOutput> {
        let point = Shape::circle(self.origin, 0.0);
        let start = surface_point(&point, shape)?;
        if start.distance < -self.slop(shape) {
            return Some(CastOutput {
                fraction: 0.0,
                normal: start.normal,
                is_edge: start.is_edge,
            });
        }
        let first_within = |length: f32| {
            let displacement = Some(self.direction * length).filter(|it| it.is_finite())?;
            let output = cast_from(&start, &point, displacement, shape, 0.0)?;
            Some(CastOutput {
                fraction: output.fraction * f64::from(length),
                ..output
            })
        };
        // Beyond this fraction the ray is behind the shape. It is the same for a shorter ray, so
        // that rounding is the same as well.
        let aabb = shape.aabb();
        let furthest = (aabb.min - self.origin).length() + (aabb.max - self.origin).length();
        let behind = 2.0 * furthest / self.direction.length();
        let first = first_within(if behind.is_finite() {
            behind
        } else {
            self.max_fraction
        })?;
        // If the ray starts at the surface, it depends on its length whether it enters by more than
        // rounding.
        if first.fraction > 0.0 {
            (first.fraction <= self.max_fraction.into()).then_some(first)
        } else {
            first_within(self.max_fraction.min(behind))
        }
    }
}

/// The output for a shape that contains the start of the ray.
fn hit_at_start(normal: Vec2, is_edge: bool) -> CastOutput {
    CastOutput {
        fraction: 0.0,
        normal,
        is_edge,
    }
}

/// Returns where a ray from `origin` to `origin + displacement` first hits `shape`, or `None` if it
/// does not or if a number is not finite.
///
/// A ray that starts inside hits at once, with the normal of the nearest edge. Grazing a circle, or
/// running along an edge, is not a hit; going through the very corner of a rectangle is one.
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
    let output = ray.cast(shape)?;
    let hit = if shape.is_convex() {
        let point = Shape::circle(origin, 0.0);
        hit_at(&output, (&point, displacement, shape))
    } else {
        CastHit {
            fraction: output.fraction as f32,
            normal: output.normal,
            point: (origin.as_dvec2() + displacement.as_dvec2() * output.fraction).as_vec2(),
        }
    };
    hit.point.is_finite().then_some(hit)
}
