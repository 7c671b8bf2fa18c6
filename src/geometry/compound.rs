//! Questions about shapes that are not convex: asked of their parts, pair by pair, and the answers
//! put together.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    CastHit, CastOutput, Separation, Shape,
    cast::{cast_convex, hit_at},
    contact::contains_point,
    distance::separation_below,
    minkowski::Obstacle,
    part_tree::{gap_between_boxes, time_of_entry, with_pairs},
    surface::depth_of_point,
    touching_slop,
    way_out::way_out,
};
use crate::aabb::{grow, merge, swept};

/// How long the deepest of many parts that overlap are looked for, in pairs of boxes.
const MAX_STEPS: u32 = 20_000;
/// How often the distance is doubled within which the nearest part is looked for.
const MAX_DOUBLINGS: i32 = 64;
/// How many cells of a grid are looked at together on a long way, and in how many stretches at
/// most.
const CELLS_PER_STRETCH: f32 = 8.0;
const MAX_STRETCHES: f32 = 4096.0;

/// Visits the parts of two shapes that may be nearer to each other than `reach`, in pairs.
pub(super) fn visit_pairs(a: &Shape, b: &Shape, reach: f32, mut visit: impl FnMut(&Shape, &Shape)) {
    let mut visit_with =
        |q: &Shape| a.visit_convex_pieces(&grow(&q.aabb(), reach), |p| visit(p, q));
    if b.is_convex() {
        visit_with(b);
    } else {
        b.visit_convex_pieces(&grow(&a.aabb(), reach), visit_with);
    }
}

/// The separation of two shapes, of which one at least is not convex; none, if they are not nearer
/// than `limit`.
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

/// The same by the parts that are nearest to each other. It may be none, or not, if they are
/// further apart than `limit`.
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

/// The separation of those parts that are nearest to each other, or deepest in each other; none, if
/// they are not nearer than `limit`. Of many parts in each other it may be that of others than the
/// deepest.
fn nearest_parts(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    for reach in reaches(a, b, limit) {
        let nearest = nearest_within(a, b, reach, limit);
        if reach >= limit || nearest.is_some_and(|nearest| nearest.distance <= reach) {
            return nearest;
        }
    }
    None
}

/// The same among the parts that are not further from each other than `reach`. Of many that overlap
/// it may be others than the deepest.
fn nearest_within(a: &Shape, b: &Shape, reach: f32, limit: f32) -> Option<Separation> {
    let mut nearest: Option<Separation> = None;
    let mut visit = |p: &Shape, q: &Shape| {
        let limit = nearest.map_or(limit, |nearest| nearest.distance);
        if let Some(separation) = separation_below(p, q, limit)
            && separation.distance < limit
        {
            nearest = Some(separation);
        }
        nearest.map_or(limit, |nearest| nearest.distance)
    };
    let mut least = limit;
    if a.is_convex() || b.is_convex() {
        visit_pairs(a, b, reach, |p, q| {
            if gap_between_boxes(&p.aabb(), &q.aabb()) < least {
                least = visit(p, q);
            }
        });
        return nearest;
    }
    // Whether any overlap has to be found out, but then the deepest are not worth a long search.
    let overlapping = -touching_slop(a, b);
    let areas = [grow(&b.aabb(), reach), grow(&a.aabb(), reach)];
    let searched = with_pairs([a, b], &areas, |pairs| {
        let gap = |p: &Aabb2d, q: &Aabb2d| gap_between_boxes(p, q).into();
        pairs.find_least(limit.into(), u32::MAX, gap, |p, q| {
            least = visit(p, q);
            if least < overlapping {
                f64::NEG_INFINITY
            } else {
                least.into()
            }
        });
        if least < overlapping {
            pairs.find_least(least.into(), MAX_STEPS, gap, |p, q| visit(p, q).into());
        }
    });
    if searched.is_none() {
        b.visit_convex_pieces(&areas[1], |q| {
            if least < overlapping {
                return;
            }
            a.visit_convex_pieces(&grow(&q.aabb(), reach), |p| {
                if gap_between_boxes(&p.aabb(), &q.aabb()) < least {
                    least = visit(p, q);
                }
            });
        });
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
        let is_near_box = || gap_between_boxes(&p.aabb(), &q.aabb()) < limit;
        let gap = || Obstacle::between(p, q, 0.0).gap_below(limit);
        are_near = are_near || is_near_box() && gap().is_some_and(|gap| gap.distance < limit);
    });
    are_near
}

