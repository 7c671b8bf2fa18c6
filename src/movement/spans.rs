//! Parts of a straight way, as fractions of it, in which a shape is near others.

use bevy::math::Vec2;

use crate::geometry::{Shape, SurfacePoint, cast_from, surface_point};

/// How far the start of a span may be behind the end of another one to be no gap: rounding.
const NO_GAP: f32 = 1e-6;

/// The part of a way on which a shape is nearer to a wall than `reach`: start and end, in 0..=1.
pub(super) fn span_near(shape: &Shape, way: Vec2, wall: &Shape, reach: f32) -> Option<[f32; 2]> {
    span_across(&surface_point(shape, wall)?, shape, way, wall, reach)
}

/// The same, where the gap at the start is known.
pub(super) fn span_across(
    gap: &SurfacePoint,
    shape: &Shape,
    way: Vec2,
    wall: &Shape,
    reach: f32,
) -> Option<[f32; 2]> {
    let end = shape.translated(way);
    let gap_at_end = surface_point(&end, wall)?;
    // The distance from what is convex is a convex function of the way: near at both ends is near all along.
    if gap.distance.max(gap_at_end.distance) < reach && shape.is_convex() && wall.is_convex() {
        return Some([0.0, 1.0]);
    }
    let from_start = cast_from(gap, shape, way, wall, reach)?;
    let from_behind = cast_from(&gap_at_end, &end, -way, wall, reach)?;
    Some([
        from_start.fraction as f32,
        1.0 - from_behind.fraction as f32,
    ])
}

/// Where the first part of a way ends that is covered without a gap; zero, if the start is not covered.
pub(super) fn first_gap(spans: &mut [[f32; 2]]) -> f32 {
    spans.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]));
    let mut covered = 0.0f32;
    for [start, end] in spans {
        if *start > covered + NO_GAP {
            break;
        }
        covered = covered.max(*end);
    }
    covered
}
