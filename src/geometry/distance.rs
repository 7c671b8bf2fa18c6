use bevy::math::Vec2;

use super::{
    Shape,
    compound::separation_of_parts,
    minkowski::{Obstacle, SurfacePoint},
};

/// How far two shapes are apart, or how deep they are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Separation {
    /// Signed distance in world units: negative where they overlap, by the length of the shortest way out, or of one that is nearly as
    /// short: see [`contact`](super::contact()).
    pub distance: f32,
    /// The direction from the first shape to the second, unit length; zero where the distance is
    /// infinite. For shapes that overlap, the one in which they overlap least; where several are
    /// equal, always the same of them.
    pub normal: Vec2,
    /// The point of the first shape that is closest to the second, or deepest in it. The middle, where it is a whole side.
    pub point_a: Vec2,
    /// The point of the second shape that is closest to the first, or deepest in it. The middle, where it is a whole side.
    pub point_b: Vec2,
}

impl Separation {
    /// Whether no number of it is too large.
    fn is_finite(&self) -> bool {
        self.distance.is_finite() && self.point_a.is_finite() && self.point_b.is_finite()
    }

    /// The same with the two sides exchanged.
    pub(super) fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            point_a: self.point_b,
            point_b: self.point_a,
            ..self
        }
    }
}

/// The signed distance of two shapes with the closest point on each. It is exact for all that are
/// apart; for shapes that overlap, as exact as the depth of a [`contact`](super::contact()).
///
/// If a shape is not finite, is a grid without a solid cell, or if an answer is too large for an
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

/// How much nearer than `gap` two shapes are, and the direction from the first to the second in which they are apart by the
/// least; none, if they are not.
pub(crate) fn penetration_within(a: &Shape, b: &Shape, gap: f32) -> Option<(f32, Vec2)> {
    if let (
        &Shape::Circle { center, radius },
        &Shape::Circle {
            center: to,
            radius: more,
        },
    ) = (a, b)
    {
        let reach = radius + more + gap;
        let (between, square) = (to - center, to.distance_squared(center));
        if !(square < reach * reach) {
            return None;
        }
        if square > f32::MIN_POSITIVE {
            let distance = square.sqrt();
            return Some((reach - distance, between / distance));
        }
    }
    if !(a.is_convex() && b.is_convex()) {
        let Separation {
            distance, normal, ..
        } = separation_of_parts(a, b, gap)?;
        return (distance < gap).then_some((gap - distance, normal));
    }
    let SurfacePoint {
        distance, normal, ..
    } = gap_of_convex(a, b, gap, 0.0)?;
    (distance < 0.0).then_some((-distance, -normal))
}

/// The separation of two shapes; none, if a cheap lower bound shows that they are not nearer than `limit`.
pub(super) fn separation_below(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    if !(a.is_convex() && b.is_convex()) {
        return separation_of_parts(a, b, limit);
    }
    let SurfacePoint {
        distance, normal, ..
    } = gap_of_convex(a, b, 0.0, limit)?;
    let normal = -normal;
    let (point_a, point_b) = closest_points(a, b, normal);
    Some(Separation {
        distance,
        normal,
        point_a,
        point_b,
    })
}

/// By how much convex shapes are further apart than `inflation`; none, if a cheap lower bound shows that it is not below `limit`.
///
/// Circles come first, as for contacts: so where several ways out are equal, both take the same of them.
fn gap_of_convex(a: &Shape, b: &Shape, inflation: f32, limit: f32) -> Option<SurfacePoint> {
    let is_circle = |shape: &Shape| matches!(shape, Shape::Circle { .. });
    if is_circle(a) || !is_circle(b) {
        return Obstacle::between(a, b, inflation).gap_below(limit);
    }
    let gap = Obstacle::between(b, a, inflation).gap_below(limit)?;
    Some(SurfacePoint {
        normal: -gap.normal,
        ..gap
    })
}

/// The points at which two convex shapes face each other along `normal`: where a side faces a side, the middle of their overlap.
pub(crate) fn closest_points(a: &Shape, b: &Shape, normal: Vec2) -> (Vec2, Vec2) {
    let tangent = normal.perp();
    let between = b.center() - a.center();
    let (a_side, b_side) = (a.support(normal), b.support(-normal).map(|p| p + between));
    let (a_span, b_span) = (span(a_side, tangent), span(b_side, tangent));
    let middle = a_span.0.max(b_span.0).midpoint(a_span.1.min(b_span.1));
    let at = |side: [Vec2; 2], span: (f32, f32)| {
        let along = middle.max(span.0).min(span.1);
        a.center() + tangent * along + normal * side[0].dot(normal)
    };
    (at(a_side, a_span), at(b_side, b_span))
}

/// The least and the greatest coordinate of a side's ends along `direction`.
fn span(side: [Vec2; 2], direction: Vec2) -> (f32, f32) {
    let (p, q) = (side[0].dot(direction), side[1].dot(direction));
    (p.min(q), p.max(q))
}
