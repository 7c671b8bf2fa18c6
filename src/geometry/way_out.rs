//! The way out of a shape that is not convex. It is longer than that out of a single part, which
//! may lead into another one.

use std::{cell::Cell, f32::consts::TAU};

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    Separation, Shape,
    compound::are_near,
    distance::closest_points,
    minkowski::Obstacle,
    part_tree::{PartPairs, gap_between_boxes, with_pairs},
    touching_slop,
};
use crate::aabb::grow;

/// A way out is taken if it is not this many times longer than the shortest out of a single part.
const DETOUR: f32 = 1.02;
/// In how many directions a straight way out is looked for otherwise.
const DIRECTIONS: u32 = 24;
/// A way is across a side if the dot product of its direction with the normal is larger.
const ACROSS: f32 = 0.9999;
/// The angle between two of them.
const STEP: f32 = TAU / DIRECTIONS as f32;
/// How often the angle between directions is halved to find a better one.
const HALVINGS: i32 = 5;
/// How often the length of a way is halved to find where it leads out beside a round corner.
const BISECTIONS: usize = 10;
/// Parts are looked for this many times as far away as the shortest way out of a single part is
/// long, then again this many times.
const REACH: f32 = 2.0;
/// The same where both have many parts, of which the first few are seldom all that are in the way.
const FURTHER: f32 = 16.0;
/// Among no more pairs the first place where there is room is found soon.
const FEW_PAIRS: usize = 256;
/// How many pairs of boxes are looked at, over all directions: what takes about a millisecond.
const MAX_STEPS: u32 = 40_000;
/// By this many times as far as it takes to touch all is grown around what is thin, so that it does
/// not slip out between parts that touch.
const GROWN: f32 = 4.0;

/// A straight way for the first shape to leave the second.
#[derive(Clone, Copy)]
struct WayOut {
    direction: Vec2,
    length: f32,
}

/// How far a shape has to go to leave an obstacle, and the outward normal of the side across which
/// it does.
#[derive(Clone, Copy)]
struct Exit {
    length: f32,
    normal: Vec2,
}

/// What comes of a search among the parts within some reach.
enum Outcome {
    Found(Separation),
    NotWithinReach,
}

/// The search for a way out among pairs of parts.
struct Search<'t> {
    pairs: PartPairs<'t>,
    /// From the middle of the second shape to that of the first one.
    apart: Vec2,
    /// What is shallower is touching.
    slop: f32,
    /// How much larger obstacles are than they have to be.
    grown: f32,
    /// How many pairs of boxes may still be looked at.
    steps: Cell<u32>,
}

/// How deep `a` is in `b`, by the shortest of these ways out: that of the deepest parts, straight
/// ones in many directions, those across the sides at which these end, and that out of the box
/// around `b`.
pub(super) fn way_out(a: &Shape, b: &Shape, deepest: &Separation) -> Separation {
    let slop = touching_slop(a, b);
    // What is wider does not fit between them, and has to fit where there is just room for it.
    let is_thin = [a, b].map(|shape| shape.is_thinner_than(2.0 * GROWN * slop));
    let margin = if is_thin == [false; 2] {
        0.0
    } else {
        GROWN * slop
    };
    let across = WayOut {
        direction: -deepest.normal,
        length: margin - deepest.distance,
    };
    // Mostly this is all, and then there is no need for trees.
    let is_convex = a.is_convex() || b.is_convex();
    if is_convex && !are_near(&a.translated(across.end()), b, margin - 2.0 * slop) {
        return *deepest;
    }
    let boxes = [a.aabb(), b.aabb()];
    let out_of_box = way_out_of_box(&boxes[0], &boxes[1], margin);
    let mut reach = REACH * across.length;
    let growth = if is_convex { REACH } else { FURTHER };
    let mut steps = MAX_STEPS;
    loop {
        // Beyond that all are out.
        reach = reach.min(out_of_box.length);
        let areas = [grow(&boxes[1], reach), grow(&boxes[0], reach)];
        let outcome = with_pairs([a, b], &areas, |pairs| {
            let search = Search {
                pairs,
                apart: boxes[0].center() - boxes[1].center(),
                slop,
                grown: margin,
                steps: Cell::new(steps),
            };
            let found = if search.is_free(&across) {
                Outcome::Found(*deepest)
            } else {
                search.leave([a, b].map(is_round), &across, reach, &out_of_box)
            };
            steps = search.steps.get();
            found
        });
        match outcome {
            Some(Outcome::Found(separation)) => return separation,
            Some(Outcome::NotWithinReach) => reach *= growth,
            None => return out_of_box.between(deepest),
        }
    }
}

