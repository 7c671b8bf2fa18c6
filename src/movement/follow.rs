//! How far a mover that slides stays at the surface.

use bevy::math::Vec2;

use super::{
    first_impact::{Leg, creep},
    recover::RECOVER_BELOW,
    seams::Surface,
    spans::{first_gap, span_near},
    trace::{Motion, Tracer, swept},
};
use crate::{
    aabb::grown,
    geometry::{Shape, overlap},
};

/// A slide ends where the surface is so many skins away: there it curves away, or is over. The nearer to one, the smoother is the way
/// around what is round, and the more parts it has.
const LEAVES_BEYOND: f32 = 1.1;

impl Tracer {
    /// The leg of a shape with a displacement and a heading, along a surface if it slides.
    pub(super) fn leg<'a>(
        &self,
        motion: &Motion,
        (shape, displacement, heading): (&'a Shape, Vec2, Vec2),
        surface: Option<&Surface>,
    ) -> Leg<'a> {
        let lacking_to = |blocker: &Shape| {
            let (lacking, _) = overlap(shape, blocker, motion.skin)?;
            Some(lacking.min((1.0 - RECOVER_BELOW) * motion.skin))
        };
        let lift = surface.map_or(Vec2::ZERO, |surface| {
            let lacking = lacking_to(&surface.shape).unwrap_or(0.0);
            surface.normal * (lacking + creep(motion, shape))
        });
        let near = (self.surroundings).overlapping(grown(&shape.aabb(), motion.skin));
        let lacking = near.filter_map(|(_, blocker)| lacking_to(&blocker.shape));
        Leg {
            shape,
            displacement,
            heading,
            lacking: lacking.fold(0.0, f32::max),
            lift,
        }
    }

    /// The part of a slide until which the mover stays at a surface; all of it, if it is at none at the start.
    pub(super) fn part_at_surface(&mut self, motion: &Motion, leg: &Leg) -> f64 {
        let reach = LEAVES_BEYOND * motion.skin + creep(motion, leg.shape);
        let Self {
            surroundings,
            spans,
            ..
        } = self;
        let way = swept(leg.shape, leg.displacement);
        let near = surroundings.overlapping(grown(&way, reach));
        spans.clear();
        spans.extend(near.filter_map(|(_, blocker)| {
            span_near(leg.shape, leg.displacement, &blocker.shape, reach)
        }));
        let part = first_gap(spans);
        if part > 0.0 { part.into() } else { 1.0 }
    }
}
