//! How far a mover that slides stays at the surface.

use bevy::math::Vec2;

use super::{
    MoverResponse,
    first_impact::{Leg, creep},
    recover::RECOVER_BELOW,
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
    /// Out of the surface along which a mover slides, to where it keeps its skin from it, and a bit.
    pub(super) fn lift(
        &self,
        index: &ColliderIndex,
        motion: &Motion,
        shape: &Shape,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> Vec2 {
        let ([normal], MoverResponse::Slide) = (self.normals.as_slice(), motion.response) else {
            return Vec2::ZERO;
        };
        let lacking = self
            .blockers(index, blocks)
            .filter_map(|entry| overlap(shape, entry.shape, motion.skin))
            .map(|(lacking, _)| lacking)
            .fold(0.0, f32::max);
        normal * (lacking.min((1.0 - RECOVER_BELOW) * motion.skin) + creep(motion, shape))
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
