//! Questions about shapes that are not convex: asked of their parts, pair by pair, and the answers put together.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    CastHit, Impact, Separation, Shape,
    cast::{cast_convex, impact_of_convex},
    distance::separation_below,
    minkowski::Obstacle,
    touching_slop,
    way_out::way_out,
};
use crate::aabb::{grown, merged};

/// How often the distance is doubled within which the nearest part is looked for.
const MAX_DOUBLINGS: i32 = 64;

/// Visits the parts of two shapes that may be nearer to each other than `reach`, in pairs.
pub(super) fn visit_pairs(a: &Shape, b: &Shape, reach: f32, mut visit: impl FnMut(&Shape, &Shape)) {
    b.visit_parts(&grown(&a.aabb(), reach), |q| {
        a.visit_parts(&grown(&q.aabb(), reach), |p| visit(p, q));
    });
}

/// The separation of two shapes, of which one at least is not convex; none, if they are not nearer than `limit`.
pub(super) fn separation_of_parts(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    let mut nearest: Option<Separation> = None;
    for reach in reaches(a, b) {
        let reach = reach.min(limit).max(0.0);
        visit_pairs(a, b, reach, |p, q| {
            let limit = nearest.map_or(limit, |nearest| nearest.distance);
            if let Some(separation) = separation_below(p, q, limit)
                && separation.distance < limit
            {
                nearest = Some(separation);
            }
        });
        if reach >= limit || nearest.is_some_and(|nearest| nearest.distance <= reach) {
            break;
        }
    }
    let nearest = nearest?;
    if nearest.distance < -touching_slop(a, b) {
        Some(way_out(a, b, &nearest))
    } else {
        Some(nearest)
    }
}

/// Whether two shapes are nearer to each other than `limit`.
pub(super) fn are_near(a: &Shape, b: &Shape, limit: f32) -> bool {
    let mut are_near = false;
    visit_pairs(a, b, limit.max(0.0), |p, q| {
        let gap = || Obstacle::between(p, q, 0.0).gap_below(limit);
        are_near = are_near || gap().is_some_and(|gap| gap.distance < limit);
    });
    are_near
}

/// When `moving` comes nearer to `resting` than `inflation`.
pub(super) fn impact_of_parts(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    inflation: f32,
) -> Option<Impact> {
    let mut first: Option<Impact> = None;
    visit_pairs_on_way((moving, displacement), resting, inflation, |p, q| {
        if let Some(impact) = impact_of_convex(p, displacement, q, inflation)
            && first.is_none_or(|first| impact.time < first.time)
        {
            first = Some(impact);
        }
    });
    let first = first?;
    if first.time > 0.0 {
        return Some(first);
    }
    let deep = separation_of_parts(moving, resting, -touching_slop(moving, resting));
    Some(deep.map_or(first, |deep| Impact {
        normal: -deep.normal,
        ..first
    }))
}

/// Where `moving` first touches `resting`.
pub(super) fn cast_parts(moving: &Shape, displacement: Vec2, resting: &Shape) -> Option<CastHit> {
    let mut first: Option<(f64, CastHit)> = None;
    visit_pairs_on_way((moving, displacement), resting, 0.0, |p, q| {
        if let Some((time, hit)) = cast_convex(p, displacement, q)
            && first.is_none_or(|(first, _)| time < first)
        {
            first = Some((time, hit));
        }
    });
    let (time, hit) = first?;
    if time > 0.0 {
        return Some(hit);
    }
    let deep = separation_of_parts(moving, resting, -touching_slop(moving, resting));
    Some(deep.map_or(hit, |deep| CastHit {
        normal: -deep.normal,
        point: deep.point_b,
        ..hit
    }))
}

/// Visits the parts of two shapes that may come nearer to each other than `reach` while the first one moves.
fn visit_pairs_on_way(
    (moving, displacement): (&Shape, Vec2),
    resting: &Shape,
    reach: f32,
    mut visit: impl FnMut(&Shape, &Shape),
) {
    let on_way = |aabb: &Aabb2d, displacement: Vec2| {
        let end = Aabb2d {
            min: aabb.min + displacement,
            max: aabb.max + displacement,
        };
        grown(&merged(aabb, &end), reach)
    };
    resting.visit_parts(&on_way(&moving.aabb(), displacement), |q| {
        moving.visit_parts(&on_way(&q.aabb(), -displacement), |p| visit(p, q));
    });
}

/// Distances within which to look for the nearest part: first what the boxes tell, then more, and at last any.
fn reaches(a: &Shape, b: &Shape) -> impl Iterator<Item = f32> {
    let (p, q) = (a.aabb(), b.aabb());
    let between = (q.min - p.max).max(p.min - q.max).max(Vec2::ZERO).length();
    let first = between + p.half_size().min(q.half_size()).max_element();
    (0..MAX_DOUBLINGS)
        .map(move |doublings| first * 2f32.powi(doublings))
        .take_while(|reach| *reach > 0.0)
        .chain([f32::INFINITY])
}
