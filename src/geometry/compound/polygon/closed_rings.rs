//! Several outlines as one list of points: each ends where it comes back to its first point.

use bevy::math::Vec2;

/// Returns the points of all outlines. A single one ends with its last point, because nothing comes
/// after it.
pub(super) fn joined<'a>(outlines: impl Iterator<Item = &'a [Vec2]>) -> Vec<Vec2> {
    let mut outlines = outlines.peekable();
    let mut points = outlines.next().unwrap_or_default().to_vec();
    if outlines.peek().is_some() {
        points.extend(points.first().copied());
    }
    for outline in outlines {
        points.extend(outline.iter().chain(outline.first()));
    }
    points
}

/// Returns the outlines in a list of points.
pub(super) fn split(points: &[Vec2]) -> Vec<Vec<Vec2>> {
    let mut outlines: Vec<Vec<Vec2>> = Vec::new();
    let mut current: Vec<Vec2> = Vec::new();
    for &point in points {
        if current.first() == Some(&point) && current.last() != Some(&point) {
            outlines.push(std::mem::take(&mut current));
        } else {
            current.push(point);
        }
    }
    // The end of the last outline may come several times.
    let last = outlines.last().and_then(|outline| outline.first());
    let is_end = last.is_some_and(|last| current.iter().all(|point| point == last));
    if !is_end {
        outlines.push(current);
    }
    outlines
}
