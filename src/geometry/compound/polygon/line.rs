//! Lines with a thickness, as outlines that share their ends.

use bevy::math::{DVec2, Vec2};

use super::error::PolygonError;

/// The longest distance from a bend to the vertex of the line's border there, in thicknesses: that
/// of a turn by 120 degrees.
const MAX_MITRE: f64 = 2.0;
/// On the inner side of a bend, the border may be shorter than the line by this fraction of the
/// shorter segment.
const MAX_RETREAT: f64 = 0.45;

/// Returns the outlines of all segments of a line, each up to `left` and `right` of it. Neighbors
/// share the edge across the bend between them (mitre joints).
pub(super) fn segments(
    points: impl IntoIterator<Item = Vec2>,
    left: f32,
    right: f32,
) -> Result<Vec<Vec<Vec2>>, PolygonError> {
    let points: Vec<Vec2> = points.into_iter().collect();
    let [left, right] = [left, right].map(|thickness| f64::from(thickness.max(0.0)));
    let reach = (MAX_MITRE * (left + right)) as f32;
    if let Some(point) = (points.iter()).position(|point| !(point.abs() + reach).is_finite()) {
        return Err(PolygonError::NotFinite { outline: 0, point });
    }
    if left + right == 0.0 {
        return Err(PolygonError::NoArea);
    }
    let mut points: Vec<DVec2> = points.iter().map(|point| point.as_dvec2()).collect();
    points.dedup();
    let is_closed = points.len() > 3 && points.first() == points.last();
    let segments = points.len().saturating_sub(1);
    if segments == 0 {
        let count = points.len();
        return Err(PolygonError::TooFewPoints { outline: 0, count });
    }
    let borders: Vec<[Vec2; 2]> = (0..points.len())
        .map(|point| {
            let before = point.checked_sub(1).or(is_closed.then(|| segments - 1));
            let after = (point < segments)
                .then_some(point)
                .or(is_closed.then_some(0));
            let [before, after] = [before, after]
                .map(|segment| segment.map(|start| points[start + 1] - points[start]));
            let ends = [before.or(after), after.or(before)].map(Option::unwrap_or_default);
            let [to_left, to_right] = joint(ends, left, right);
            [points[point] + to_left, points[point] - to_right].map(|border| border.as_vec2())
        })
        .collect();
    let outlines =
        (borders.windows(2)).map(|ends| vec![ends[0][0], ends[0][1], ends[1][1], ends[1][0]]);
    Ok(outlines.collect())
}

/// Returns the displacement to the border on the left at the bend between two segments, and the
/// opposite of that to the border on the right.
fn joint([before, after]: [DVec2; 2], left: f64, right: f64) -> [DVec2; 2] {
    let directions = [before, after].map(DVec2::normalize_or_zero);
    let [cos, sin] = [
        directions[0].dot(directions[1]),
        directions[0].perp_dot(directions[1]),
    ];
    // Zero where the line turns back.
    let divisor = (1.0 + cos).max(f64::MIN_POSITIVE);
    let normals = directions.map(DVec2::perp);
    let mitre = ((normals[0] + normals[1]) / divisor).clamp_length_max(MAX_MITRE);
    // The tangent of half the turn: how much shorter the border is per thickness.
    let retreat = sin.abs() / divisor;
    let max_inner = MAX_RETREAT * before.length().min(after.length()) / retreat;
    let [left, right] = if sin > 0.0 {
        [left.min(max_inner), right]
    } else {
        [left, right.min(max_inner)]
    };
    [mitre * left, mitre * right]
}
