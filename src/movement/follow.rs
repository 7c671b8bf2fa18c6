//! How far a mover that slides stays at the surface.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{
    first_impact::Leg,
    recover::RECOVER_BELOW,
    seams::Surface,
    spans::{first_gap, span_across},
    spot::Spot,
    trace::{Motion, Tracer},
};
use crate::{
    aabb::grow,
    geometry::{SurfacePoint, surface_point},
    index::{ColliderEntry, ColliderIndex},
};

/// A mover counts as at most so much of its skin nearer to what blocks it: one that is nearer leaves it when it starts.
const MAX_LACKING: f32 = 1.0 - RECOVER_BELOW;

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
        near.extend(surroundings.measured(grow(way, spot.reach), mover));
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
            |gap: &SurfacePoint| (motion.skin - gap.distance).clamp(0.0, MAX_LACKING * motion.skin);
        let lift = surface.map_or(Vec2::ZERO, |surface| {
            let gap = surface_point(&spot.shape, &surface.shape);
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
        let Spot { shape, reach, .. } = leg.spot;
        spans.clear();
        spans.extend(near.iter().filter_map(|(number, gap)| {
            let blocker = &surroundings.blockers[*number].shape;
            span_across(gap, shape, leg.displacement, blocker, *reach)
        }));
        let part = first_gap(spans);
        if part > 0.0 { part.into() } else { 1.0 }
    }
}