/// The shortest way for one box along an axis to leave another one by `margin`.
fn way_out_of_box(a: &Aabb2d, b: &Aabb2d, margin: f32) -> WayOut {
    let (up, down) = (b.max - a.min, a.max - b.min);
    let ways = [
        (Vec2::X, up.x),
        (Vec2::NEG_X, down.x),
        (Vec2::Y, up.y),
        (Vec2::NEG_Y, down.y),
    ];
    let shortest = ways.into_iter().min_by(|p, q| p.1.total_cmp(&q.1));
    let (direction, length) = shortest.unwrap_or_default();
    WayOut {
        direction,
        length: length + margin,
    }
}

/// Whether some of the surface of a shape is round.
fn is_round(shape: &Shape) -> bool {
    matches!(shape, Shape::Circle { .. } | Shape::Capsule { .. })
}

impl WayOut {
    fn end(&self) -> Vec2 {
        self.direction * self.length
    }

    /// This way as the separation of shapes of which two parts have another one.
    fn between(&self, parts: &Separation) -> Separation {
        let middle = parts.point_a.midpoint(parts.point_b);
        Separation {
            distance: -self.length,
            normal: -self.direction,
            point_a: middle,
            point_b: middle,
        }
    }
}

impl<'t> Search<'t> {
    /// The separation along the shortest way that is found among the parts within reach, or out of
    /// the box if that is as near.
    fn leave(
        &self,
        are_round: [bool; 2],
        deepest: &WayOut,
        reach: f32,
        out_of_box: &WayOut,
    ) -> Outcome {
        let limit = WayOut {
            length: reach,
            ..*out_of_box
        };
        let mut best = self.shortest_straight(deepest, limit);
        if best.length >= reach {
            let may_be_further = reach > 0.0 && reach < out_of_box.length;
            if may_be_further && self.steps.get() > 0 {
                return Outcome::NotWithinReach;
            }
            best = *out_of_box;
        }
        if are_round != [false; 2] {
            best = self.tightened(best, deepest.length);
        }
        Outcome::Found(self.separation(&best))
    }

    /// Whether no parts overlap at the end of a way. Of the boxes around them the deepest in each
    /// other are looked into first.
    fn is_free(&self, way: &WayOut) -> bool {
        let (end, limit) = (way.end(), -2.0 * self.slop);
        let mut is_free = true;
        self.find_least(
            limit.into(),
            |a, b| self.gap_at(end, a, b),
            |p, q| {
                let gap = Obstacle::between(p, q, self.grown).gap_at(end, limit);
                if gap.is_some_and(|gap| gap.distance < limit) {
                    is_free = false;
                    return f64::NEG_INFINITY;
                }
                f64::INFINITY
            },
        );
        is_free && self.steps.get() > 0
    }

    /// Spends steps on a search among the pairs.
    fn find_least(
        &self,
        limit: f64,
        bound: impl Fn(&Aabb2d, &Aabb2d) -> f64,
        visit: impl FnMut(&'t Shape, &'t Shape) -> f64,
    ) {
        let left = self.pairs.find_least(limit, self.steps.get(), bound, visit);
        self.steps.set(left);
    }

    /// A lower bound of the distance of parts in two boxes, the first of which is moved.
    fn gap_at(&self, by: Vec2, a: &Aabb2d, b: &Aabb2d) -> f64 {
        let moved = Aabb2d {
            min: a.min + by,
            max: a.max + by,
        };
        f64::from(gap_between_boxes(&moved, b) - self.grown)
    }

