//! How far ahead of a mover obstacles are searched at a time, so that a fast one costs by what it
//! meets and not by what is around its way.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    first_impact::{FirstImpact, Leg},
    spot::Spot,
    trace::{Motion, Tracer, Walk},
};
use crate::{
    aabb::{grow, swept},
    geometry::{Shape, TOUCHING_SLOP},
    index::{ColliderEntry, ColliderIndex},
};

/// The first stretch of a way is this many times as long as the mover. Most ways are shorter.
const FIRST: f32 = 16.0;
/// The shortest is this many times as long as the mover, and the longest.
const LENGTHS: [f32; 2] = [1.0, 128.0];
/// Where a stretch has at most this many obstacles near it, the next one is twice as long: to
/// search once more takes about as long as to look at a few.
const FEW: usize = 2;
/// Where it has more than this, the next one is half as long.
const MANY: usize = 8;
/// A stretch is at least this fraction of the way before it, so that their number has a bound.
const LEAST_GROWTH: f64 = 1.0 / 16.0;

/// How long the next stretch of a way is.
pub(super) struct Lookahead {
    /// In world units.
    distance: f32,
    /// The least and the greatest distance.
    limits: [f32; 2],
}

impl Lookahead {
    pub fn of(mover: &Shape) -> Self {
        // A point at the origin has no size; the distance is doubled soon.
        let size = (2.0 * mover.aabb().half_size().max_element()).max(f32::MIN_POSITIVE);
        Self {
            distance: FIRST * size,
            limits: LENGTHS.map(|length| length * size),
        }
    }

    /// The fraction of a way at which a stretch ends that begins at the fraction `start`.
    pub fn end_of_stretch(&self, way: Vec2, start: f64) -> f64 {
        let length = way.as_dvec2().length();
        let stretch = f64::from(self.distance).max(start * length * LEAST_GROWTH);
        if start * length + stretch < length {
            start + stretch / length
        } else {
            1.0
        }
    }

    /// Looks further next time where little was found, and less far where much was, or where the
    /// way ends soon: it did after `free_way`.
    pub fn adapt(&mut self, found: usize, free_way: Option<f32>) {
        let [least, most] = self.limits;
        let wanted = match free_way {
            Some(free_way) => self.distance.min(2.0 * free_way),
            None if found <= FEW => self.distance * 2.0,
            None if found > MANY => self.distance / 2.0,
            None => self.distance,
        };
        self.distance = wanted.max(least).min(most);
    }
}

impl Tracer {
    /// What the rest of a way is blocked by first; and up to which fraction of it that is known:
    /// all of it, or one stretch of a slide along surfaces, which it may leave anywhere.
    pub(super) fn look_ahead<'a>(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        (walk, spot): (&mut Walk, &'a Spot),
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> (Leg<'a>, Option<FirstImpact>, f64) {
        let way = walk.remaining(motion);
        let mut end = walk.lookahead.end_of_stretch(way, 0.0);
        self.look_along(
            index,
            spot,
            &stretch_box(&spot.shape, way, [0.0, end]),
            blocks,
        );
        let surface = match self.surfaces.as_slice() {
            [surface] => Some(surface),
            _ => None,
        };
        let leg = self.leg(motion, spot, [way, walk.course[0]], surface);
        loop {
            let first = self.first_impact(motion, &leg);
            // What is met later is met in a later stretch, where nothing is left out.
            let first = first.filter(|first| first.impact.fraction <= end);
            let free_way = first.map(|first| way.length() * first.impact.fraction as f32);
            walk.lookahead.adapt(self.near.len(), free_way);
            if first.is_some() || end >= 1.0 || !self.surfaces.is_empty() {
                return (leg, first, end);
            }
            let start = end;
            end = walk.lookahead.end_of_stretch(way, start);
            self.look_along(
                index,
                spot,
                &stretch_box(&spot.shape, way, [start, end]),
                blocks,
            );
        }
    }
}

/// The box around everywhere that a shape is between two fractions of its way.
pub(super) fn stretch_box(shape: &Shape, way: Vec2, [start, end]: [f64; 2]) -> Aabb2d {
    if [start, end] == [0.0, 1.0] {
        return swept(&shape.aabb(), way);
    }
    let [from, to] = [start, end].map(|part| (way.as_dvec2() * part).as_vec2());
    let area = swept(&shape.translated(from).aabb(), to - from);
    let largest = area.min.abs().max(area.max.abs()).max_element();
    grow(&area, TOUCHING_SLOP * largest)
}
