//! The convex pieces of two shapes that are nearest to each other, or deepest in each other.

use std::iter;

use bevy::math::Vec2;
use smallvec::{SmallVec, smallvec};

use super::{
    convex::{MinkowskiDifference, Separation, separation_below},
    piece_pairs::{MAX_PIECES, with_piece_pairs},
    pieces::visit_piece_pairs,
    shape::{Shape, touching_slop},
};
use crate::aabb::{Aabb2d, box_separation, center, grow, half_size, merge};

/// The largest number of pairs of boxes in the search for the deepest of many overlapping pieces.
const MAX_DEEPEST_STEPS: u32 = 2000;
/// The size of the area that is searched first, as a fraction of where the boxes overlap.
const CENTRAL_FRACTION: f32 = 0.125;
/// How often the distance is doubled within which the nearest piece is searched.
const MAX_DISTANCE_DOUBLINGS: usize = 64;

/// Returns the separation of the pieces that are nearest to each other, or deepest in each other,
/// or `None` if they are not nearer than `limit` (world units). If many pieces overlap, it may not
/// be that of the deepest.
pub(super) fn nearest_pieces(a: &Shape, b: &Shape, limit: f32) -> Option<Separation> {
    for max_distance in search_distances(a, b, limit) {
        let nearest = nearest_within(a, b, max_distance, limit);
        if max_distance >= limit || nearest.is_some_and(|nearest| nearest.distance <= max_distance)
        {
            return nearest;
        }
    }
    None
}

/// Like [`nearest_pieces`], among the pieces that are at most `max_distance` apart.
fn nearest_within(a: &Shape, b: &Shape, max_distance: f32, limit: f32) -> Option<Separation> {
    let mut nearest: Option<Separation> = None;
    let mut visit = |p: &Shape, q: &Shape| {
        let limit = nearest.map_or(limit, |nearest| nearest.distance);
        if let (Some(p), Some(q)) = (p.as_convex(), q.as_convex())
            && let Some(separation) = separation_below(&p, &q, limit)
            && separation.distance < limit
        {
            nearest = Some(separation);
        }
        nearest.map_or(limit, |nearest| nearest.distance)
    };
    let mut least = limit;
    if a.is_convex() || b.is_convex() {
        let (convex, other) = if b.is_convex() { (b, a) } else { (a, b) };
        for (distance, area) in search_areas(other, &convex.aabb(), max_distance) {
            if distance >= least {
                break;
            }
            other.visit_convex_pieces(&area, |piece| {
                if box_separation(&piece.aabb(), &convex.aabb()) < least {
                    least = if b.is_convex() {
                        visit(piece, b)
                    } else {
                        visit(a, piece)
                    };
                }
            });
        }
        return nearest;
    }
    // Whether any pieces overlap has to be found, but the deepest ones are not worth a long search.
    let overlapping = -touching_slop(a, b);
    let areas = [grow(&b.aabb(), max_distance), grow(&a.aabb(), max_distance)];
    let searched = with_piece_pairs([a, b], &areas, MAX_PIECES, |pairs| {
        let bound = |p: &Aabb2d, q: &Aabb2d| box_separation(p, q).into();
        pairs.find_least(limit.into(), u32::MAX, bound, |p, q| {
            least = visit(p, q);
            if least < overlapping {
                f64::NEG_INFINITY
            } else {
                least.into()
            }
        });
        if least < overlapping {
            pairs.find_least(least.into(), MAX_DEEPEST_STEPS, bound, |p, q| {
                visit(p, q).into()
            });
        }
    });
    if searched.is_none() {
        b.visit_convex_pieces(&areas[1], |q| {
            if least < overlapping {
                return;
            }
            a.visit_convex_pieces(&grow(&q.aabb(), max_distance), |p| {
                if box_separation(&p.aabb(), &q.aabb()) < least {
                    least = visit(p, q);
                }
            });
        });
    }
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

/// Whether two shapes are nearer to each other than `limit`.
pub(super) fn are_near(a: &Shape, b: &Shape, limit: f32) -> bool {
    let mut are_near = false;
    visit_piece_pairs(a, b, limit.max(0.0), |p, q| {
        are_near = are_near || are_pieces_near(p, q, limit);
    });
    are_near
}

/// Whether pieces of two shapes near the center of their boxes' overlap are nearer to each other
/// than `limit`. This is found quickly even where both shapes are large.
pub(super) fn are_near_at_center(a: &Shape, b: &Shape, limit: f32) -> bool {
    let (p, q) = (a.aabb(), b.aabb());
    let both = Aabb2d {
        min: p.min.max(q.min),
        max: p.max.min(q.max),
    };
    let (center, half_size) = (center(&both), half_size(&both) * CENTRAL_FRACTION);
    let area = Aabb2d {
        min: center - half_size,
        max: center + half_size,
    };
    let mut are_near = false;
    b.visit_convex_pieces(&area, |q| {
        a.visit_convex_pieces(&area, |p| {
            are_near = are_near || are_pieces_near(p, q, limit);
        });
    });
    are_near
}

fn are_pieces_near(p: &Shape, q: &Shape, limit: f32) -> bool {
    if box_separation(&p.aabb(), &q.aabb()) < limit
        && let (Some(p), Some(q)) = (p.as_convex(), q.as_convex())
    {
        let nearest = MinkowskiDifference::between(&p, &q, 0.0).surface_point(limit);
        return nearest.is_some_and(|nearest| nearest.distance < limit);
    }
    false
}

/// The distances within which to search for the nearest piece: first what the bounding boxes
/// suggest, then more, and at last any below the limit.
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
    (nearest.into_iter().flatten())
        .chain([f32::INFINITY])
        .map(move |distance| distance.min(limit).max(0.0))
}
