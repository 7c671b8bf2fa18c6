//! How far a mover that slides stays at the surface.

use bevy::math::Vec2;

use super::{
    first_impact::{Leg, creep},
    recover::RECOVER_BELOW,
    seams::Surface,
    spans::{first_gap, span_across},
    trace::{Motion, Tracer},
};
use crate::{
    aabb::{grown, swept},
    geometry::{Gap, Shape, gap_between},
    index::{ColliderEntry, ColliderIndex},
};

/// A slide ends where the surface is so many skins away: there it curves away, or is over. The nearer to one, the smoother is the way
/// around what is round, and the more parts it has.
const LEAVES_BEYOND: f32 = 1.1;
/// A mover counts as at most so much of its skin nearer to what blocks it: one that is nearer leaves it when it starts.
const MAX_LACKING: f32 = 1.0 - RECOVER_BELOW;

/// How far from the surface a slide stays, in world units.
fn stay_within(motion: &Motion, shape: &Shape) -> f32 {
    LEAVES_BEYOND * motion.skin + creep(motion, shape)
}

impl Tracer {
    /// The leg of a shape with a displacement and a heading, along a surface if it slides.
    pub(super) fn leg<'a>(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        (shape, displacement, heading): (&'a Shape, Vec2, Vec2),
        surface: Option<&Surface>,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Leg<'a> {
        let Self {
            surroundings, near, ..
        } = self;
        let way = swept(&shape.aabb(), displacement);
        surroundings.search(index, &way, motion.skin, blocks);
        near.clear();
        let around = surroundings.overlapping(grown(&way, stay_within(motion, shape)));
        near.extend(
            around.filter_map(|(number, blocker)| {
                Some((number, gap_between(shape, &blocker.shape)?))
            }),
        );
        let lacking =
            |gap: &Gap| (motion.skin - gap.distance).clamp(0.0, MAX_LACKING * motion.skin);
        let lift = surface.map_or(Vec2::ZERO, |surface| {
            let gap = gap_between(shape, &surface.shape);
            surface.normal * (gap.as_ref().map_or(0.0, lacking) + creep(motion, shape))
        });
        Leg {
            shape,
            displacement,
            heading,
            lacking: (near.iter().map(|(_, gap)| lacking(gap))).fold(0.0, f32::max),
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
