//! How far a mover that slides stays at the surface.

use bevy::math::Vec2;

use super::{
    MoverResponse,
    first_impact::{Leg, creep},
    recover::RECOVER_BELOW,
    trace::{Motion, Tracer},
};
use crate::{
    geometry::{Shape, overlap},
    index::{ColliderEntry, ColliderIndex},
};

/// A slide ends where the surface is so many skins away: there it curves away, or is over.
const LEAVES_BEYOND: f32 = 1.5;
/// How often the part of a slide is halved in which the surface is left.
const HALVINGS: usize = 20;

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

    /// The part of a slide at whose end the mover is still at a surface; all of it, if it is so at the end or was not at the start.
    pub(super) fn part_at_surface(
        &self,
        index: &ColliderIndex,
        motion: &Motion,
        leg: &Leg,
        blocks: &impl Fn(&ColliderEntry) -> bool,
    ) -> f64 {
        let reach = LEAVES_BEYOND * motion.skin;
        let is_near = |part: f64| {
            let offset = (leg.displacement.as_dvec2() * part).as_vec2();
            let shape = leg.shape.translated(offset);
            self.blockers(index, blocks)
                .any(|entry| overlap(&shape, entry.shape, reach).is_some())
        };
        if is_near(1.0) || !is_near(0.0) {
            return 1.0;
        }
        let (mut near, mut far) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(near, far);
            if is_near(middle) {
                near = middle;
            } else {
                far = middle;
            }
        }
        far
    }
}
