//! The intervals of a displacement on which a shape is near others.

use bevy::math::Vec2;

use crate::{
    geometry::{Shape, SurfacePoint, cast_from, surface_point},
    movement::tolerances::INTERVAL_SLOP,
};

/// The fractions of a displacement between which a shape is nearer to a resting one than `distance`
/// (world units).
pub(crate) fn near_interval(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    distance: f32,
) -> Option<[f32; 2]> {
    let surface = surface_point(moving, resting)?;
    near_interval_from(&surface, moving, displacement, resting, distance)
}

/// Like [`near_interval`], given the surface point at the start.
pub(crate) fn near_interval_from(
    surface: &SurfacePoint,
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    distance: f32,
) -> Option<[f32; 2]> {
    let end = moving.translated(displacement);
    let surface_at_end = surface_point(&end, resting)?;
    // The distance from a convex shape is a convex function of the displacement: near at both ends
    // is near all along.
    let farthest = surface.distance.max(surface_at_end.distance);
    if farthest < distance && moving.is_convex() && resting.is_convex() {
        return Some([0.0, 1.0]);
    }
    // A cast that starts near and leads away hits nothing.
    let start = if surface.distance < distance {
        0.0
    } else {
        cast_from(surface, moving, displacement, resting, distance)?.fraction
    };
    let from_end = if surface_at_end.distance < distance {
        0.0
    } else {
        cast_from(&surface_at_end, &end, -displacement, resting, distance)?.fraction
    };
    Some([start as f32, 1.0 - from_end as f32])
}

/// The fraction up to which intervals cover a displacement without a gap; zero if they do not cover
/// its start.
pub(crate) fn covered_until(intervals: &mut [[f32; 2]]) -> f32 {
    intervals.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]));
    let mut covered = 0.0f32;
    for [start, end] in intervals {
        if *start > covered + INTERVAL_SLOP {
            break;
        }
        covered = covered.max(*end);
    }
    covered
}
