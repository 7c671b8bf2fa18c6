//! How far shapes are apart, or how deep they are in each other.

use bevy::math::Vec2;

use super::{
    contains::{contains_point, point_penetration},
    convex::{self, Separation, SurfacePoint, surface_point_within},
    nearest::nearest_pieces,
    penetration::penetration,
    shape::{Shape, touching_slop},
};

/// Returns the signed distance of two shapes with the closest point on each. It is exact for shapes
/// that are apart; for shapes that overlap, as exact as the depth of a
/// [`contact`](super::contact()).
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

/// Returns by how much two shapes are nearer to each other than `margin`, and the direction from
/// the first to the second in which that is least, or `None` if they are not nearer.
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

/// Returns the separation of two shapes, or `None` if a cheap lower bound shows that their distance
/// is not below `limit`.
pub(super) fn separation_below(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    if let (Some(a), Some(b)) = (a.as_convex(), b.as_convex()) {
        return convex::separation_below(&a, &b, limit);
    }
    separation_of_compound(a, b, limit)
}

/// Returns the separation of two shapes, of which at least one is not convex, or `None` if they are
/// not nearer than `limit`.
pub(super) fn separation_of_compound(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    if !(a.is_finite() && b.is_finite()) {
        return None;
    }
    let back = || separation_of_point_inside(b, a).map(Separation::flipped);
    let found = separation_of_point_inside(a, b)
        .or_else(back)
        .or_else(|| separation_of_pieces(a, b, limit))?;
    (found.distance < limit).then_some(found)
}

/// The same by the nearest pieces. Shapes further apart than `limit` may have one or not.
fn separation_of_pieces(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    let slop = touching_slop(a, b);
    // A shape without width is at distance zero of all pieces where it lies between two.
    let [is_thin, is_other_thin] =
        [a, b].map(|shape| (shape.as_convex()).is_some_and(|shape| shape.is_thinner_than(slop)));
    if is_other_thin && !is_thin {
        // Which of several equally near points is found must not depend on the order of the two.
        return separation_of_pieces(b, a, limit).map(Separation::flipped);
    }
    let limit = if is_thin {
        limit.max(2.0 * slop)
    } else {
        limit
    };
    let nearest = nearest_pieces(a, b, limit)?;
    let is_between = || {
        let touches = is_thin && nearest.distance <= slop;
        let is_deep = |point, shape| is_deep_inside(point, shape, slop);
        touches
            && (crosses(a, b)
                || crosses(b, a)
                || is_deep(nearest.point_a, b)
                || is_deep(nearest.point_b, a))
    };
    Some(if nearest.distance < -slop || is_between() {
        penetration(a, b, &nearest)
    } else {
        nearest
    })
}

/// Returns the separation of a point from a shape that is not convex, if the point is inside.
fn separation_of_point_inside(point: &Shape, shape: &Shape) -> Option<Separation> {
    let core = point.as_convex()?.rounded_box()?;
    let is_point = core.half_size == Vec2::ZERO && core.radius == 0.0;
    let position = point.center();
    (is_point && !shape.is_convex() && contains_point(shape, position))
        .then(|| point_penetration(position, shape))?
}

/// Whether a point is in a shape that is not convex, further from its surface than `slop`. The
/// point where a thin shape lies between two pieces is, even if its center and its ends are not.
fn is_deep_inside(point: Vec2, shape: &Shape, slop: f32) -> bool {
    !shape.is_convex()
        && contains_point(shape, point)
        && point_penetration(point, shape).is_some_and(|surface| surface.distance < -slop)
}

/// Whether the center or an end of a thin shape is in a shape that is not convex.
fn crosses(thin: &Shape, shape: &Shape) -> bool {
    let core = thin.as_convex().and_then(|thin| thin.rounded_box());
    let half = core.map_or(Vec2::ZERO, |core| core.rotation * core.half_size);
    !shape.is_convex()
        && thin.is_convex()
        && [Vec2::ZERO, half, -half]
            .into_iter()
            .any(|offset| contains_point(shape, thin.center() + offset))
}
