//! The way out of a shape that is not convex. It is longer than that out of a single part, which may lead into another one.

use std::f32::consts::TAU;

use bevy::math::Vec2;

use super::{
    Separation, Shape,
    cast::impact_of_convex,
    compound::{are_near, visit_pairs},
    distance::closest_points,
    minkowski::Obstacle,
    touching_slop,
};
use crate::aabb::merged;

/// In how many directions a straight way out is looked for.
const DIRECTIONS: u32 = 32;
/// How often the angle between directions is halved to find a better one.
const HALVINGS: i32 = 5;
/// How many parts such a way may lead through, one after another.
const MAX_PARTS: usize = 32;

/// A straight way for the first shape to leave the second.
#[derive(Clone, Copy)]
struct WayOut {
    direction: Vec2,
    length: f32,
}

impl WayOut {
    fn end(&self, shape: &Shape) -> Shape {
        shape.translated(self.direction * self.length)
    }
}

/// How deep `a` is in `b`, by the shortest of these ways out: that of the deepest parts, those across the sides of any parts, and straight
/// ones in many directions.
pub(super) fn way_out(a: &Shape, b: &Shape, deepest: &Separation) -> Separation {
    let across = WayOut {
        direction: -deepest.normal,
        length: -deepest.distance,
    };
    let slop = touching_slop(a, b);
    if !are_near(&across.end(a), b, -2.0 * slop) {
        return *deepest;
    }
    let step = TAU / DIRECTIONS as f32;
    let straight = (0..DIRECTIONS)
        .filter_map(|number| straight_way_out(a, b, turned(across.direction, number as f32 * step)))
        .min_by(|p, q| p.length.total_cmp(&q.length));
    let best = straight.map(|straight| shortest_across_side(a, b, refined(a, b, straight, step)));
    separation_along(a, b, &best.unwrap_or(across))
}

/// The best of the ways within a step of another one, as halving the step finds it.
fn refined(a: &Shape, b: &Shape, way: WayOut, step: f32) -> WayOut {
    let mut best = way;
    for halving in 1..=HALVINGS {
        let angle = step / 2f32.powi(halving);
        let beside = [angle, -angle].map(|angle| turned(best.direction, angle));
        for way in beside
            .into_iter()
            .filter_map(|direction| straight_way_out(a, b, direction))
        {
            if way.length < best.length {
                best = way;
            }
        }
    }
    best
}

fn turned(direction: Vec2, angle: f32) -> Vec2 {
    Vec2::from_angle(angle).rotate(direction)
}

/// How far a shape has to go in some direction.
fn straight_way_out(a: &Shape, b: &Shape, direction: Vec2) -> Option<WayOut> {
    let slop = touching_slop(a, b);
    let mut way = WayOut {
        direction,
        length: 0.0,
    };
    for _ in 0..MAX_PARTS {
        let there = way.end(a);
        let mut further = 0.0f32;
        visit_pairs(&there, b, way.length, |p, q| {
            let overlaps = || Obstacle::between(p, q, 0.0).gap_below(-slop);
            if overlaps().is_some_and(|gap| gap.distance < -slop) {
                further = further.max(way_out_of_part(p, q, direction));
            }
        });
        if further <= 0.0 {
            return Some(way);
        }
        way.length += further;
    }
    None
}

/// How far a convex shape that overlaps another one has to go in some direction to leave it.
fn way_out_of_part(p: &Shape, q: &Shape, direction: Vec2) -> f32 {
    let around = merged(&p.aabb(), &q.aabb());
    let far = (around.max - around.min).element_sum();
    let from_behind = impact_of_convex(&p.translated(direction * far), -direction * far, q, 0.0);
    from_behind.map_or(0.0, |impact| far * (1.0 - impact.time as f32))
}

/// A way out that is not longer than another one, if there is one across a side of parts.
fn shortest_across_side(a: &Shape, b: &Shape, other: WayOut) -> WayOut {
    let slop = touching_slop(a, b);
    let mut best = other;
    visit_pairs(a, b, other.length, |p, q| {
        for (direction, distance) in Obstacle::between(p, q, 0.0).sides() {
            let way = WayOut {
                direction,
                length: -distance,
            };
            if way.length > slop
                && way.length < best.length
                && !are_near(&way.end(a), b, -2.0 * slop)
            {
                best = way;
            }
        }
    });
    best
}

/// The separation along a way out, at the parts of which that is the way out, too.
fn separation_along(a: &Shape, b: &Shape, way: &WayOut) -> Separation {
    let normal = -way.direction;
    let mut separation = Separation {
        distance: -way.length,
        normal,
        point_a: a.center(),
        point_b: b.center(),
    };
    let mut least = f32::INFINITY;
    visit_pairs(a, b, 0.0, |p, q| {
        let (point_a, point_b) = closest_points(p, q, normal);
        let off = ((point_a - point_b).dot(normal) - way.length).abs();
        if off < least && are_near(p, q, 0.0) {
            least = off;
            (separation.point_a, separation.point_b) = (point_a, point_b);
        }
    });
    separation
}
