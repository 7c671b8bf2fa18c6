//! Casts where at least one shape is not convex: finds the pair of convex pieces that touch first.

use std::cell::LazyCell;

use bevy::math::Vec2;

use super::{
    contains::contains_point,
    convex::{CastOutput, ConvexCast},
    nearest::nearest_pieces,
    ray::Ray,
    separation::separation_of_compound,
    shape::{Shape, touching_slop},
    tolerances::TOUCHING_SLOP,
    vectors::direction_and_length,
};
use crate::aabb::{Aabb2d, box_touch_fractions, grow, half_size, swept};

/// On the path along a grid, this many cells are searched together.
const CAST_CELLS_PER_SEGMENT: f32 = 8.0;
/// The largest number of segments that the path along a grid is split into.
const MAX_CAST_SEGMENTS: f32 = 4096.0;

/// A shape that gets no deeper than this many times the touching slop only grazes another one.
const GRAZING_DEPTH_RATIO: f32 = 2.0;

/// A moving shape against a resting one.
#[derive(Clone, Copy)]
pub(super) struct Cast<'a> {
    pub moving: &'a Shape,
    pub displacement: Vec2,
    pub resting: &'a Shape,
    /// The distance at which the shapes count as touching, in world units. Negative to let the
    /// moving shape sink in that far.
    pub margin: f32,
}

/// The pieces of two shapes that touch first, and where they do.
pub(super) struct FirstHit {
    pub output: CastOutput,
    /// The piece of the moving shape, at its start, and that of the resting one.
    pub pieces: [Shape; 2],
}

