//! Questions about shapes that are not convex: asked of their parts, pair by pair, and the answers put together.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    CastHit, Impact, Separation, Shape,
    cast::{cast_convex, impact_of_convex},
    contact::contains_point,
    distance::separation_below,
    minkowski::Obstacle,
    surface::depth_of_point,
    touching_slop,
    way_out::way_out,
};
use crate::aabb::{grown, merged, swept};

/// How often the distance is doubled within which the nearest part is looked for.
const MAX_DOUBLINGS: i32 = 64;
/// How many cells of a grid are looked at together on a long way, and in how many stretches at most.
const CELLS_PER_STRETCH: f32 = 8.0;
const MAX_STRETCHES: f32 = 4096.0;

/// Visits the parts of two shapes that may be nearer to each other than `reach`, in pairs.
pub(super) fn visit_pairs(a: &Shape, b: &Shape, reach: f32, mut visit: impl FnMut(&Shape, &Shape)) {
    let mut visit_with = |q: &Shape| a.visit_parts(&grown(&q.aabb(), reach), |p| visit(p, q));
    if b.is_convex() {
        visit_with(b);
    } else {
        b.visit_parts(&grown(&a.aabb(), reach), visit_with);
    }
}

/// The separation of two shapes, of which one at least is not convex; none, if they are not nearer than `limit`.
pub(super) fn separation_of_parts(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    if !(a.is_finite() && b.is_finite()) {
        return None;
    }
    let back = || separation_inside(b, a).map(Separation::flipped);
    let found = separation_inside(a, b)
        .or_else(back)
        .or_else(|| separation_of_nearest(a, b, limit))?;
    (found.distance < limit).then_some(found)
}

/// The same by the parts that are nearest to each other. It may be none, or not, if they are further apart than `limit`.
fn separation_of_nearest(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    let slop = touching_slop(a, b);
    // What has no width is apart from all parts by zero where it lies between two.
    let is_thin = [a, b].map(|shape| shape.is_thinner_than(slop)) != [false; 2];
    let reach = if is_thin {
        limit.max(2.0 * slop)
    } else {
        limit
    };
    let nearest = nearest_parts(a, b, reach)?;
    let is_between = || is_thin && nearest.distance <= slop && (crosses(a, b) || crosses(b, a));
    Some(if nearest.distance < -slop || is_between() {
        way_out(a, b, &nearest)
    } else {
        nearest
    })
}

/// The separation of those parts that are nearest to each other, or deepest in each other; none, if they are not nearer than `limit`.
fn nearest_parts(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    let mut nearest: Option<Separation> = None;
    for reach in reaches(a, b, limit) {
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
    nearest
}

/// The separation of a point from a shape that is not convex, if it is in it.
fn separation_inside(point: &Shape, shape: &Shape) -> Option<Separation> {
    let core = point.core()?;
    let is_point = core.half_size == Vec2::ZERO && core.radius == 0.0;
    let place = point.center();
    (is_point && !shape.is_convex() && contains_point(shape, place))
        .then(|| depth_of_point(place, shape))?
}

/// Whether the middle or an end of what is thin is in a shape that is not convex.
fn crosses(thin: &Shape, shape: &Shape) -> bool {
    let half = (thin.core()).map_or(Vec2::ZERO, |core| core.rotation * core.half_size);
    !shape.is_convex()
        && thin.is_convex()
        && [Vec2::ZERO, half, -half]
            .into_iter()
            .any(|off| contains_point(shape, thin.center() + off))
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
    let way = (moving, displacement);
    let impact = |p: &Shape, q: &Shape| impact_of_convex(p, displacement, q, inflation);
    let first = first_of_parts(way, resting, inflation, impact, |impact| impact.time)?;
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
    let cast = |p: &Shape, q: &Shape| cast_convex(p, displacement, q);
    let (time, hit) = first_of_parts((moving, displacement), resting, 0.0, cast, |met| met.0)?;
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

/// What the first shape meets first of the parts of the second one that may come nearer than `reach` on its way: stretch by stretch, for
/// most cells of a grid are not on a long one.
fn first_of_parts<Meeting>(
    (moving, displacement): (&Shape, Vec2),
    resting: &Shape,
    reach: f32,
    meet: impl Fn(&Shape, &Shape) -> Option<Meeting>,
    time: impl Fn(&Meeting) -> f64,
) -> Option<Meeting> {
    if !(moving.is_finite() && resting.is_finite() && displacement.is_finite()) {
        return None;
    }
    let on_way = |aabb: &Aabb2d, displacement: Vec2| grown(&swept(aabb, displacement), reach);
    let stretches = stretches_of((moving, displacement), resting);
    let mut first: Option<Meeting> = None;
    for number in 0..stretches as u16 {
        let [start, end] = [number, number + 1].map(|part| f32::from(part) / stretches);
        let there = moving.translated(displacement * start);
        let area = on_way(&there.aabb(), displacement * (end - start));
        resting.visit_parts(&area, |q| {
            moving.visit_parts(&on_way(&q.aabb(), -displacement), |p| {
                if let Some(met) = meet(p, q)
                    && (first.as_ref()).is_none_or(|first| time(&met) < time(first))
                {
                    first = Some(met);
                }
            });
        });
        if (first.as_ref()).is_some_and(|first| time(first) <= end.into()) {
            break;
        }
    }
    first
}

/// Into how many stretches a way is cut, because what is in the way is a grid.
fn stretches_of((moving, displacement): (&Shape, Vec2), resting: &Shape) -> f32 {
    if !matches!(resting, Shape::Tiles { .. }) {
        return 1.0;
    }
    let size = moving.aabb().half_size().max_element() + CELLS_PER_STRETCH * part_size(resting);
    if size > 0.0 {
        (displacement.length() / size)
            .clamp(1.0, MAX_STRETCHES)
            .ceil()
    } else {
        1.0
    }
}

/// Distances within which to look for the nearest part: first what the boxes tell, then more, and at last any below the limit.
fn reaches(a: &Shape, b: &Shape, limit: f32) -> impl Iterator<Item = f32> {
    // Shapes that have to overlap are not looked for any further.
    let nearest = (limit > 0.0).then(|| {
        let (p, q) = (a.aabb(), b.aabb());
        let between = (q.min - p.max).max(p.min - q.max).max(Vec2::ZERO).length();
        let sizes = [part_size(a), part_size(b)];
        let size = if sizes[0].min(sizes[1]) > 0.0 {
            sizes[0].min(sizes[1])
        } else {
            sizes[0].max(sizes[1])
        };
        let all = merged(&p, &q);
        let furthest = (all.max - all.min).element_sum();
        (0..MAX_DOUBLINGS)
            .map(move |doublings| (between + size) * 2f32.powi(doublings))
            .take_while(move |reach| *reach > 0.0 && *reach < furthest)
    });
    (nearest.into_iter().flatten())
        .chain([f32::INFINITY])
        .map(move |reach| reach.min(limit).max(0.0))
}

/// About how large the parts of a shape are, in world units.
fn part_size(shape: &Shape) -> f32 {
    if let Shape::Polygon { polygon, placement } = shape
        && let Some(size) = polygon.piece_size()
    {
        return size * placement.scale().max_element();
    }
    match shape {
        Shape::Tiles { tiles, placement } => (tiles.cell_size() * placement.scale()).max_element(),
        _ => shape.aabb().half_size().max_element(),
    }
}
