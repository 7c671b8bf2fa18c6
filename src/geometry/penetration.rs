//! Penetration of shapes that are not convex: a translation that separates the whole shapes. The
//! translation of one pair of pieces is shorter, but may lead into other pieces.
//!
//! 1. If the translation of the deepest pieces separates the shapes, it is the penetration.
//! 2. Otherwise, straight translations are tried in many directions, and along the normals of the
//!    edges that these cross last.
//! 3. If none of them is shorter than the translation out of the bounding box, or if there are too
//!    many pieces to search, the penetration is the latter.

use std::{cell::Cell, f32::consts::TAU};

use bevy::math::Vec2;

use super::{
    convex::Separation,
    nearest::are_near,
    obstacle_set::{Exit, ObstacleSet, Translation},
    piece_pairs::{MAX_PIECES, with_piece_pairs},
    shape::{Shape, touching_slop},
    vectors::unit_vector,
};
use crate::aabb::{Aabb2d, center, grow};

/// A translation is accepted at once if it is at most this many times longer than that of the
/// deepest pieces.
const MAX_DETOUR_RATIO: f32 = 1.02;
/// The number of directions of straight translations.
const TRANSLATION_DIRECTIONS: u32 = 24;
/// The angle between two of them.
const DIRECTION_STEP: f32 = TAU / TRANSLATION_DIRECTIONS as f32;
/// An edge is crossed head-on if the dot product of its normal and the direction is larger.
const HEAD_ON_DOT: f32 = 0.9999;
/// How often the angle between directions is halved to find a better one.
const ANGLE_HALVINGS: u32 = 5;
/// How often the length of a translation is halved to find where it leads out beside a round
/// corner.
const LENGTH_BISECTIONS: usize = 10;
/// The first search distance, as a multiple of the distance that separates the deepest pieces.
const FIRST_SEARCH: f32 = 2.0;
/// The factor by which the search distance grows.
const SEARCH_GROWTH: f32 = 3.0;
/// The growth factor where neither shape is convex: the pieces found first are seldom all that
/// overlap after the translation.
const SEARCH_GROWTH_OF_COMPOUNDS: f32 = 16.0;
/// With no more pairs than this, the first exit is found quickly.
const FEW_PAIRS: usize = 256;
/// How many pairs of boxes are tested, over all directions: about a millisecond.
const MAX_SEARCH_STEPS: u32 = 40_000;
/// How many of these steps may be spent on gaps between obstacles: more seldom improve the result.
const MAX_GAP_STEPS: u32 = 8000;
/// Obstacles are inflated by this multiple of the touching slop if a shape is thin, so that it
/// cannot escape through the zero-width gap between touching pieces.
const THIN_INFLATION: f32 = 4.0;

thread_local! {
    static SPENT_STEPS: Cell<u64> = const { Cell::new(0) };
}

/// How many pairs of boxes all searches of this thread have tested so far.
pub(crate) fn spent_search_steps() -> u64 {
    SPENT_STEPS.get()
}

/// Returns where a translation in a direction leaves the obstacles, if not beyond a length.
type FindExit<'t> = fn(&ObstacleSet<'t>, Vec2, f32) -> Option<Exit>;

/// The result of a search among the pieces within some distance.
enum Outcome {
    Found(Separation),
    /// The number of pairs that were searched.
    NotWithinDistance(usize),
    TooManyPieces,
}

/// The search for the shortest translation.
struct DepthSearch<'t> {
    obstacles: ObstacleSet<'t>,
    /// The translation that separates the deepest pieces.
    deepest: Translation,
    /// The translation that separates the bounding boxes.
    out_of_box: Translation,
    /// From the center of the second shape to that of the first one.
    from_center: Vec2,
    /// Whether a shape has a round surface.
    has_round: bool,
}

