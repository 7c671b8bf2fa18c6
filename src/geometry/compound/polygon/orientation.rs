//! On which side of a line a point is, with an exact sign, and where segments cross.

use bevy::math::{DVec2, Vec2};

/// The part of an [`orientation`] that may be rounding, as a fraction of its products (Shewchuk
/// 1997, section 4.2).
const ORIENTATION_ROUNDING: f64 = 2.0 * f64::EPSILON;

/// Returns twice the area of a triangle: positive if `point` lies to the left of the line from
/// `start` to `end`, zero if it lies on the line. The sign is exact.
pub(super) fn orientation(start: Vec2, end: Vec2, point: Vec2) -> f64 {
    let [start, end, point] = [start, end, point].map(|p| p.as_dvec2());
    let (along, to_point) = (end - start, point - start);
    let products = [along.x * to_point.y, along.y * to_point.x];
    let area = products[0] - products[1];
    let rounding = ORIENTATION_ROUNDING * (products[0].abs() + products[1].abs());
    if area.abs() >= rounding {
        area
    } else {
        exact_orientation([start, end, point])
    }
}

/// Whether two segments cross at a point that is not an end of either.
pub(super) fn are_crossing([[p, q], [r, s]]: [[Vec2; 2]; 2]) -> bool {
    let are_on_both_sides =
        |sides: [f64; 2]| (sides[0] < 0.0 && sides[1] > 0.0) || (sides[0] > 0.0 && sides[1] < 0.0);
    are_on_both_sides([orientation(p, q, r), orientation(p, q, s)])
        && are_on_both_sides([orientation(r, s, p), orientation(r, s, q)])
}

/// Whether a point is on a segment, its ends included.
pub(super) fn is_on_segment([start, end]: [Vec2; 2], point: Vec2) -> bool {
    point.cmpge(start.min(end)).all()
        && point.cmple(start.max(end)).all()
        && orientation(start, end, point) == 0.0
}

/// Returns the distance of a point from a segment, in the units of the points.
pub(super) fn distance_to_segment(segment: [Vec2; 2], point: Vec2) -> f64 {
    let [start, end] = segment.map(|end| end.as_dvec2() - point.as_dvec2());
    let edge = end - start;
    let fraction = (-start.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
    (start + edge * fraction).length()
}

/// The exact [`orientation`], for when rounding could change the sign. The sum is kept as several
/// numbers whose bits do not overlap, so that the largest one has its sign (Shewchuk, "Adaptive
/// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997, section 2.4).
#[cold]
fn exact_orientation([a, b, c]: [DVec2; 3]) -> f64 {
    // Products of single precision are exact in double precision.
    let products = [
        a.x * b.y,
        -a.y * b.x,
        b.x * c.y,
        -b.y * c.x,
        c.x * a.y,
        -c.y * a.x,
    ];
    let mut components = [0.0; 6];
    for (count, product) in products.into_iter().enumerate() {
        let mut sum = product;
        for component in &mut components[..count] {
            let rounded = sum + *component;
            let added = rounded - sum;
            *component = (sum - (rounded - added)) + (*component - added);
            sum = rounded;
        }
        components[count] = sum;
    }
    (components.into_iter().rev())
        .find(|component| *component != 0.0)
        .unwrap_or(0.0)
}
