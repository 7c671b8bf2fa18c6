//! How far a mover that slides stays at the surface.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    first_impact::{Leg, creep},
    recover::RECOVER_BELOW,
    seams::Surface,
    spans::{first_gap, span_across},
    trace::{Motion, Tracer},
};
use crate::{
    aabb::grown,
    geometry::{Gap, Shape, gap_between},
    index::{ColliderEntry, ColliderIndex},
};

/// A slide around something round is cut where the surface has gone away by this part of the mover's size, so that it turns by at most
/// some 0.05 radians at a time. More turns make a smoother way, and take longer.
const LEAVES_BEYOND: f32 = 0.001;
/// But at least, and at most, by these parts of the skin.
const LEAVES_WITHIN: [f32; 2] = [0.1, 0.9];
/// A mover counts as at most so much of its skin nearer to what blocks it: one that is nearer leaves it when it starts.
const MAX_LACKING: f32 = 1.0 - RECOVER_BELOW;

/// How far from the surface a slide stays, in world units. It ends where that curves away, or is over.
pub(super) fn stay_within(motion: &Motion, shape: &Shape) -> f32 {
    let [least, most] = LEAVES_WITHIN.map(|part| part * motion.skin);
    let away = LEAVES_BEYOND * shape.aabb().half_size().max_element();
    motion.skin + away.max(least).min(most) + creep(motion, shape)
}

impl Tracer {
    /// Notes the blockers near a way, with the gaps between a mover, which is at `position` on it, and them.
    pub(super) fn look_along(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        (shape, position): (&Shape, Vec2),
        way: &Aabb2d,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) {
        let Self {
            surroundings, near, ..
        } = self;
        let reach = stay_within(motion, shape);
        surroundings.search(index, way, reach, blocks);
        near.clear();
        near.extend(surroundings.measured(grown(way, reach), (shape, position)));
    }

    /// A leg of a mover along a way that was looked along, with a displacement and a heading; along a surface, if it slides.
    pub(super) fn leg<'a>(
        &self,
        motion: &Motion,
        shape: &'a Shape,
        [displacement, heading]: [Vec2; 2],
        surface: Option<&Surface>,
    ) -> Leg<'a> {
        let creep = creep(motion, shape);
        let lacking =
            |gap: &Gap| (motion.skin - gap.distance).clamp(0.0, MAX_LACKING * motion.skin);
        let lift = surface.map_or(Vec2::ZERO, |surface| {
            let gap = gap_between(shape, &surface.shape);
            surface.normal * (gap.as_ref().map_or(0.0, lacking) + creep)
        });
        Leg {
            shape,
            displacement,
            heading,
            creep,
            lacking: (self.near.iter().map(|(_, gap)| lacking(gap))).fold(0.0, f32::max),
            lift,
        }
    }

    /// The part of a slide until which the mover stays at a surface; all of it, if it is at none at the start.
    pub(super) fn part_at_surface(&mut self, motion: &Motion, leg: &Leg) -> f64 {
        let reach = stay_within(motion, leg.shape);
        let Self {
            surroundings,
            near,
            spans,
            ..
        } = self;
        spans.clear();
        spans.extend(near.iter().filter_map(|(number, gap)| {
            let blocker = &surroundings.blockers[*number].shape;
            span_across(gap, leg.shape, leg.displacement, blocker, reach)
        }));
        let part = first_gap(spans);
        if part > 0.0 { part.into() } else { 1.0 }
    }
}