/// Returns the separation of two shapes that overlap, by the shortest translation of `a` that is
/// found, given the separation of their deepest pieces.
pub(super) fn penetration(a: &Shape, b: &Shape, deepest_pieces: &Separation) -> Separation {
    let slop = touching_slop(a, b);
    // A wider shape does not fit between touching pieces, and has to fit where there is just room.
    let is_thin = |shape: &Shape| {
        (shape.as_convex()).is_some_and(|shape| shape.is_thinner_than(2.0 * THIN_INFLATION * slop))
    };
    let inflation = if is_thin(a) || is_thin(b) {
        THIN_INFLATION * slop
    } else {
        0.0
    };
    let deepest = Translation {
        direction: -deepest_pieces.normal,
        length: inflation - deepest_pieces.distance,
    };
    // 1. Usually this is enough. Convex shapes need no trees for it.
    let is_one_convex = a.is_convex() || b.is_convex();
    let moved = || a.translated(deepest.vector());
    if is_one_convex && !are_near(&moved(), b, inflation - 2.0 * slop) {
        return *deepest_pieces;
    }
    let boxes = [a.aabb(), b.aabb()];
    let out_of_box = translation_out_of_box(&boxes[0], &boxes[1], inflation);
    let mut max_distance = FIRST_SEARCH * deepest.length;
    let growth = if is_one_convex {
        SEARCH_GROWTH
    } else {
        SEARCH_GROWTH_OF_COMPOUNDS
    };
    // Pieces grow in number with the searched area.
    let has_too_many = |pairs: usize| pairs as f32 * growth * growth > MAX_PIECES as f32;
    let mut steps = MAX_SEARCH_STEPS;
    loop {
        // Beyond that distance, all pieces are separate.
        max_distance = max_distance.min(out_of_box.length);
        let areas = [grow(&boxes[1], max_distance), grow(&boxes[0], max_distance)];
        let outcome = with_piece_pairs([a, b], &areas, MAX_PIECES, |pairs| {
            let search = DepthSearch {
                obstacles: ObstacleSet {
                    pairs,
                    slop,
                    inflation,
                    steps: Cell::new(steps),
                },
                deepest,
                out_of_box,
                from_center: center(&boxes[0]) - center(&boxes[1]),
                has_round: is_round(a) || is_round(b),
            };
            // 1.
            let outcome = if search.obstacles.is_free(&deepest) {
                Outcome::Found(*deepest_pieces)
            } else {
                // 2.
                search.find(max_distance)
            };
            let left = search.obstacles.steps.get();
            SPENT_STEPS.set(SPENT_STEPS.get() + u64::from(steps - left));
            steps = left;
            outcome
        });
        match outcome.unwrap_or(Outcome::TooManyPieces) {
            Outcome::Found(separation) => return separation,
            Outcome::NotWithinDistance(pairs) if !(is_one_convex && has_too_many(pairs)) => {
                max_distance *= growth;
            }
            // 3.
            _ => return separation_out_of_box(&out_of_box, deepest_pieces),
        }
    }
}

/// The shortest translation along an axis that moves one box out of another one and `margin` away.
fn translation_out_of_box(a: &Aabb2d, b: &Aabb2d, margin: f32) -> Translation {
    let (up, down) = (b.max - a.min, a.max - b.min);
    let candidates = [
        (Vec2::X, up.x),
        (Vec2::NEG_X, down.x),
        (Vec2::Y, up.y),
        (Vec2::NEG_Y, down.y),
    ];
    let shortest = candidates.into_iter().min_by(|p, q| p.1.total_cmp(&q.1));
    let (direction, length) = shortest.unwrap_or_default();
    Translation {
        direction,
        length: length + margin,
    }
}

/// The separation by a translation out of the box, at the contact point of the deepest pieces.
fn separation_out_of_box(out_of_box: &Translation, deepest_pieces: &Separation) -> Separation {
    let center = deepest_pieces.point_a.midpoint(deepest_pieces.point_b);
    Separation {
        distance: -out_of_box.length,
        normal: -out_of_box.direction,
        point_a: center,
        point_b: center,
    }
}

/// Whether some of the surface of a shape is round.
fn is_round(shape: &Shape) -> bool {
    matches!(shape, Shape::Circle { .. } | Shape::Capsule { .. })
}

