//! The configuration-space obstacles of all pairs of convex pieces of two shapes. A translation of
//! the first shape separates the two if it leaves all obstacles.

use std::cell::Cell;

use bevy::math::Vec2;

use super::{
    convex::{MinkowskiDifference, Separation, SurfacePoint, closest_points},
    piece_pairs::PiecePairs,
    shape::Shape,
};
use crate::aabb::{Aabb2d, box_separation, translated};

/// The number of steps of the search for the contact points at the end of a translation.
const MAX_CONTACT_STEPS: u32 = 40_000;

/// A translation of the first shape.
#[derive(Clone, Copy)]
pub(super) struct Translation {
    pub direction: Vec2,
    pub length: f32,
}

/// The length after which a translation leaves an obstacle, and the outward normal of the edge that
/// it crosses there.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub length: f32,
    pub normal: Vec2,
}

/// The obstacles, found by their pairs of pieces.
pub(super) struct ObstacleSet<'t> {
    pub pairs: PiecePairs<'t>,
    /// Overlap up to this depth is touching, in world units.
    pub slop: f32,
    /// By how much the obstacles are inflated, in world units.
    pub inflation: f32,
    /// How many pairs of boxes may still be tested.
    pub steps: Cell<u32>,
}

impl Translation {
    /// The displacement.
    pub fn vector(&self) -> Vec2 {
        self.direction * self.length
    }
}

impl<'t> ObstacleSet<'t> {
    /// Whether there are no steps left, so that results are incomplete.
    pub fn is_exhausted(&self) -> bool {
        self.steps.get() == 0
    }

    /// Whether no pieces overlap after a translation. Searches the deepest boxes first.
    pub fn is_free(&self, translation: &Translation) -> bool {
        let (end, limit) = (translation.vector(), -2.0 * self.slop);
        let mut is_free = true;
        self.find_least(
            limit.into(),
            |a, b| self.box_separation_at(end, a, b),
            |p, q| {
                let nearest = self.surface_point(p, q, end, limit);
                if nearest.is_some_and(|nearest| nearest.distance < limit) {
                    is_free = false;
                    return f64::NEG_INFINITY;
                }
                f64::INFINITY
            },
        );
        is_free && !self.is_exhausted()
    }

