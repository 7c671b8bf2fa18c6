//! How far two convex shapes are apart, and their closest points.

use bevy::math::Vec2;

use super::{minkowski::MinkowskiDifference, output::SurfacePoint, shape::ConvexShape};

/// The signed distance of two shapes with the closest point on each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Separation {
    /// Signed distance in world units. Negative where the shapes overlap: moving the first shape by
    /// this distance along `normal`, which is backwards then, separates them; or of shapes that are
    /// not convex, the pieces that are deepest in each other, see
    /// [`contact`](crate::geometry::contact()).
    pub distance: f32,
    /// The direction from the first shape to the second, unit length; zero where the distance is
    /// infinite. For overlapping shapes, the direction in which they overlap least; if several are
    /// equal, always the same one of them.
    pub normal: Vec2,
    /// The point of the first shape that is closest to the second, or deepest in it, in world
    /// units. If that is a whole edge, its center.
    pub point_a: Vec2,
    /// The point of the second shape that is closest to the first, or deepest in it, in world
    /// units. If that is a whole edge, its center.
    pub point_b: Vec2,
}

impl Separation {
    /// Whether all of its numbers are finite. If so, the normal has unit length.
    pub(in crate::geometry) fn is_finite(&self) -> bool {
        self.distance.is_finite() && self.point_a.is_finite() && self.point_b.is_finite()
    }

    /// Returns the separation with the two shapes swapped.
    pub(in crate::geometry) fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            point_a: self.point_b,
            point_b: self.point_a,
            ..self
        }
    }
}

/// Returns the separation of two shapes, or `None` if a cheap lower bound shows that their distance
/// is not below `limit`.
pub(in crate::geometry) fn separation_below(
    a: &ConvexShape,
    b: &ConvexShape,
    limit: f32,
) -> Option<Separation> {
    let SurfacePoint {
        distance, normal, ..
    } = surface_point_within(a, b, 0.0, limit)?;
    let normal = -normal;
    let (point_a, point_b) = closest_points(a, b, normal);
    Some(Separation {
        distance,
        normal,
        point_a,
        point_b,
    })
}

/// Returns by how much the distance of two shapes exceeds `inflation`, with the normal of `b`, or
/// `None` if a cheap lower bound shows that this is not below `limit`. All are in world units.
///
/// Circles come first, as for contacts: of several equal directions, both choose the same one.
pub(in crate::geometry) fn surface_point_within(
    a: &ConvexShape,
    b: &ConvexShape,
    inflation: f32,
    limit: f32,
) -> Option<SurfacePoint> {
    let is_circle = |shape: &ConvexShape| matches!(shape, ConvexShape::Circle { .. });
    if is_circle(a) || !is_circle(b) {
        return MinkowskiDifference::between(a, b, inflation).surface_point(limit);
    }
    let point = MinkowskiDifference::between(b, a, inflation).surface_point(limit)?;
    Some(SurfacePoint {
        normal: -point.normal,
        ..point
    })
}

/// Returns the points at which two shapes face each other along `normal`, which points from `a` to
/// `b`: where an edge faces an edge, the center of their overlap.
pub(in crate::geometry) fn closest_points(
    a: &ConvexShape,
    b: &ConvexShape,
    normal: Vec2,
) -> (Vec2, Vec2) {
    let tangent = normal.perp();
    // Sums of quarters do not overflow.
    let quarter = |vector: Vec2| 0.25 * vector;
    let between = quarter(b.center()) - quarter(a.center());
    let a_edge = edge_along([tangent, normal], a.support(normal).map(quarter));
    let b_edge = edge_along(
        [tangent, normal],
        b.support(-normal).map(|end| quarter(end) + between),
    );
    let center = (a_edge[0].x.max(b_edge[0].x)).midpoint(a_edge[1].x.min(b_edge[1].x));
    let at = |[start, end]: [Vec2; 2]| {
        let along = center.max(start.x).min(end.x);
        // The edge is only nearly parallel to the tangent.
        let fraction = if end.x > start.x {
            (along - start.x) / (end.x - start.x)
        } else {
            0.0
        };
        let front = start.y + (end.y - start.y) * fraction;
        4.0 * (quarter(a.center()) + tangent * along + normal * front)
    };
    (at(a_edge), at(b_edge))
}

/// The ends of an edge by their coordinates along two axes, the least along the first axis first.
fn edge_along(axes: [Vec2; 2], ends: [Vec2; 2]) -> [Vec2; 2] {
    let [p, q] = ends.map(|end| Vec2::from(axes.map(|axis| axis.dot(end))));
    if p.x <= q.x { [p, q] } else { [q, p] }
}