impl<'t> DepthSearch<'t> {
    /// Returns the separation by the shortest translation that is found among the pieces within
    /// `max_distance` (world units), or out of the box if that is not farther.
    fn find(&self, max_distance: f32) -> Outcome {
        let limit = Translation {
            length: max_distance,
            ..self.out_of_box
        };
        let mut best = self.shortest_straight(limit);
        if best.length >= max_distance {
            let may_be_further = max_distance > 0.0 && max_distance < self.out_of_box.length;
            if may_be_further && !self.obstacles.is_exhausted() {
                return Outcome::NotWithinDistance(self.obstacles.pairs.count());
            }
            // 3.
            best = self.out_of_box;
        }
        if self.has_round {
            best = self.shortened_beside_round_corner(best);
        }
        Outcome::Found(self.obstacles.separation(&best))
    }

    /// Returns the shortest straight translation in many directions, or `limit` if none is shorter.
    /// First tries translations beyond all obstacles on the path, which are found quickly; then
    /// those to the first gap.
    fn shortest_straight(&self, limit: Translation) -> Translation {
        let mut best = limit;
        if self.obstacles.pairs.count() > FEW_PAIRS {
            self.shorten_in_all_directions(&mut best, ObstacleSet::last_exit);
        }
        let left = self.obstacles.steps.get();
        let gap_steps = left.min(MAX_GAP_STEPS);
        self.obstacles.steps.set(gap_steps);
        self.shorten_in_all_directions(&mut best, ObstacleSet::first_exit);
        self.obstacles
            .steps
            .set(left - gap_steps + self.obstacles.steps.get());
        best
    }

    /// Replaces `best` by a shorter translation: tries many directions, then those next to the
    /// best.
    fn shorten_in_all_directions(&self, best: &mut Translation, find_exit: FindExit<'t>) {
        let limit = best.length;
        for direction in directions(self.deepest.direction, self.from_center) {
            self.shorten(best, direction, find_exit);
            if best.length <= MAX_DETOUR_RATIO * self.deepest.length {
                return;
            }
        }
        if best.length == limit {
            return;
        }
        let mut angle = DIRECTION_STEP;
        for _ in 0..ANGLE_HALVINGS {
            angle /= 2.0;
            for angle in [angle, -angle] {
                self.shorten(best, rotated(best.direction, angle), find_exit);
            }
        }
    }

    /// Replaces `best` if a translation in `direction` is shorter. Repeats this along the normal of
    /// the edge where the translation exits, as long as it gets shorter.
    fn shorten(&self, best: &mut Translation, direction: Vec2, find_exit: FindExit<'t>) {
        let mut next = Some(direction);
        while let Some(direction) = next {
            let exit = find_exit(&self.obstacles, direction, best.length);
            next = exit.and_then(|Exit { length, normal }| {
                *best = Translation { direction, length };
                (normal.dot(direction) < HEAD_ON_DOT).then_some(normal)
            });
        }
    }

    /// Returns the translation, or a shorter one in its direction that exits beside a round corner.
    fn shortened_beside_round_corner(&self, translation: Translation) -> Translation {
        let (mut low, mut best) = (self.deepest.length, translation);
        for _ in 0..LENGTH_BISECTIONS {
            let length = low.midpoint(best.length);
            let shorter = Translation {
                length,
                ..translation
            };
            if self.obstacles.is_free(&shorter) {
                best = shorter;
            } else {
                low = length;
            }
        }
        best
    }
}

/// The directions of straight translations, the most promising ones first, because a short one cuts
/// the search of others: away from the center, which is shortest for most round shapes, then in
/// quarter turns, as for most grids.
fn directions(first: Vec2, from_center: Vec2) -> impl Iterator<Item = Vec2> {
    let around = (0..TRANSLATION_DIRECTIONS).map(move |number| {
        let steps = number % 4 * (TRANSLATION_DIRECTIONS / 4) + number / 4;
        rotated(first, steps as f32 * DIRECTION_STEP)
    });
    (from_center.try_normalize().into_iter()).chain(around)
}

fn rotated(direction: Vec2, angle: f32) -> Vec2 {
    unit_vector(angle).rotate(direction)
}
