//! The way out of a shape that is not convex. It is longer than that out of a single part, which may lead into another one.

use std::{cell::RefCell, f32::consts::TAU};

use bevy::math::Vec2;

use super::{
    Separation, Shape,
    compound::{are_near, visit_pairs},
    distance::closest_points,
    minkowski::Obstacle,
    touching_slop,
};

/// A way out across a side is taken if it is not so many times longer than the shortest out of a single part.
const DETOUR: f32 = 1.02;
/// In how many directions a straight way out is looked for otherwise.
const DIRECTIONS: u32 = 24;
/// Among more obstacles the way out of the deepest is taken: to look for another one would take too long.
const MANY: usize = 8192;
/// A way out of parts is like that out of all if it differs by less than this part of it.
const LIKE: f32 = 0.01;
/// How often the angle between directions is halved to find a better one.
const HALVINGS: i32 = 5;
/// How often the length of a way is halved to find where it leads out.
const BISECTIONS: usize = 10;
/// How often the area is doubled in which parts are looked for.
const MAX_DOUBLINGS: usize = 32;

/// By so many times as far as it takes to touch all is grown around what is thin, so that it does not slip out between parts that touch.
const GROWN: f32 = 4.0;

/// A straight way for the first shape to leave the second.
#[derive(Clone, Copy)]
struct WayOut {
    direction: Vec2,
    length: f32,
}

/// What is between the parts of two shapes, pair by pair. It keeps its buffers.
#[derive(Default)]
struct Maze {
    obstacles: Vec<Obstacle>,
    /// Out of each single obstacle, across each of its sides.
    across: Vec<WayOut>,
    /// What is shallower is touching.
    slop: f32,
    /// How much larger obstacles are than they have to be.
    grown: f32,
}

thread_local! {
    static MAZE: RefCell<Maze> = RefCell::default();
}

/// How deep `a` is in `b`, by the shortest of these ways out: that of the deepest parts, those across the sides of any parts, and straight
/// ones in many directions.
pub(super) fn way_out(a: &Shape, b: &Shape, deepest: &Separation) -> Separation {
    let slop = touching_slop(a, b);
    // What is wider does not fit between them, and has to fit where there is just room for it.
    let is_thin = [a, b].map(|shape| shape.is_thinner_than(2.0 * GROWN * slop));
    let grown = if is_thin == [false; 2] {
        0.0
    } else {
        GROWN * slop
    };
    let across = WayOut {
        direction: -deepest.normal,
        length: grown - deepest.distance,
    };
    let best = MAZE.with_borrow_mut(|maze| {
        (maze.slop, maze.grown) = (slop, grown);
        let mut reach = 2.0 * across.length;
        for _ in 0..MAX_DOUBLINGS {
            maze.fill(a, b, reach);
            let best = maze.shortest_way_out(across);
            if best.length <= reach {
                return best;
            }
            reach *= 2.0;
        }
        across
    });
    let length = best.length - grown;
    separation_along(a, b, &WayOut { length, ..best }, slop)
}

impl Maze {
    /// Takes in the parts that are not further from each other than `reach`.
    fn fill(&mut self, a: &Shape, b: &Shape, reach: f32) {
        self.obstacles.clear();
        visit_pairs(a, b, reach, |p, q| {
            (self.obstacles).push(Obstacle::between(p, q, self.grown));
        });
    }

    fn shortest_way_out(&mut self, deepest: WayOut) -> WayOut {
        if self.obstacles.len() > MANY || self.is_free(&deepest) {
            return deepest;
        }
        let across = self.shortest_across_side();
        match across {
            Some(across) if across.length <= DETOUR * deepest.length => across,
            _ => {
                let straight = self.shortest_straight(deepest.direction, across);
                self.tightened(straight, deepest.length)
            }
        }
    }

    fn is_free(&self, way: &WayOut) -> bool {
        let end = way.direction * way.length;
        let limit = -2.0 * self.slop;
        !(self.obstacles.iter()).any(|obstacle| {
            obstacle
                .gap_at(end, limit)
                .is_some_and(|gap| gap.distance < limit)
        })
    }

    fn shortest_across_side(&mut self) -> Option<WayOut> {
        let mut across = std::mem::take(&mut self.across);
        across.clear();
        let sides = self.obstacles.iter().flat_map(Obstacle::sides);
        across.extend(sides.filter(|(_, distance)| -distance > self.slop).map(
            |(direction, distance)| WayOut {
                direction,
                length: -distance,
            },
        ));
        across.sort_unstable_by(|p, q| p.length.total_cmp(&q.length));
        let shortest = across.iter().find(|way| self.is_free(way)).copied();
        self.across = across;
        shortest
    }

    /// The shortest of ways in many directions, from one on, and of another way.
    fn shortest_straight(&self, direction: Vec2, other: Option<WayOut>) -> WayOut {
        let mut best = other.unwrap_or(WayOut {
            direction,
            length: f32::INFINITY,
        });
        let step = TAU / DIRECTIONS as f32;
        for number in 0..DIRECTIONS {
            self.shorten(&mut best, turned(direction, number as f32 * step));
        }
        for halving in 1..=HALVINGS {
            let angle = step / 2f32.powi(halving);
            for angle in [angle, -angle] {
                let direction = turned(best.direction, angle);
                self.shorten(&mut best, direction);
            }
        }
        best
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

    /// Takes another direction if the way out is shorter there.
    fn shorten(&self, best: &mut WayOut, direction: Vec2) {
        let mut length = 0.0;
        // Each is left only once, for they are convex.
        for _ in 0..=self.obstacles.len() {
            if !(length < best.length) {
                return;
            }
            let point = direction * length;
            let further = (self.obstacles.iter())
                .filter(|obstacle| {
                    let gap = obstacle.gap_at(point, -self.slop);
                    gap.is_some_and(|gap| gap.distance < -self.slop)
                })
                .map(|obstacle| way_out_of_one(obstacle, point, direction))
                .fold(0.0, f32::max);
            if further <= 0.0 {
                *best = WayOut { direction, length };
                return;
            }
            length += further;
        }
    }
}

/// How far a point in an obstacle has to go in some direction to be beyond one of its sides.
fn way_out_of_one(obstacle: &Obstacle, point: Vec2, direction: Vec2) -> f32 {
    let ways = obstacle.sides().filter_map(|(normal, distance)| {
        let (speed, distance) = (normal.dot(direction), distance + normal.dot(point));
        (speed > 0.0).then(|| -distance / speed)
    });
    ways.fold(f32::INFINITY, f32::min)
}

fn turned(direction: Vec2, angle: f32) -> Vec2 {
    Vec2::from_angle(angle).rotate(direction)
}

/// The separation along a way out, at the parts of which that is the way out, too; if it leads through others, at where it ends.
fn separation_along(a: &Shape, b: &Shape, way: &WayOut, slop: f32) -> Separation {
    let normal = -way.direction;
    let mut separation = Separation {
        distance: -way.length,
        normal,
        point_a: a.center(),
        point_b: b.center(),
    };
    let mut least = f32::INFINITY;
    visit_pairs(a, b, 2.0 * slop, |p, q| {
        let (point_a, point_b) = closest_points(p, q, normal);
        let off = ((point_a - point_b).dot(normal) - way.length).abs();
        if off < least && are_near(p, q, 2.0 * slop) {
            least = off;
            (separation.point_a, separation.point_b) = (point_a, point_b);
        }
    });
    if least > LIKE * way.length + GROWN * slop {
        separation.point_b = separation.point_a + normal * separation.distance;
    }
    separation
}