/// When `moving` comes nearer to `resting` than `inflation`.
pub(super) fn cast_pieces_with_margin(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    inflation: f32,
) -> Option<CastOutput> {
    let FirstMeeting { cast, .. } = first_meeting(moving, displacement, resting, inflation)?;
    if cast.fraction > 0.0 {
        return Some(cast);
    }
    let deep = separation_of_parts(moving, resting, -touching_slop(moving, resting));
    Some(deep.map_or(cast, |deep| CastOutput {
        normal: -deep.normal,
        ..cast
    }))
}

/// Where `moving` first touches `resting`.
pub(super) fn cast_pieces(moving: &Shape, displacement: Vec2, resting: &Shape) -> Option<CastHit> {
    let FirstMeeting { cast, parts } = first_meeting(moving, displacement, resting, 0.0)?;
    let hit = hit_at(
        cast.fraction,
        cast.normal,
        (&parts[0], displacement, &parts[1]),
    );
    if cast.fraction > 0.0 {
        return Some(hit);
    }
    let deep = separation_of_parts(moving, resting, -touching_slop(moving, resting));
    Some(deep.map_or(hit, |deep| CastHit {
        normal: -deep.normal,
        point: deep.point_b,
        ..hit
    }))
}

/// The parts of two shapes that meet first, and when they do.
struct FirstMeeting {
    cast: CastOutput,
    parts: [Shape; 2],
}

/// When which part of the first shape comes nearer to one of the second than `inflation` first:
/// stretch by stretch, for most cells of a grid are not on a long way.
fn first_meeting(
    moving: &Shape,
    displacement: Vec2,
    resting: &Shape,
    inflation: f32,
) -> Option<FirstMeeting> {
    if !(moving.is_finite() && resting.is_finite() && displacement.is_finite()) {
        return None;
    }
    let slop = touching_slop(moving, resting);
    let on_way = |aabb: &Aabb2d, way: Vec2| grow(&swept(aabb, way), inflation + slop);
    let area_of_moving = on_way(&resting.aabb(), -displacement);
    let time_at_boxes = |p: &Aabb2d, q: &Aabb2d| {
        time_of_entry(p, &grow(q, inflation + slop), displacement).unwrap_or(f64::INFINITY)
    };
    let stretches = stretches_of((moving, displacement), resting);
    let mut first: Option<FirstMeeting> = None;
    for number in 0..stretches as u16 {
        let [start, end] = [number, number + 1].map(|part| f32::from(part) / stretches);
        let there = moving.translated(displacement * start);
        let area = on_way(&there.aabb(), displacement * (end - start));
        let mut meet = |p: &Shape, q: &Shape| {
            let limit = first
                .as_ref()
                .map_or(f64::INFINITY, |first| first.cast.fraction);
            if time_at_boxes(&p.aabb(), &q.aabb()) < limit
                && let Some(cast) = cast_convex(p, displacement, q, inflation)
                && cast.fraction < limit
            {
                first = Some(FirstMeeting {
                    cast,
                    parts: [p.clone(), q.clone()],
                });
                return cast.fraction;
            }
            limit
        };
        let searched = (!moving.is_convex() && !resting.is_convex())
            .then(|| {
                with_pairs([moving, resting], &[area_of_moving, area], |pairs| {
                    pairs.find_least(f64::INFINITY, u32::MAX, time_at_boxes, &mut meet);
                })
            })
            .flatten();
        if searched.is_none() {
            resting.visit_convex_pieces(&area, |q| {
                moving.visit_convex_pieces(&on_way(&q.aabb(), -displacement), |p| {
                    meet(p, q);
                });
            });
        }
        if (first.as_ref()).is_some_and(|first| first.cast.fraction <= end.into()) {
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

/// Distances within which to look for the nearest part: first what the boxes tell, then more, and
/// at last any below the limit.
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
        let all = merge(&p, &q);
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
