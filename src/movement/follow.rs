//! How far a mover that slides stays at the surface.

use bevy::math::Vec2;

use super::{
    first_impact::{Leg, creep},
    recover::RECOVER_BELOW,
    seams::Surface,
    spans::{first_gap, span_near},
    trace::{Motion, Tracer},
};
use crate::{
    geometry::{Shape, overlap},
    index::{ColliderEntry, ColliderIndex},
};

/// A slide ends where the surface is so many skins away: there it curves away, or is over. The nearer to one, the smoother is the way
/// around what is round, and the more parts it has.
const LEAVES_BEYOND: f32 = 1.1;

impl Tracer {
    /// The leg of a shape with a displacement and a heading, along a surface if it slides.
    pub(super) fn leg<'a>(
        &self,
        index: &ColliderIndex,
        motion: &Motion,
        (shape, displacement, heading): (&'a Shape, Vec2, Vec2),
        surface: Option<Surface>,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Leg<'a> {
        let lacking_to = |entry: ColliderEntry| {
            let (lacking, _) = overlap(shape, entry.shape, motion.skin)?;
            Some(lacking.min((1.0 - RECOVER_BELOW) * motion.skin))
        };
        let lift = surface.map_or(Vec2::ZERO, |Surface { slot, normal }| {
            let lacking = index.at(slot).and_then(lacking_to).unwrap_or(0.0);
            normal * (lacking + creep(motion, shape))
        });
        Leg {
            shape,
            displacement,
            heading,
            lacking: (self.blockers(index, blocks).filter_map(lacking_to)).fold(0.0, f32::max),
            lift,
        }
    }

    /// The part of a slide until which the mover stays at a surface; all of it, if it is at none at the start.
    pub(super) fn part_at_surface(
        &mut self,
        index: &ColliderIndex,
        motion: &Motion,
        leg: &Leg,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> f64 {
        let reach = LEAVES_BEYOND * motion.skin + creep(motion, leg.shape);
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        spans.extend(
            self.blockers(index, blocks)
                .filter_map(|entry| span_near(leg.shape, leg.displacement, entry.shape, reach)),
        );
        let part = first_gap(&mut spans);
        self.spans = spans;
        if part > 0.0 { part.into() } else { 1.0 }
    }
}