impl Cast<'_> {
    /// Returns where two convex shapes touch.
    pub fn cast_convex(&self) -> Option<CastOutput> {
        let &Self {
            moving,
            displacement,
            resting,
            margin,
        } = self;
        if !self.is_finite() {
            return None;
        }
        let cast = ConvexCast {
            moving: moving.as_convex()?,
            displacement,
            resting: resting.as_convex()?,
            margin,
            slop: touching_slop(moving, resting),
        };
        cast.run()
    }

    /// Returns which pieces touch first.
    pub fn first_hit(&self) -> Option<FirstHit> {
        if !self.is_finite() {
            return None;
        }
        let first = self.first_hit_of_pieces();
        let between = self.hit_between_pieces(first_fraction(first.as_ref()));
        let whole = |output| FirstHit {
            output,
            pieces: [self.moving.clone(), self.resting.clone()],
        };
        between.map(whole).or(first)
    }

    /// Returns which pieces touch first, except for hits between pieces. Works segment by segment,
    /// because most cells of a grid are not on a long path.
    fn first_hit_of_pieces(&self) -> Option<FirstHit> {
        let &Self {
            moving,
            displacement,
            resting,
            margin,
        } = self;
        let slop = touching_slop(moving, resting);
        let margin_with_slop = margin + slop;
        let swept_area = |aabb: &Aabb2d, by: Vec2| grow(&swept(aabb, by), margin_with_slop);
        let touch_fractions =
            |p: &Aabb2d, q: &Aabb2d| box_touch_fractions(p, q, displacement, margin_with_slop);
        let box_fraction = |p: &Aabb2d, q: &Aabb2d| {
            touch_fractions(p, q).map_or(f64::INFINITY, |[enter, _]| enter)
        };
        let bounds = moving.aabb();
        let [enter, exit] = touch_fractions(&bounds, &resting.aabb())?;
        let path = displacement.as_dvec2();
        let segments = self.segments(path.length() * (exit - enter), slop);
        let starts_near =
            LazyCell::new(|| nearest_pieces(moving, resting, margin_with_slop).is_some());
        let mut first: Option<FirstHit> = None;
        for segment in 0..segments as u16 {
            let [start, end] = [segment, segment + 1]
                .map(|i| enter + (exit - enter) * f64::from(i) / f64::from(segments));
            let there = moving.translated((path * start).as_vec2());
            let area = swept_area(&there.aabb(), (path * (end - start)).as_vec2());
            resting.visit_convex_pieces(&area, &mut |q| {
                let (aabb, limit_before) = (q.aabb(), limit(first.as_ref()));
                if box_fraction(&bounds, &aabb) >= limit_before {
                    return;
                }
                let back = -(path * limit_before.min(1.0)).as_vec2();
                moving.visit_convex_pieces(&swept_area(&aabb, back), &mut |p| {
                    if box_fraction(&p.aabb(), &aabb) < limit(first.as_ref())
                        && let Some(output) = self.of_pieces(p, q).cast_convex()
                        && takes_precedence(&output, first.as_ref())
                        && !(output.fraction > 0.0 && self.only_grazes(p, q) && *starts_near)
                    {
                        first = Some(FirstHit {
                            output,
                            pieces: [p.clone(), q.clone()],
                        });
                    }
                });
            });
            if first_fraction(first.as_ref()) <= end {
                break;
            }
        }
        first
    }

    /// Returns where one shape, as thin as rounding, hits the other while it moves along itself, or
    /// `None` if not before `limit`. On a line between two pieces it only grazes both.
    fn hit_between_pieces(&self, limit: f64) -> Option<CastOutput> {
        let flipped = Cast {
            moving: self.resting,
            displacement: -self.displacement,
            resting: self.moving,
            margin: self.margin,
        };
        let flip = |output: CastOutput| CastOutput {
            normal: -output.normal,
            ..output
        };
        (self.hit_of_thin(limit)).or_else(|| flipped.hit_of_thin(limit).map(flip))
    }

    /// Like [`hit_between_pieces`](Self::hit_between_pieces), where the moving shape is thin.
    fn hit_of_thin(&self, limit: f64) -> Option<CastOutput> {
        let largest = (self.moving.largest_coordinate()).max(self.resting.largest_coordinate());
        let slop = TOUCHING_SLOP * largest;
        if limit == 0.0 || !(-slop..=0.0).contains(&self.margin) {
            return None;
        }
        let ray = self.leading_ray(slop)?;
        if let Some(overlap) = separation_of_compound(self.moving, self.resting, -slop) {
            return Some(CastOutput {
                fraction: 0.0,
                normal: -overlap.normal,
                is_edge: true,
            });
        }
        let output = ray.cast(self.resting)?;
        let speed = -self.displacement.dot(output.normal);
        let fraction = output.fraction + f64::from(-self.margin / speed);
        // A ray also hits corners that it only touches.
        let beyond = fraction + f64::from(2.0 * slop / self.displacement.length());
        let inside = (ray.origin.as_dvec2() + ray.direction.as_dvec2() * beyond).as_vec2();
        let is_hit = beyond <= limit.min(1.0) && contains_point(self.resting, inside);
        is_hit.then_some(CastOutput { fraction, ..output })
    }

    /// The ray of the foremost point of a shape as thin as rounding that moves along itself.
    fn leading_ray(&self, slop: f32) -> Option<Ray> {
        // Thicker shapes are found by the cast that goes deeper.
        let width = 2.0 * (GRAZING_DEPTH_RATIO * slop - self.margin);
        let segment = (self.moving.as_convex()).filter(|shape| shape.is_thinner_than(width))?;
        let (direction, _) = direction_and_length(self.displacement)?;
        let mut ahead = 0.0f32;
        for vertex in segment.vertices() {
            if direction.perp_dot(vertex).abs() > width / 2.0 {
                return None;
            }
            ahead = ahead.max(direction.dot(vertex));
        }
        Some(Ray {
            origin: segment.center() + direction * ahead,
            direction: self.displacement,
            max_fraction: 1.0,
        })
    }

    /// Whether the hit of two pieces that start near each other is rounding. A shape that moves
    /// along the surface at which it starts is up to the slop behind it, and hits edges between
    /// pieces.
    fn only_grazes(&self, p: &Shape, q: &Shape) -> bool {
        let slop = touching_slop(self.moving, self.resting);
        // Twice as far, so that the end does not matter, unless that overflows.
        let further = Some(2.0 * self.displacement).filter(|further| further.is_finite());
        let deeper = Cast {
            displacement: further.unwrap_or(self.displacement),
            margin: self.margin - GRAZING_DEPTH_RATIO * slop,
            ..self.of_pieces(p, q)
        };
        deeper.cast_convex().is_none()
    }

    fn is_finite(&self) -> bool {
        self.moving.is_finite() && self.resting.is_finite() && self.displacement.is_finite()
    }

    /// This cast for one piece of each shape.
    fn of_pieces<'p>(&self, p: &'p Shape, q: &'p Shape) -> Cast<'p> {
        Cast {
            moving: p,
            displacement: self.displacement,
            resting: q,
            margin: self.margin,
        }
    }

    /// The number of segments that a path of this length (world units) is split into for the search
    /// of a grid. The searched area around the path is no wider than a segment is long.
    fn segments(&self, path: f64, slop: f32) -> f32 {
        let resting = self.resting;
        if !matches!(resting, Shape::Tiles { .. }) {
            return 1.0;
        }
        let cells = CAST_CELLS_PER_SEGMENT * resting.piece_half_extent();
        let half_extent = half_size(&self.moving.aabb()).max_element();
        let length = half_extent + cells + self.margin.max(0.0) + slop;
        if length > 0.0 {
            ((path / f64::from(length)) as f32)
                .clamp(1.0, MAX_CAST_SEGMENTS)
                .ceil()
        } else {
            1.0
        }
    }
}

/// The fraction of the first hit so far, infinite without one.
fn first_fraction(first: Option<&FirstHit>) -> f64 {
    first.map_or(f64::INFINITY, |first| first.output.fraction)
}

/// The fraction from which on a hit does not take precedence over the first one so far.
fn limit(first: Option<&FirstHit>) -> f64 {
    match first {
        Some(first) if !first.output.is_edge => first.output.fraction.next_up(),
        _ => first_fraction(first),
    }
}

/// Whether a hit is earlier than the first one so far, or an edge that is hit together with a
/// vertex: the vertex may be flush with it.
fn takes_precedence(output: &CastOutput, first: Option<&FirstHit>) -> bool {
    let order = |output: &CastOutput| (output.fraction, !output.is_edge);
    first.is_none_or(|first| order(output) < order(&first.output))
}
