//! The convex pieces of two shapes that are nearest to each other, or deepest in each other.

use std::iter;

use bevy::math::Vec2;
use smallvec::{SmallVec, smallvec};

use super::{
    convex::{Separation, separation_below},
    shape::Shape,
};
use crate::aabb::{Aabb2d, box_separation, grow, half_size, merge};

/// How often the distance is doubled within which the nearest piece is searched.
const MAX_DISTANCE_DOUBLINGS: usize = 64;

/// Returns the separation of the two pieces that are nearest to each other or, if any overlap, of
/// those that are deepest in each other; `None` if none are nearer than `limit` (world units). Of
/// several equal pairs, the first one in the order of the pieces counts.
pub(super) fn nearest_pieces(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    // By the shapes alone, so that their order makes no difference unless their boxes are equal.
    let size = |shape: &Shape| {
        let aabb = shape.aabb();
        let half_size = half_size(&aabb).element_sum();
        (!shape.is_convex(), half_size, aabb.min.x, aabb.min.y)
    };
    if size(b) < size(a) {
        nearest_to_smaller(b, a, limit).map(Separation::flipped)
    } else {
        nearest_to_smaller(a, b, limit)
    }
}

/// Like [`nearest_pieces`], where only the pieces near the smaller shape are visited.
fn nearest_to_smaller(smaller: &Shape, other: &Shape, limit: f32) -> Option<Separation> {
    let mut nearest: Option<Separation> = None;
    for max_distance in search_distances(smaller, other, limit) {
        let least = nearest.map_or(limit, |nearest| nearest.distance);
        nearest = nearest_within(smaller, other, max_distance, least).or(nearest);
        if max_distance >= limit || nearest.is_some_and(|found| found.distance <= max_distance) {
            break;
        }
    }
    let mut nearest = nearest?;
    let (mut max_distance, exact_depth) = (0.0, exact_depth(smaller, other));
    while -nearest.distance > max_distance + exact_depth {
        max_distance = -2.0 * nearest.distance;
        // Replaces an equal one, too, whose normal may be that of a cut.
        let limit = nearest.distance.next_up();
        match nearest_within(smaller, other, max_distance, limit) {
            Some(deeper) => nearest = deeper,
            None => break,
        }
    }
    Some(nearest)
}

/// The depth up to which a search among the overlapping pieces is exact, in world units. The
/// rectangles of a grid are cut off beside the other shape: what is deeper in one may be nearer to
/// the cut than to an edge. Each unit by which the searched area grows adds one.
fn exact_depth(smaller: &Shape, other: &Shape) -> f32 {
    let is_grid = |shape: &Shape| matches!(shape, Shape::Tiles { .. });
    if !(is_grid(smaller) || is_grid(other)) {
        f32::INFINITY
    } else if smaller.is_convex() {
        half_size(&smaller.aabb()).min_element().max(0.0)
    } else {
        0.0
    }
}

/// Returns the least separation of two pieces among those that are at most `max_distance` apart, or
/// `None` if it is not below `limit`.
fn nearest_within(
    smaller: &Shape,
    other: &Shape,
    max_distance: f32,
    limit: f32,
) -> Option<Separation> {
    let bounds = other.aabb();
    let (mut nearest, mut least) = (None, limit);
    smaller.visit_convex_pieces(&grow(&bounds, max_distance), &mut |p| {
        let aabb = p.aabb();
        let Some(p) = (p.as_convex()).filter(|_| box_separation(&aabb, &bounds) < least) else {
            return;
        };
        for (distance, area) in search_areas(other, &aabb, max_distance) {
            if distance >= least {
                break;
            }
            other.visit_convex_pieces(&area, &mut |q| {
                if box_separation(&aabb, &q.aabb()) < least
                    && let Some(q) = q.as_convex()
                    && let Some(separation) = separation_below(&p, &q, least)
                    && separation.distance < least
                {
                    least = separation.distance;
                    nearest = Some(separation);
                }
            });
        }
    });
    nearest
}

/// Areas that together contain all pieces of a shape nearer to a box than `max_distance`, each with
/// a lower bound of its distance from the box. Many for a large grid, nearest first.
fn search_areas(shape: &Shape, from: &Aabb2d, max_distance: f32) -> SmallVec<[(f32, Aabb2d); 1]> {
    let area = grow(from, max_distance);
    if let Shape::Tiles { tiles, placement } = shape
        && let Some(chunks) = tiles.chunk_boxes(&placement.inverse_transform_aabb(&area))
    {
        let mut areas: SmallVec<[(f32, Aabb2d); 1]> = chunks
            .map(|chunk| placement.transform_aabb(&chunk))
            .map(|chunk| (box_separation(&chunk, from), chunk))
            .collect();
        areas.sort_unstable_by(|p, q| {
            (p.0.total_cmp(&q.0))
                .then(p.1.min.x.total_cmp(&q.1.min.x))
                .then(p.1.min.y.total_cmp(&q.1.min.y))
        });
        return areas;
    }
    smallvec![(f32::NEG_INFINITY, area)]
}

/// The distances within which to search for the nearest piece: first none, so that a depth does not
/// depend on the limit, then what the bounding boxes suggest, then more, and at last any below the
/// limit.
fn search_distances(a: &Shape, b: &Shape, limit: f32) -> impl Iterator<Item = f32> {
    // Shapes that have to overlap are not searched any further.
    let nearest = (limit > 0.0).then(|| {
        let (p, q) = (a.aabb(), b.aabb());
        let between = (q.min - p.max).max(p.min - q.max).max(Vec2::ZERO).length();
        let sizes = [a.piece_half_extent(), b.piece_half_extent()];
        let size = if sizes[0].min(sizes[1]) > 0.0 {
            sizes[0].min(sizes[1])
        } else {
            sizes[0].max(sizes[1])
        };
        let all = merge(&p, &q);
        let furthest = (all.max - all.min).element_sum();
        iter::successors(Some(between + size), |distance| Some(2.0 * distance))
            .take(MAX_DISTANCE_DOUBLINGS)
            .take_while(move |distance| *distance > 0.0 && *distance < furthest)
    });
    iter::once(0.0)
        .chain(nearest.into_iter().flatten())
        .chain([f32::INFINITY])
        .map(move |distance| distance.min(limit).max(0.0))
}
