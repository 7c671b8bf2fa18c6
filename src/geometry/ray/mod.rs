//! Rays against single shapes.
//!
//! A ray is the cast of a point, so the general cast works for any shape. But a ray that does not
//! start at the surface of a circle or rectangle needs far fewer operations, and most do not.

mod polygon;
mod primitives;
mod seams;
mod tiles;

use bevy::math::Vec2;
use seams::Seams;

use super::{
    contains::{contains_point, point_penetration},
    convex::{CastOutput, ConvexCast, ConvexShape, MinkowskiDifference},
    shape::Shape,
    tolerances::TOUCHING_SLOP,
    vectors::direction_and_length,
};

/// A segment or a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub origin: Vec2,
    /// Of any length. Fractions along the ray are multiples of that length.
    pub direction: Vec2,
    /// The fraction at which the ray ends. It may be infinite.
    pub max_fraction: f32,
}

/// The output of a function that handles the frequent cases of a cast.
enum FastPath {
    Hit(CastOutput),
    Miss,
    /// Not a frequent case: the general function decides.
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
            self.cast_at_rect(center, half_size, rotation, self.slop(shape))
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
            Shape::Tiles { tiles, placement } => self.cast_at_tiles(shape, tiles, placement),
            Shape::Polygon { polygon, placement } => self.cast_at_edges(polygon, placement),
            Shape::Compound { .. } => {
                let mut first: Option<CastOutput> = None;
                let (mut seams, slop) = (Seams::default(), self.slop(shape));
                shape.visit_shapes(&mut |shape| {
                    if !seams.add(self, shape, slop) {
                        first = earlier(first, self.cast(shape));
                    }
                });
                earlier(first, seams.first(self, slop))
            }
            _ => None,
        }
    }

    /// Casts the ray against a convex shape, from any start.
    #[inline(never)]
    fn cast_at_convex(&self, shape: &Shape) -> Option<CastOutput> {
        let point = ConvexShape::Circle {
            center: self.origin,
            radius: 0.0,
        };
        let (resting, slop) = (shape.as_convex()?, self.slop(shape));
        let start =
            MinkowskiDifference::between(&point, &resting, 0.0).surface_point(f32::INFINITY)?;
        if start.distance < -slop {
            return Some(CastOutput {
                fraction: 0.0,
                normal: start.normal,
                is_edge: start.is_edge,
            });
        }
        let first_within = |length: f32| {
            let displacement = Some(self.direction * length).filter(|it| it.is_finite())?;
            let cast = ConvexCast {
                moving: point,
                displacement,
                resting,
                margin: 0.0,
                slop,
            };
            let output = cast.run_from(&start)?;
            Some(CastOutput {
                fraction: output.fraction * f64::from(length),
                ..output
            })
        };
        // Beyond this fraction the ray is behind the shape. It does not depend on the ray's length,
        // so neither does rounding.
        let aabb = shape.aabb();
        let furthest = length(aabb.min - self.origin) + length(aabb.max - self.origin);
        let behind = 2.0 * furthest / length(self.direction);
        let first = first_within(if behind.is_finite() {
            behind
        } else {
            self.max_fraction
        })?;
        // If the ray starts at the surface, its length decides if it enters by more than rounding.
        if first.fraction > 0.0 {
            (first.fraction <= self.max_fraction.into()).then_some(first)
        } else {
            first_within(self.max_fraction.min(behind))
        }
    }
}

/// The length of a vector, even if its square under- or overflows.
fn length(vector: Vec2) -> f32 {
    direction_and_length(vector).map_or(0.0, |(_, length)| length)
}

/// The earlier one of two outputs.
fn earlier(p: Option<CastOutput>, q: Option<CastOutput>) -> Option<CastOutput> {
    match (p, q) {
        (Some(p), Some(q)) if q.fraction < p.fraction => Some(q),
        (p, q) => p.or(q),
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