    /// Returns where a translation leaves the last obstacle on its path, if that is before `limit`.
    pub fn last_exit(&self, direction: Vec2, limit: f32) -> Option<Exit> {
        let is_up = direction.cmpgt(Vec2::ZERO);
        let per_length = direction.abs().recip();
        let mut last: Option<Exit> = None;
        self.find_least(
            0.0,
            |a, b| {
                let low = b.min - a.max - self.inflation;
                let high = b.max - a.min + self.inflation;
                let enter = Vec2::select(is_up, low, -high) * per_length;
                let exit = (Vec2::select(is_up, high, -low) * per_length).min_element();
                if enter.max_element() < exit {
                    -f64::from(exit)
                } else {
                    f64::INFINITY
                }
            },
            |p, q| {
                let exit = self
                    .obstacle(p, q)
                    .and_then(|obstacle| exit_of_entered(&obstacle, direction, self.slop));
                let Some(exit) = exit else {
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
        last.filter(|exit| exit.length < limit && !self.is_exhausted())
    }

    /// Returns where a translation first leaves all obstacles, if that is before `limit`.
    pub fn first_exit(&self, direction: Vec2, limit: f32) -> Option<Exit> {
        let mut length = 0.0;
        let mut normal = direction;
        while length < limit {
            let point = direction * length;
            match self.farthest_exit(point, direction, limit - length) {
                Some(exit) => {
                    length += exit.length;
                    normal = exit.normal;
                }
                None if self.is_exhausted() => return None,
                None => return Some(Exit { length, normal }),
            }
        }
        None
    }

    /// Returns the farthest exit from the obstacles that contain `point`. The search ends at one
    /// farther than `enough` (world units).
    fn farthest_exit(&self, point: Vec2, direction: Vec2, enough: f32) -> Option<Exit> {
        let mut furthest = None;
        let (is_up, per_length) = (direction.cmpgt(Vec2::ZERO), direction.abs().recip());
        self.find_least(
            0.0,
            |a, b| {
                let low = point - (b.min - a.max - self.inflation);
                let high = (b.max - a.min + self.inflation) - point;
                if !(low.min(high).min_element() > self.slop) {
                    return f64::INFINITY;
                }
                let exits = Vec2::select(is_up, high, low) * per_length;
                -f64::from(exits.min_element())
            },
            |p, q| {
                let Some(obstacle) = self.obstacle(p, q) else {
                    return f64::INFINITY;
                };
                let nearest = obstacle.surface_point_from(point, -self.slop);
                if !nearest.is_some_and(|nearest| nearest.distance < -self.slop) {
                    return f64::INFINITY;
                }
                let exit = exit_from(&obstacle, point, direction);
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

    /// Returns the separation that a translation resolves, with the points that touch after it.
    pub fn separation(&self, translation: &Translation) -> Separation {
        let end = translation.vector();
        let mut nearest: Option<(f32, Vec2)> = None;
        self.pairs.find_least(
            f64::INFINITY,
            MAX_CONTACT_STEPS,
            |a, b| self.box_separation_at(end, a, b),
            |p, q| {
                let Some(surface) = self.surface_point(p, q, end, f32::INFINITY) else {
                    return f64::INFINITY;
                };
                if nearest.is_none_or(|(distance, _)| surface.distance < distance)
                    && let (Some(p), Some(q)) = (p.translated(end).as_convex(), q.as_convex())
                {
                    let (_, point) = closest_points(&p, &q, -surface.normal);
                    nearest = Some((surface.distance, point));
                }
                surface.distance.into()
            },
        );
        let length = translation.length - self.inflation;
        let point_b = nearest.map_or(Vec2::ZERO, |(_, point)| point);
        Separation {
            distance: -length,
            normal: -translation.direction,
            point_a: point_b - translation.direction * length,
            point_b,
        }
    }

    /// Searches the pairs, and deducts the steps from those left.
    fn find_least(
        &self,
        limit: f64,
        bound: impl Fn(&Aabb2d, &Aabb2d) -> f64,
        visit: impl FnMut(&'t Shape, &'t Shape) -> f64,
    ) {
        let left = self.pairs.find_least(limit, self.steps.get(), bound, visit);
        self.steps.set(left);
    }

    fn obstacle(&self, p: &Shape, q: &Shape) -> Option<MinkowskiDifference> {
        Some(MinkowskiDifference::between(
            &p.as_convex()?,
            &q.as_convex()?,
            self.inflation,
        ))
    }

    fn surface_point(&self, p: &Shape, q: &Shape, at: Vec2, limit: f32) -> Option<SurfacePoint> {
        self.obstacle(p, q)?.surface_point_from(at, limit)
    }

    /// A lower bound of the distance (world units) of pieces in two boxes, after the first was
    /// moved.
    fn box_separation_at(&self, translation: Vec2, a: &Aabb2d, b: &Aabb2d) -> f64 {
        f64::from(box_separation(&translated(a, translation), b) - self.inflation)
    }
}

/// Returns where a translation from a point in an obstacle leaves it.
fn exit_from(obstacle: &MinkowskiDifference, point: Vec2, direction: Vec2) -> Exit {
    let nowhere = Exit {
        length: f32::INFINITY,
        normal: direction,
    };
    (obstacle.edge_lines())
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

/// Returns where a translation from the origin leaves an obstacle, if it enters it or starts in it.
fn exit_of_entered(obstacle: &MinkowskiDifference, direction: Vec2, slop: f32) -> Option<Exit> {
    let exit = exit_from(obstacle, Vec2::ZERO, direction);
    // It enters the obstacle if the exit is behind all edges that it crosses inward.
    let is_behind = |(normal, distance): (Vec2, f32)| {
        let speed = normal.dot(direction);
        speed > 0.0 || distance + speed * exit.length < -slop
    };
    (exit.length > slop && obstacle.edge_lines().all(is_behind)).then_some(exit)
}