    /// The shortest of ways in many directions that is shorter than `limit`, or that. First of
    /// those beyond all parts that are on them, which are found soon; then of those to the first
    /// place where there is room.
    fn shortest_straight(&self, deepest: &WayOut, limit: WayOut) -> WayOut {
        let mut best = limit;
        let searches = [Self::exit_beyond_all, Self::first_exit];
        let needed = usize::from(self.pairs.count() <= FEW_PAIRS);
        for find_exit in &searches[needed..] {
            for direction in directions(deepest.direction, self.apart) {
                self.shorten(&mut best, direction, *find_exit);
                if best.length <= DETOUR * deepest.length {
                    return best;
                }
            }
            for halving in 1..=HALVINGS {
                let angle = STEP / 2f32.powi(halving);
                for angle in [angle, -angle] {
                    let direction = turned(best.direction, angle);
                    self.shorten(&mut best, direction, *find_exit);
                }
            }
        }
        best
    }

    /// Takes another direction if the way out is shorter there, and then that across the side at
    /// which it ends, as long as that is shorter.
    fn shorten(
        &self,
        best: &mut WayOut,
        direction: Vec2,
        find_exit: fn(&Self, Vec2, f32) -> Option<Exit>,
    ) {
        let mut next = Some(direction);
        while let Some(direction) = next {
            let exit = find_exit(self, direction, best.length);
            next = exit.and_then(|Exit { length, normal }| {
                *best = WayOut { direction, length };
                (normal.dot(direction) < ACROSS).then_some(normal)
            });
        }
    }

    /// Where a straight way leaves the last obstacle that is on it, if it does so before `limit`.
    fn exit_beyond_all(&self, direction: Vec2, limit: f32) -> Option<Exit> {
        let is_up = direction.cmpgt(Vec2::ZERO);
        let per_length = direction.abs().recip();
        let mut last: Option<Exit> = None;
        self.find_least(
            0.0,
            |a, b| {
                let low = b.min - a.max - self.grown;
                let high = b.max - a.min + self.grown;
                let enter = Vec2::select(is_up, low, -high) * per_length;
                let exit = (Vec2::select(is_up, high, -low) * per_length).min_element();
                if enter.max_element() < exit {
                    -f64::from(exit)
                } else {
                    f64::INFINITY
                }
            },
            |p, q| {
                let obstacle = Obstacle::between(p, q, self.grown);
                let Some(exit) = last_exit_of_one(&obstacle, direction, self.slop) else {
                    return f64::INFINITY;
                };
                if last.is_none_or(|last| last.length < exit.length) {
                    last = Some(exit);
                }
                if exit.length >= limit {
                    f64::NEG_INFINITY
                } else {
                    -f64::from(exit.length)
                }
            },
        );
        last.filter(|exit| exit.length < limit && self.steps.get() > 0)
    }

    /// Where a straight way first leads out, if it does so before `limit`.
    fn first_exit(&self, direction: Vec2, limit: f32) -> Option<Exit> {
        let mut length = 0.0;
        let mut normal = direction;
        while length < limit {
            let point = direction * length;
            match self.furthest_exit(point, direction, limit - length) {
                Some(exit) => {
                    length += exit.length;
                    normal = exit.normal;
                }
                None if self.steps.get() == 0 => return None,
                None => return Some(Exit { length, normal }),
            }
        }
        None
    }

    /// The longest of the ways from a point out of an obstacle that it is in. One that is longer
    /// than `enough` ends the search.
    fn furthest_exit(&self, point: Vec2, direction: Vec2, enough: f32) -> Option<Exit> {
        let mut furthest = None;
        let (is_up, per_length) = (direction.cmpgt(Vec2::ZERO), direction.abs().recip());
        self.find_least(
            0.0,
            |a, b| {
                let low = point - (b.min - a.max - self.grown);
                let high = (b.max - a.min + self.grown) - point;
                if !(low.min(high).min_element() > self.slop) {
                    return f64::INFINITY;
                }
                let exits = Vec2::select(is_up, high, low) * per_length;
                -f64::from(exits.min_element())
            },
            |p, q| {
                let obstacle = Obstacle::between(p, q, self.grown);
                let gap = obstacle.gap_at(point, -self.slop);
                if !gap.is_some_and(|gap| gap.distance < -self.slop) {
                    return f64::INFINITY;
                }
                let exit = way_out_of_one(&obstacle, point, direction);
                if !furthest.is_some_and(|known: Exit| known.length >= exit.length) {
                    furthest = Some(exit);
                }
                if exit.length >= enough {
                    f64::NEG_INFINITY
                } else {
                    -f64::from(exit.length)
                }
            },
        );
        furthest
    }

