//! How far a mover that slides stays at the surface.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingVolume},
};

use super::{
    first_impact::Leg,
    recover::RECOVER_BELOW,
    seams::Surface,
    spans::{first_gap, span_across},
    trace::{CREEP, Motion, Tracer},
};
use crate::{
    aabb::grown,
    geometry::{Gap, Shape, TOUCHING_SLOP, gap_between},
    index::{ColliderEntry, ColliderIndex},
};

/// A slide around something round is cut where the surface has gone away by this part of the mover's size, so that it turns by at most
/// some 0.05 radians at a time. More turns make a smoother way, and take longer.
const LEAVES_BEYOND: f32 = 0.001;
/// But at least, and at most, by these parts of the skin.
const LEAVES_WITHIN: [f32; 2] = [0.1, 0.9];
/// A mover counts as at most so much of its skin nearer to what blocks it: one that is nearer leaves it when it starts.
const MAX_LACKING: f32 = 1.0 - RECOVER_BELOW;

/// Where a mover is on its way.
pub(super) struct Spot {
    /// The mover there.
    pub shape: Shape,
    /// Relative to its start, in world units.
    pub position: Vec2,
    /// What of a motion into a surface is rounding there, in world units.
    pub creep: f32,
    /// How far from a surface a mover stays that follows it, in world units. It leaves it where that curves away, or is over.
    pub reach: f32,
}

impl Spot {
    pub fn of(motion: &Motion, position: Vec2) -> Self {
        let shape = motion.shape.translated(position);
        let creep = CREEP * motion.skin + TOUCHING_SLOP * shape.largest_coordinate();
        let [least, most] = LEAVES_WITHIN.map(|part| part * motion.skin);
        let away = LEAVES_BEYOND * shape.aabb().half_size().max_element();
        Self {
            shape,
            position,
            creep,
            reach: motion.skin + away.max(least).min(most) + creep,
        }
    }
}

impl Tracer {
    /// Notes the blockers near the area of a way, with the gaps between a mover, which is somewhere in it, and them.
    pub(super) fn look_along(
        &mut self,
        index: &ColliderIndex,
        spot: &Spot,
        way: &Aabb2d,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) {
        let Self {
            surroundings, near, ..
        } = self;
        surroundings.search(index, way, spot.reach, blocks);
        near.clear();
        let mover = (&spot.shape, spot.position);
        near.extend(surroundings.measured(grown(way, spot.reach), mover));
    }

    /// A leg of a mover along a way that was looked along, with a displacement and a heading; along a surface, if it slides.
    pub(super) fn leg<'a>(
        &self,
        motion: &Motion,
        spot: &'a Spot,
        [displacement, heading]: [Vec2; 2],
        surface: Option<&Surface>,
    ) -> Leg<'a> {
        let lacking =
            |gap: &Gap| (motion.skin - gap.distance).clamp(0.0, MAX_LACKING * motion.skin);
        let lift = surface.map_or(Vec2::ZERO, |surface| {
            let gap = gap_between(&spot.shape, &surface.shape);
            surface.normal * (gap.as_ref().map_or(0.0, lacking) + spot.creep)
        });
        Leg {
            spot,
            displacement,
            heading,
            lacking: (self.near.iter().map(|(_, gap)| lacking(gap))).fold(0.0, f32::max),
            lift,
        }
    }

    /// The part of a slide until which the mover stays at a surface; all of it, if it is at none at the start.
    pub(super) fn part_at_surface(&mut self, leg: &Leg) -> f64 {
        let Self {
            surroundings,
            near,
            spans,
            ..
        } = self;
        spans.clear();
        spans.extend(near.iter().filter_map(|(number, gap)| {
            let blocker = &surroundings.blockers[*number].shape;
            span_across(
                gap,
                &leg.spot.shape,
                leg.displacement,
                blocker,
                leg.spot.reach,
            )
        }));
        let part = first_gap(spans);
        if part > 0.0 { part.into() } else { 1.0 }
    }
}
