//! How far shapes are apart, or how deep they are in each other.

use bevy::math::Vec2;
use smallvec::SmallVec;

use super::{
    contains::point_penetration,
    convex::{self, Separation, SurfacePoint, surface_point_within},
    nearest::nearest_pieces,
    shape::{Shape, touching_slop},
    vectors::direction_and_length,
};
use crate::aabb::grow;

/// Returns the signed distance of two shapes with the closest point on each. For shapes that
/// overlap, it is the negated depth of their [`contact`](super::contact()).
///
/// If a shape is not finite, is a grid without a solid cell, or if an output is too large for an
/// `f32`, the distance is infinite, the normal zero, and the points are the centers of the shapes.
///
/// ```
/// use bevy_thud::geometry::{Shape, separation};
/// use bevy::math::{Rot2, Vec2};
///
/// let ball = Shape::circle(Vec2::new(0.0, 5.0), 1.0);
/// let floor = Shape::rect(Vec2::ZERO, Vec2::new(10.0, 2.0), Rot2::IDENTITY);
/// let separation = separation(&ball, &floor);
/// assert_eq!(separation.distance, 3.0);
/// assert_eq!(separation.point_a, Vec2::new(0.0, 4.0));
/// assert_eq!(separation.point_b, Vec2::new(0.0, 1.0));
/// ```
pub fn separation(a: &Shape, b: &Shape) -> Separation {
    let found = separation_below(a, b, f32::INFINITY).filter(Separation::is_finite);
    found.unwrap_or(Separation {
        distance: f32::INFINITY,
        normal: Vec2::ZERO,
        point_a: a.center(),
        point_b: b.center(),
    })
}

/// Returns by how much two shapes are nearer to each other than `margin` (both in world units), and
/// the direction from the first to the second in which that is least, or `None` if they are not
/// nearer.
pub(crate) fn penetration_within(a: &Shape, b: &Shape, margin: f32) -> Option<(f32, Vec2)> {
    if let (
        &Shape::Circle { center, radius },
        &Shape::Circle {
            center: other_center,
            radius: other_radius,
        },
    ) = (a, b)
    {
        let max_distance = radius + other_radius + margin;
        let (between, square) = (other_center - center, other_center.distance_squared(center));
        if !(square < max_distance * max_distance) {
            return None;
        }
        if square > f32::MIN_POSITIVE {
            let distance = square.sqrt();
            return Some((max_distance - distance, between / distance));
        }
    }
    let (Some(p), Some(q)) = (a.as_convex(), b.as_convex()) else {
        let Separation {
            distance, normal, ..
        } = separation_of_compound(a, b, margin)?;
        return Some((margin - distance, normal));
    };
    let SurfacePoint {
        distance, normal, ..
    } = surface_point_within(&p, &q, margin, 0.0)?;
    (distance < 0.0).then_some((-distance, -normal))
}

/// Returns the points at which two shapes face each other along `normal`, which points from `a` to
/// `b`: where an edge faces an edge, the center of their overlap. For shapes that are not convex,
/// the points of their [`separation`].
pub(crate) fn closest_points(a: &Shape, b: &Shape, normal: Vec2) -> (Vec2, Vec2) {
    if let (Some(a), Some(b)) = (a.as_convex(), b.as_convex()) {
        return convex::closest_points(&a, &b, normal);
    }
    let Separation {
        point_a, point_b, ..
    } = separation(a, b);
    (point_a, point_b)
}

/// The part of a shape that lies farthest along a direction (unit length): the two ends of an edge,
/// or one point twice.
pub(crate) fn farthest_points(shape: &Shape, direction: Vec2) -> [Vec2; 2] {
    let mut farthest = [shape.center(); 2];
    let mut most = f32::NEG_INFINITY;
    shape.visit_convex_pieces(&shape.aabb(), &mut |piece| {
        if let Some(piece) = piece.as_convex() {
            let ends = (piece.support(direction)).map(|end| piece.center() + end);
            if ends[0].dot(direction) > most {
                (most, farthest) = (ends[0].dot(direction), ends);
            }
        }
    });
    farthest
}

/// Whether a convex shape has an edge with this outward normal.
pub(crate) fn has_edge(shape: &Shape, normal: Vec2) -> bool {
    shape.as_convex().is_some_and(|shape| {
        let [start, end] = shape.support(normal);
        start != end
    })
}

/// Returns the separation of two shapes, or `None` if a cheap lower bound shows that their distance
/// is not below `limit`.
pub(super) fn separation_below(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    if let (Some(a), Some(b)) = (a.as_convex(), b.as_convex()) {
        return convex::separation_below(&a, &b, limit);
    }
    separation_of_compound(a, b, limit)
}

/// Returns the separation of two shapes, or `None` if they are not nearer than `limit`. At least
/// one of them is not convex.
pub(super) fn separation_of_compound(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    if !(a.is_finite() && b.is_finite()) {
        return None;
    }
    match (a, b) {
        (Shape::Compound { .. }, _) => separation_of_shapes(a, b, limit),
        (_, Shape::Compound { .. }) => separation_of_shapes(b, a, limit).map(Separation::flipped),
        _ => {
            let inside = separation_of_thin_inside(a, b)
                .or_else(|| separation_of_thin_inside(b, a).map(Separation::flipped));
            // By more than rounding: the nearest edge of a piece may be one between two.
            let slop = touching_slop(a, b);
            let is_deeper = |nearest: &Separation| {
                inside.is_none_or(|inside| nearest.distance < inside.distance - slop)
            };
            let found = nearest_pieces(a, b, limit).filter(is_deeper).or(inside)?;
            (found.distance < limit).then_some(found)
        }
    }
}

/// Returns the least separation of the shapes of a compound from another shape.
fn separation_of_shapes(compound: &Shape, other: &Shape, limit: f32) -> Option<Separation> {
    let (mut nearest, mut least) = (None, limit);
    compound.visit_shapes(&mut |shape| {
        if let Some(found) = separation_below(shape, other, least)
            && found.distance < least
        {
            least = found.distance;
            nearest = Some(found);
        }
    });
    nearest
}

/// Returns the separation of the deepest point of a shape as thin as rounding that is inside of
/// another one, which is not convex. Where it runs along a line between two pieces, it only touches
/// both; it is inside or outside from one vertex of a piece to the next.
fn separation_of_thin_inside(thin: &Shape, shape: &Shape) -> Option<Separation> {
    let slop = touching_slop(thin, shape);
    let segment = (thin.as_convex()).filter(|thin| thin.is_thinner_than(slop))?;
    let center = segment.center();
    let (direction, half_length) = (segment.vertices().filter_map(direction_and_length))
        .max_by(|p, q| p.1.total_cmp(&q.1))
        .unwrap_or_default();
    let mut stops = SmallVec::<[f32; 32]>::from_slice(&[-half_length, half_length]);
    shape.visit_convex_pieces(&grow(&thin.aabb(), slop), &mut |piece| {
        let Some(piece) = piece.as_convex() else {
            return;
        };
        let from_center = piece.center() - center;
        let along = |vertex| direction.dot(from_center + vertex);
        let within = |along: f32| along.clamp(-half_length, half_length);
        stops.extend(piece.vertices().map(along).map(within));
    });
    stops.sort_unstable_by(f32::total_cmp);
    stops.dedup();
    // A point has no stops but its center.
    let between = (stops.windows(2)).map(|stops| stops[0].midpoint(stops[1]));
    (between.chain([0.0]))
        .filter_map(|along| point_penetration(center + direction * along, shape))
        .min_by(|p, q| p.distance.total_cmp(&q.distance))
}