    /// The same way, or a shorter part of it that leads out, too, beside a corner that is round.
    fn tightened(&self, way: WayOut, at_least: f32) -> WayOut {
        let (mut low, mut best) = (at_least, way);
        for _ in 0..BISECTIONS {
            let length = low.midpoint(best.length);
            let shorter = WayOut { length, ..way };
            if self.is_free(&shorter) {
                best = shorter;
            } else {
                low = length;
            }
        }
        best
    }

    /// The separation along a way out, with the points that touch at its end.
    fn separation(&self, way: &WayOut) -> Separation {
        let end = way.end();
        let mut nearest: Option<(f32, Vec2)> = None;
        self.pairs.find_least(
            f64::INFINITY,
            MAX_STEPS,
            |a, b| self.gap_at(end, a, b),
            |p, q| {
                let gap = Obstacle::between(p, q, self.grown).gap_at(end, f32::INFINITY);
                let Some(gap) = gap else { return f64::INFINITY };
                if nearest.is_none_or(|(distance, _)| gap.distance < distance) {
                    let (_, point) = closest_points(&p.translated(end), q, -gap.normal);
                    nearest = Some((gap.distance, point));
                }
                gap.distance.into()
            },
        );
        let length = way.length - self.grown;
        let point_b = nearest.map_or(Vec2::ZERO, |(_, point)| point);
        Separation {
            distance: -length,
            normal: -way.direction,
            point_a: point_b - way.direction * length,
            point_b,
        }
    }
}

/// How far a point in an obstacle has to go in some direction to be beyond one of its sides.
fn way_out_of_one(obstacle: &Obstacle, point: Vec2, direction: Vec2) -> Exit {
    let nowhere = Exit {
        length: f32::INFINITY,
        normal: direction,
    };
    (obstacle.sides())
        .filter_map(|(normal, distance)| {
            let (speed, distance) = (normal.dot(direction), distance + normal.dot(point));
            let length = -distance / speed;
            (speed > 0.0).then_some(Exit { length, normal })
        })
        .fold(nowhere, |least, exit| {
            if exit.length < least.length {
                exit
            } else {
                least
            }
        })
}

/// Where a way from the origin leaves an obstacle, if it enters it or starts in it.
fn last_exit_of_one(obstacle: &Obstacle, direction: Vec2, slop: f32) -> Option<Exit> {
    let exit = way_out_of_one(obstacle, Vec2::ZERO, direction);
    // It is on the way if the exit is behind all sides across which that enters.
    let is_behind = |(normal, distance): (Vec2, f32)| {
        let speed = normal.dot(direction);
        speed > 0.0 || distance + speed * exit.length < -slop
    };
    (exit.length > slop && obstacle.sides().all(is_behind)).then_some(exit)
}

/// The directions in which ways out are looked for. The shorter the best one is, the sooner others
/// are given up: so first away from the middle, as most ways out of what is round are, and then in
/// quarter turns, as most of those out of grids are.
fn directions(first: Vec2, apart: Vec2) -> impl Iterator<Item = Vec2> {
    let around = (0..DIRECTIONS).map(move |number| {
        let steps = number % 4 * (DIRECTIONS / 4) + number / 4;
        turned(first, steps as f32 * STEP)
    });
    (apart.try_normalize().into_iter()).chain(around)
}

fn turned(direction: Vec2, angle: f32) -> Vec2 {
    Vec2::from_angle(angle).rotate(direction)
}
